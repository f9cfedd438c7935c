// The Memory tab: tasks from left to right, offsets in the arena from the bottom up, a rectangle per buffer.

const memoryTab = {
  margin: { left: 74, right: 12, top: 14, bottom: 30 },
  picked: -1,

  start() {
    const { memory } = report;
    const part = byId("memory");
    if (memory.why_none) {
      part.append(message(memory.why_none));
      return;
    }
    this.roots = memory.buffers.map((_, i) => i).filter((i) => memory.buffers[i].inside < 0);
    this.parts = memory.buffers.map((_, i) => i).filter((i) => memory.buffers[i].inside >= 0);
    this.firstPart = new Map();  // by buffer: the first task of what lies in it
    for (const i of this.parts) {
      const { inside, first } = memory.buffers[i];
      this.firstPart.set(inside, Math.min(first, this.firstPart.get(inside) ?? Infinity));
    }
    this.live = this.liveBytes();
    this.canvas = make("canvas", { id: "memory-canvas", tabIndex: 0 });
    this.canvas.setAttribute("aria-label", "Memory over time; drag to move, + and - to zoom");
    this.canvas.dataset.buffers = memory.buffers.length;
    this.canvas.dataset.roots = this.roots.length;
    const zoom = (text, action) => make("button", { text, onclick: action });
    part.append(
      make("p", { text: this.summary() }),
      make("p", { class: "quiet", text: `For ${report.shapes || "a model without inputs"}. ${memory.note}` }),
      make("div", { class: "legend" },
        make("span", { class: "zoom" }, zoom("−", () => this.view.zoom(0.7)), zoom("+", () => this.view.zoom(1.4)), zoom("Fit", () => this.fit())),
        make("span", {}, make("i"), "arena, the peak"), make("span", {}, make("i", { class: "bound" }), "lower bound"),
        make("span", {}, make("i", { class: "live" }), "bytes alive at a task")),
      this.canvas, make("h2", { text: "Largest buffers" }));
    this.view = new View(this.canvas, {
      flat: true,
      draw: (context, view) => this.draw(context, view),
      hovered: (x, y, event) => showTip(this.tipOf(this.bufferAt(x, y)), event),
      tapped: (x, y) => this.pick(this.bufferAt(x, y)),
    });
    this.view.ready = () => this.fit();
    this.view.fit = () => this.fit();
    this.view.keepInside = () => this.keepInside();
    part.append(this.bufferTable());
  },

  summary() {
    const { arena_bytes, lower_bound_bytes, task_count, peak_task, buffers } = report.memory;
    const over = lower_bound_bytes === 0 ? 0 : arena_bytes / lower_bound_bytes - 1;
    const fit = over === 0 ? "the least possible for this order of tasks" : `${percentText(over)} over the lower bound of ${bytesText(lower_bound_bytes)}`;
    return `Arena ${bytesText(arena_bytes)} (${countText(arena_bytes)} bytes), ${fit}; ${plural(task_count, "task")}, ${plural(buffers.length, "buffer")}. ` +
      `Most is alive at task ${peak_task} (${this.taskText(peak_task)}).`;
  },

  taskText(task) {
    if (task >= report.memory.task_count) return "end of the segment";
    const row = report.memory.tasks[task];
    if (row === undefined) return `task ${task}`;
    return row < 0 ? "copies an output" : `${report.ops[row][1]} ${report.ops[row][0]}`;
  },

  /// By task: the sum of the sizes of live buffers that lie in no other, each rounded up to 64 bytes.
  liveBytes() {
    const change = new Array(report.memory.task_count + 2).fill(0);
    for (const i of this.roots) {
      const { size, first, last } = report.memory.buffers[i];
      const room = Math.ceil(size / 64) * 64;
      change[first] += room;
      change[last + 1] -= room;
    }
    for (let t = 1; t < change.length; ++t) change[t] += change[t - 1];
    return change;
  },

  taskEnd() {
    return Math.max(1, report.memory.task_count);
  },

  fit() {
    const { view, margin } = this;
    view.scale = (view.width - margin.left - margin.right) / this.taskEnd();
    view.limits = { lowest: view.scale, highest: Math.max(40, view.scale) };
    view.x = -margin.left / view.scale;
    view.redraw();
  },

  keepInside() {
    const { view, margin } = this;
    const least = -margin.left / view.scale;
    const most = this.taskEnd() - (view.width - margin.right) / view.scale;
    view.x = Math.max(least, Math.min(view.x, most));
  },

  heightOf(offset) {
    const room = this.view.height - this.margin.top - this.margin.bottom;
    return this.view.height - this.margin.bottom - (offset / Math.max(1, report.memory.arena_bytes)) * room;
  },

  bufferAt(x, y) {
    const hit = (i) => {
      const b = report.memory.buffers[i];
      return x >= b.first && x < b.last + 1 && y <= this.heightOf(b.offset) && y >= this.heightOf(b.offset + b.size);
    };
    const inner = this.parts.find(hit);
    return inner ?? this.roots.find(hit) ?? -1;
  },

  tipOf(i) {
    if (i < 0) return "";
    const b = report.memory.buffers[i];
    const names = b.names.length > 6 ? [...b.names.slice(0, 6), `and ${b.names.length - 6} more`] : b.names;
    const inside = b.inside < 0 ? [] : [`in place in ${report.memory.buffers[b.inside].names[0]}`];
    return [...names, `${bytesText(b.size)} at ${countText(b.offset)}`, ...inside, `from task ${b.first}: ${this.taskText(b.first)}`, `to task ${b.last}: ${this.taskText(b.last)}`].join("\n");
  },

  colourOf(b, alpha) {
    const row = report.memory.tasks[b.first];
    return wordColour(row === undefined || row < 0 ? "copy" : report.ops[row][1], alpha);
  },

  pick(i) {
    this.picked = i;
    this.view.redraw();
    for (const line of byId("memory").querySelectorAll("tbody tr")) line.classList.toggle("picked", Number(line.dataset.buffer) === i);
  },

  bufferTable() {
    const { buffers } = report.memory;
    const rows = buffers.map((_, i) => i).sort((a, b) => buffers[b].size - buffers[a].size).slice(0, 200);
    const columns = [
      { head: "tensors", kind: "code", of: (i) => startOf(buffers[i].names.join(", "), 160) },
      { head: "size", kind: "number", of: (i) => bytesText(buffers[i].size) },
      { head: "share of arena", kind: "bar", of: (i) => buffers[i].size / Math.max(1, report.memory.arena_bytes) },
      { head: "offset", kind: "number", of: (i) => countText(buffers[i].offset) },
      { head: "tasks", kind: "number", of: (i) => `${buffers[i].first} – ${buffers[i].last}` },
    ];
    return table(columns, rows, (line, i) => {
      line.className = "click";
      line.dataset.buffer = i;
      line.onclick = () => this.pick(i);
    });
  },

  draw(context, view) {
    const { buffers, arena_bytes, lower_bound_bytes, peak_task } = report.memory;
    const { margin } = this;
    const x = (task) => (task - view.x) * view.scale;
    const right = view.width - margin.right;
    context.save();
    context.beginPath();
    context.rect(margin.left, 0, right - margin.left, view.height);
    context.clip();
    const visible = [...this.roots, ...this.parts].filter((i) => x(buffers[i].last + 1) >= margin.left && x(buffers[i].first) <= right);
    for (const i of visible) this.drawBuffer(context, i, x(buffers[i].first), x(buffers[i].last + 1));
    this.canvas.dataset.drawn = visible.length;
    this.drawLive(context, x);
    context.fillStyle = cssColour("--text");
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const i of visible) this.drawName(context, i, x(buffers[i].first), x(Math.min(buffers[i].last + 1, this.firstPart.get(i) ?? Infinity)));
    this.drawLine(context, [x(peak_task + 0.5), 0, x(peak_task + 0.5), view.height - margin.bottom], "--text", [2, 4], 1);
    context.restore();
    this.drawLine(context, [margin.left, this.heightOf(arena_bytes), right, this.heightOf(arena_bytes)], "--accent", [], 2);
    this.drawLine(context, [margin.left, this.heightOf(lower_bound_bytes), right, this.heightOf(lower_bound_bytes)], "--bound", [7, 5], 2);
    this.drawAxes(context, view, x, right);
  },

  drawBuffer(context, i, left, right) {
    const b = report.memory.buffers[i];
    const bottom = this.heightOf(b.offset);
    const height = Math.max(0.6, bottom - this.heightOf(b.offset + b.size));
    const inset = b.inside >= 0 ? Math.min(2, height / 5) : 0;
    const width = Math.max(1, right - left - (right - left > 4 ? 1 : 0));
    const rect = [left, bottom - height + inset, width, height - 2 * inset];
    context.fillStyle = cssColour("--card");  // what lies in another buffer hides it
    context.fillRect(...rect);
    context.fillStyle = this.colourOf(b, 0.5);
    context.fillRect(...rect);
    context.lineWidth = i === this.picked ? 3 : 1;
    context.strokeStyle = i === this.picked ? cssColour("--accent") : this.colourOf(b, 0.9);
    if (width > 3 || i === this.picked) context.strokeRect(rect[0] + 0.5, rect[1] + 0.5, width - 1, Math.max(0, rect[3] - 1));
  },

  /// The first name, where there is room for enough of it: up to where the first part of the buffer begins.
  drawName(context, i, left, right) {
    const b = report.memory.buffers[i];
    const from = Math.max(left, this.margin.left) + 5;
    const letters = Math.floor((right - from - 4) / 6.2);
    const top = this.heightOf(b.offset + b.size);
    const bottom = this.heightOf(b.offset);
    if (letters < 8 || bottom - top < 13) return;
    context.fillText(endOf(b.names[0], letters), from, (top + bottom) / 2);
  },

  drawLive(context, x) {
    context.beginPath();
    for (let t = 0; t < report.memory.task_count; ++t) {
      const y = this.heightOf(this.live[t]);
      context.lineTo(x(t), y);
      context.lineTo(x(t + 1), y);
    }
    context.strokeStyle = cssColour("--text");
    context.lineWidth = 1.2;
    context.stroke();
  },

  drawLine(context, [x0, y0, x1, y1], colour, dash, width) {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.strokeStyle = cssColour(colour);
    context.setLineDash(dash);
    context.lineWidth = width;
    context.stroke();
    context.setLineDash([]);
  },

  drawAxes(context, view, x, right) {
    const { margin } = this;
    context.fillStyle = cssColour("--quiet");
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let k = 0; k <= 4; ++k) {
      const offset = (report.memory.arena_bytes * k) / 4;
      context.fillText(bytesText(Math.round(offset)), margin.left - 8, this.heightOf(offset));
    }
    context.textAlign = "center";
    const step = niceStep(80 / view.scale);
    for (let t = Math.max(0, Math.ceil(view.x / step) * step); x(t) < right - 10; t += step)
      if (x(t) >= margin.left) context.fillText(String(t), x(t), view.height - margin.bottom / 2);
    context.textAlign = "left";
    context.fillText("task", 10, view.height - margin.bottom / 2);
  },
};

/// 1, 2 or 5 times a power of ten, at least `least` and 1.
function niceStep(least) {
  let step = 1;
  for (let k = 0; step < least; ++k) step *= k % 3 === 1 ? 2.5 : 2;
  return step;
}
