// Beside the graph: the search, and what is known of the node that was picked.

const verdictTexts = {
  chosen: "chosen: the first that supports the node",
  not_needed: "not asked: a kernel of higher priority was chosen",
  not_supported: "asked: does not support these types or attributes",
  not_allowed: "left out: --engines does not name its engine",
};

const search = {
  results: [],  // [graph, node]

  start() {
    byId("search").addEventListener("input", () => this.run());
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.results.length > 0) this.next();
    });
  },

  run() {
    const word = byId("search").value.trim().toLowerCase();
    const has = (text) => text.toLowerCase().includes(word);
    this.results = [];
    this.at = -1;
    if (word !== "")
      report.graphs.forEach((graph, g) => graph.nodes.forEach((node, n) => {
        if (has(node.name) || has(node.op) || node.outputs.some(([name]) => has(name))) this.results.push([g, n]);
      }));
    this.list(word);
    graphTab.found = new Set(this.foundIn(graphTab.graph));
    graphTab.view.redraw();
  },

  foundIn(graph) {
    return this.results.filter(([g]) => g === graph).map(([, n]) => n);
  },

  list(word) {
    const most = 200;
    byId("search-count").textContent = word === "" ? "" : `${plural(this.results.length, "node")} found${this.results.length > most ? `, the first ${most} listed` : ""}`;
    byId("search-count").dataset.found = this.results.length;
    byId("search-results").replaceChildren(...this.results.slice(0, most).map(([g, n], at) => {
      const node = report.graphs[g].nodes[n];
      const button = make("button", { onclick: () => this.next(at) }, `${node.op} `, make("small", { text: node.name }));
      return make("li", {}, button);
    }));
  },

  next(at = (this.at + 1) % this.results.length) {
    this.at = at;
    [...byId("search-results").querySelectorAll("button")].forEach((button, i) => button.toggleAttribute("aria-current", i === at));
    graphTab.go(...this.results[at]);
  },

  set(word) {
    byId("search").value = word;
    this.run();
  },
};

const details = {
  engineOf(node) {
    const chosen = (report.choices[node.choice] || []).find(([, , verdict]) => verdict === "chosen");
    return chosen ? kernelName(chosen) : "";
  },

  showOps() {
    const columns = [
      { head: "op", kind: "code", of: ([op]) => make("button", { class: "link", text: op, onclick: () => search.set(op) }) },
      { head: "nodes", kind: "number", of: ([, count]) => countText(count) },
    ];
    byId("details").replaceChildren(make("h3", { text: "Ops of all graphs" }), table(columns, report.op_counts));
  },

  show(graph, index) {
    const node = report.graphs[graph].nodes[index];
    const nodes = report.graphs[graph].nodes;
    const link = (i, text = nodes[i].name) => make("button", { class: "link", text, onclick: () => graphTab.go(graph, i) });
    const parts = [make("h2", { text: node.op }), make("p", { class: "quiet", text: node.name })];
    if (node.attributes) parts.push(make("h3", { text: "Attributes" }), this.list(node.attributes.map(([name, value]) => [name, value])));
    if (node.inputs.length > 0) parts.push(make("h3", { text: "Inputs" }), this.list(node.inputs.map((input, slot) => this.inputRow(nodes, input, slot, link))));
    if (node.after) parts.push(make("h3", { text: "Runs after" }), this.list(node.after.map((i) => [nodes[i].op, link(i)])));
    const readers = nodes.map((other, i) => [other, i]).filter(([other]) => other.inputs.some((input) => input[0] === index));
    if (node.outputs.length > 0) parts.push(make("h3", { text: "Outputs" }), this.list(node.outputs.map(([name, type], i) => [String(i), name === "" ? "not used" : `${name}: ${type}`])));
    if (readers.length > 0) parts.push(make("h3", { text: "Read by" }), this.list(readers.slice(0, 50).map(([other, i]) => [other.op, link(i)])));
    if (readers.length > 50) parts.push(make("p", { class: "quiet", text: `and ${countText(readers.length - 50)} more` }));
    for (const sub of node.subgraphs || [])
      parts.push(make("h3", { text: "Subgraph" }), make("button", { class: "link", text: graphTab.graphTitle(sub), onclick: () => graphTab.show(sub) }));
    parts.push(...this.kernelParts(node), ...this.timeParts(node));
    byId("details").replaceChildren(...parts);
    byId("details").dataset.node = node.name;
  },

  list(rows) {
    return make("dl", {}, ...rows.flatMap(([name, ...values]) => [make("dt", { text: name }), make("dd", {}, ...values)]));
  },

  inputRow(nodes, input, slot, link) {
    if (input.length === 0) return [String(slot), "absent"];
    if (input[0] < 0) {
      const constant = report.constants[input[1]];
      const value = constant.value === "" ? "" : ` = ${constant.value}`;
      return [String(slot), `constant ${constant.name}: ${constant.type}${value}, ${bytesText(constant.bytes)}`];
    }
    const [name, type] = nodes[input[0]].outputs[input[1]];
    return [String(slot), link(input[0], name || nodes[input[0]].name), `: ${type}`];
  },

  kernelParts(node) {
    const head = make("h3", { text: "Kernel, and why" });
    if (node.choice === undefined)
      return node.kind === "op" ? [head, make("p", { text: "Runs no kernel: control flow, which the executor follows itself." })] : [];
    const candidates = report.choices[node.choice];
    if (candidates.length === 0) return [head, make("p", { text: "No linked kernel runs this op." })];
    return [head, make("ol", {}, ...candidates.map((c) => make("li", { class: c[2], text: `${kernelName(c)} — ${verdictTexts[c[2]]}` })))];
  },

  timeParts(node) {
    const time = nodeTimes.of(node.name);
    if (!time) return [];
    return [make("h3", { text: "Time per run" }), make("p", { text: `${timeText(time.total_ms / report.time.runs)}, ${percentText(time.total_ms / nodeTimes.total)} of all, by ${time.kernel || "the executor"}` })];
  },
};

const kernelName = ([engine, variant]) => (variant === "" ? engine : `${engine}/${variant}`);
