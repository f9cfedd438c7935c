// The Time tab: kernels by time. Also tells the graph how long each node took.

const nodeTimes = {
  total: 0,    // ms of all ops in all runs
  slowest: 0,  // ms of one node in all runs
  byName: new Map(),
  of(name) {
    return this.byName.get(name);
  },
};
for (const row of report.time.ops || []) {
  nodeTimes.total += row.total_ms;
  if (row.op < 0) continue;
  const name = report.ops[row.op][0];
  const known = nodeTimes.byName.get(name);
  nodeTimes.byName.set(name, known ? { ...known, total_ms: known.total_ms + row.total_ms } : row);
  nodeTimes.slowest = Math.max(nodeTimes.slowest, nodeTimes.byName.get(name).total_ms);
}

const timeTab = {
  start() {
    const { time } = report;
    const part = byId("time");
    if (time.why_none) {
      part.append(make("p", { class: "message", text: time.why_none }));
      return;
    }
    part.append(
      make("p", { text: `${plural(time.runs, "run")} on random inputs, ${timeText(time.median_ms)} at the median. Kernels took ${timeText(nodeTimes.total / time.runs)} of each run on average.` }),
      make("p", { class: "quiet", text: `For ${report.shapes || "a model without inputs"}. ${time.note}` }),
      make("h2", { text: "By op" }), this.byOp(), make("h2", { text: "By node" }), this.byNode());
  },

  opOf: (row) => (row.op < 0 ? "copy of an output" : report.ops[row.op][1]),
  nameOf: (row) => (row.op < 0 ? "" : report.ops[row.op][0]),

  columns(biggest) {
    const { runs } = report.time;
    return [
      { head: "per run", kind: "number", of: (row) => timeText(row.total_ms / runs) },
      { head: "share", kind: "number", of: (row) => percentText(row.total_ms / nodeTimes.total) },
      { head: "", kind: "bar", of: (row) => row.total_ms / biggest },
      { head: "tasks per run", kind: "number", of: (row) => countText(Math.round((10 * row.tasks) / runs) / 10) },
    ];
  },

  byOp() {
    const groups = new Map();
    for (const row of report.time.ops) {
      const key = `${this.opOf(row)}\n${row.kernel}`;
      const group = groups.get(key) || { op: this.opOf(row), kernel: row.kernel, nodes: 0, tasks: 0, total_ms: 0 };
      group.nodes += 1;
      group.tasks += row.tasks;
      group.total_ms += row.total_ms;
      groups.set(key, group);
    }
    const rows = [...groups.values()].sort((a, b) => b.total_ms - a.total_ms);
    const columns = [
      { head: "op", kind: "code", of: (row) => row.op },
      { head: "kernel", of: (row) => row.kernel },
      { head: "nodes", kind: "number", of: (row) => countText(row.nodes) },
      ...this.columns(rows[0]?.total_ms || 1),
    ];
    return table(columns, rows);
  },

  byNode() {
    const most = 300;
    const rows = report.time.ops.slice(0, most);
    const columns = [
      { head: "node", kind: "code", of: (row) => this.nameOf(row) || this.opOf(row) },
      { head: "op", kind: "code", of: (row) => this.opOf(row) },
      { head: "kernel", of: (row) => row.kernel },
      ...this.columns(rows[0]?.total_ms || 1),
    ];
    const all = table(columns, rows, (line, row) => {
      if (row.op < 0 || report.nodes_left_out) return;
      line.className = "click";
      line.onclick = () => (location.hash = new URLSearchParams({ node: this.nameOf(row) }).toString());
    });
    if (report.time.ops.length > most) all.append(make("p", { class: "quiet", text: `The slowest ${most} of ${countText(report.time.ops.length)} are listed.` }));
    return all;
  },
};
