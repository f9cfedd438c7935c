// The Graph tab: the compiled graph on a canvas (only what is visible is drawn), and the choice of graph and colours.

const graphTab = {
  graph: 0,           // row of report.graphs
  picked: -1,         // node of that graph
  found: new Set(),   // nodes that the search found in it
  layouts: [],        // by graph, made when first shown

  start() {
    this.canvas = byId("graph-canvas");
    if (report.nodes_left_out) {
      byId("graph").replaceChildren(this.opTable());
      return;
    }
    this.view = new View(this.canvas, {
      draw: (context, view) => this.draw(context, view),
      tapped: (x, y) => this.pick(this.nodeAt(x, y)),
      hovered: (x, y, event) => showTip(this.tipOf(this.nodeAt(x, y)), event),
    });
    this.view.ready = () => this.fitWidth();
    this.view.fit = () => this.fit();
    byId("graph-in").onclick = () => this.view.zoom(1.3);
    byId("graph-out").onclick = () => this.view.zoom(1 / 1.3);
    byId("graph-fit").onclick = () => this.fit();

    const choice = byId("graph-choice");
    report.graphs.forEach((_, row) => choice.append(make("option", { value: row, text: this.graphTitle(row) })));
    choice.hidden = report.graphs.length === 1;
    choice.onchange = () => this.show(Number(choice.value));
    const colour = byId("graph-colour");
    for (const [value, text] of [["op", "colour: op"], ["engine", "colour: engine"], ["time", "colour: time"]])
      if (value !== "time" || nodeTimes.slowest > 0) colour.append(make("option", { value, text }));
    colour.onchange = () => this.view.redraw();
    this.show(0);
    details.showOps();
  },

  opTable() {
    const columns = [{ head: "op", kind: "code", of: ([op]) => op }, { head: "nodes", kind: "number", of: ([, count]) => countText(count) }];
    return make("div", { class: "left-out", id: "left-out" }, message(report.nodes_left_out), table(columns, report.op_counts));
  },

  graphTitle(row) {
    const graph = report.graphs[row];
    if (graph.owner[0] < 0) return `main graph (${countText(graph.nodes.length)})`;
    const owner = report.graphs[graph.owner[0]].nodes[graph.owner[1]];
    return `${graph.name} of ${owner.op} ${endOf(owner.name, 30)} (${countText(graph.nodes.length)})`;
  },

  nodes() {
    return report.graphs[this.graph].nodes;
  },

  layout() {
    return (this.layouts[this.graph] ||= layoutGraph(this.nodes()));
  },

  show(row) {
    this.graph = row;
    this.picked = -1;
    byId("graph-choice").value = row;
    const { edges, rows } = this.layout();
    byId("graph-size").textContent = `${plural(this.nodes().length, "node")}, ${plural(edges.length, "edge")}, ${plural(rows.length, "rank")}`;
    this.canvas.dataset.nodes = this.nodes().length;
    this.canvas.dataset.edges = edges.length;
    this.found = new Set(search.foundIn(row));
    if (this.view.width > 0) this.fitWidth();
  },

  /// All of it.
  fit() {
    const { width, height } = this.layout();
    const { view } = this;
    view.scale = Math.min(1.2, (view.width - 40) / width, (view.height - 40) / Math.max(height, 1));
    view.limits.lowest = view.scale / 2;
    view.centre(width / 2, height / 2);
  },

  /// Its beginning, large enough to read; all of it where that can be read.
  fitWidth() {
    this.fit();
    const { view } = this;
    const { x, y, width } = this.layout();
    if (view.scale < 0.6) {
      view.scale = Math.max(view.width < 600 ? 0.5 : 0.75, Math.min(1, (view.width - 40) / width));
      view.centre(x[0] ?? 0, (y[0] ?? 0) + (view.height / 2 - 60) / view.scale);
    }
    if (this.picked >= 0) this.reveal(this.picked);
  },

  reveal(node) {
    const { x, y } = this.layout();
    if (this.view.width === 0) return;  // shown when the canvas has its size
    if (this.view.scale < 0.5) this.view.scale = 0.8;
    this.view.centre(x[node], y[node]);
  },

  pick(node) {
    this.picked = node;
    if (node >= 0) details.show(this.graph, node);
    else details.showOps();
    this.view.redraw();
  },

  /// Shows a node of any graph, in the middle.
  go(graph, node) {
    if (graph !== this.graph) this.show(graph);
    this.pick(node);
    this.reveal(node);
  },

  nodeAt(px, py) {
    const { x, y, rows, pitch } = this.layout();
    const row = rows[Math.floor((py + box.gapY / 2) / pitch)] || [];
    for (const i of row) if (Math.abs(px - x[i]) <= box.width / 2 && Math.abs(py - y[i]) <= box.height / 2) return i;
    return -1;
  },

  tipOf(i) {
    if (i < 0) return "";
    const node = this.nodes()[i];
    return [`${node.op}  ${node.name}`, ...node.outputs.filter(([name]) => name !== "").map(([name, type]) => `${name}: ${type}`)].join("\n");
  },

  colourOf(node) {
    if (node.kind !== "op") return cssColour("--quiet");
    const by = byId("graph-colour").value;
    if (by === "op") return wordColour(node.op);
    if (by === "engine") return wordColour(details.engineOf(node) || "control flow");
    const share = (nodeTimes.of(node.name)?.total_ms || 0) / nodeTimes.slowest;
    return `hsl(${220 - 220 * Math.sqrt(share)} 70% 50%)`;
  },

  draw(context, view) {
    const { x, y, edges, rows, pitch } = this.layout();
    const top = view.y - box.height;
    const bottom = view.y + view.height / view.scale + box.height;
    const left = view.x - box.width / 2;
    const right = view.x + view.width / view.scale + box.width / 2;
    context.scale(view.scale, view.scale);
    context.translate(-view.x, -view.y);
    this.drawEdges(context, view, edges.filter((e) => y[e.to] > top && y[e.from] < bottom), top, bottom);
    let drawn = 0;
    for (let r = Math.max(0, Math.floor(top / pitch)); r < rows.length && r * pitch < bottom; ++r)
      for (const i of rows[r])
        if (x[i] > left && x[i] < right) {
          this.drawNode(context, view.scale, i, x[i] - box.width / 2, y[i] - box.height / 2);
          ++drawn;
        }
    this.canvas.dataset.drawn = drawn;
  },

  drawEdges(context, view, edges, top, bottom) {
    const { x, y, pitch } = this.layout();
    const half = box.height / 2;
    const trace = (edge) => {
      let px = x[edge.from];
      let py = y[edge.from] + half;
      context.moveTo(px, py);
      const to = (qx, qy) => {
        if (qy >= top && py <= bottom) context.bezierCurveTo(px, (py + qy) / 2, qx, (py + qy) / 2, qx, qy);
        else context.moveTo(qx, qy);
        [px, py] = [qx, qy];
      };
      edge.bends.forEach((bend, k) => {
        const by = y[edge.from] + (k + 1) * pitch;
        to(x[bend], by - half);
        if (by + half >= top && by - half <= bottom) context.lineTo(x[bend], by + half);
        else context.moveTo(x[bend], by + half);
        py = by + half;
      });
      to(x[edge.to], y[edge.to] - half);
    };
    const stroke = (some, colour, width, dash = []) => {
      context.beginPath();
      some.forEach(trace);
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.stroke();
      context.setLineDash([]);
    };
    const thin = Math.max(1.3, 0.8 / view.scale);
    stroke(edges.filter((e) => !e.control), cssColour("--edge"), thin);
    stroke(edges.filter((e) => e.control), cssColour("--edge"), thin, [6, 5]);
    if (this.picked >= 0) stroke(edges.filter((e) => e.from === this.picked || e.to === this.picked), cssColour("--accent"), 2 * thin);
  },

  drawNode(context, scale, i, left, top) {
    const node = this.nodes()[i];
    const colour = this.colourOf(node);
    const wanted = i === this.picked || this.found.has(i);
    context.beginPath();
    context.roundRect(left, top, box.width, box.height, node.kind === "op" ? 7 : box.height / 2);
    context.fillStyle = scale < 0.3 ? colour : cssColour("--card");
    context.fill();
    context.lineWidth = wanted ? Math.max(3, 2 / scale) : 1.2;
    context.strokeStyle = i === this.picked ? cssColour("--accent") : wanted ? cssColour("--mark") : cssColour("--line");
    context.stroke();
    if (scale < 0.3) return;
    const inset = node.kind === "op" ? 16 : 30;
    if (node.kind === "op") {
      context.fillStyle = colour;
      context.fillRect(left + 6, top + 8, 4, box.height - 16);
    }
    context.textBaseline = "middle";
    context.fillStyle = cssColour("--text");
    context.font = `600 14px ${this.sans}`;
    context.fillText(node.kind === "op" ? startOf(node.op, 24) : node.kind, left + inset, top + 15);
    context.font = `11px ${cssColour("--mono")}`;
    const letters = Math.floor((box.width - inset - (node.kind === "op" ? 8 : 20)) / (this.letter ||= context.measureText("0").width));
    context.fillStyle = cssColour("--quiet");
    context.fillText(endOf(node.name, letters), left + inset, top + 32);
    if (node.outputs.length > 0) context.fillText(startOf(node.outputs[0][1], letters), left + inset, top + 48);
  },
  sans: 'system-ui, "Segoe UI", Roboto, sans-serif',
};
