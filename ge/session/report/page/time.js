// The Time tab: kernels by time. Also tells the graph how long each node took.

const nodeTimes = {
  total: 0,    // ms of all ops in all runs
  slowest: 0,  // ms of one node in all runs
  byName: new Map(),
  of(name) {
    return this.byName.get(name);
  },
};
for (const row of report.time.by_op || []) nodeTimes.total += row.total_ms;
for (const row of report.time.by_node || []) {
  if (row.name === "") continue;
  const known = nodeTimes.byName.get(row.name);
  const both = known ? { ...known, total_ms: known.total_ms + row.total_ms } : row;
  nodeTimes.byName.set(row.name, both);
  nodeTimes.slowest = Math.max(nodeTimes.slowest, both.total_ms);
}

const timeTab = {
  start() {
    const { time } = report;
    const part = byId("time");
    if (time.why_none) {
      part.append(message(time.why_none));
      return;
    }
    part.append(
      make("p", { text: `${plural(time.runs, "run")} on random inputs, ${timeText(time.median_ms)} at the median. Kernels took ${timeText(nodeTimes.total / time.runs)} of each run on average.` }),
      make("p", { class: "quiet", text: `For ${report.shapes || "a model without inputs"}. ${time.note}` }),
      make("h2", { text: "By op" }), this.byOp(), make("h2", { text: "By node" }), this.byNode());
  },

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
    const rows = report.time.by_op;
    return table([
      { head: "op", kind: "code", of: (row) => row.op },
      { head: "kernel", of: (row) => row.kernel },
      { head: "nodes", kind: "number", of: (row) => countText(row.nodes) },
      ...this.columns(rows[0]?.total_ms || 1),
    ], rows);
  },

  byNode() {
    const most = 300;
    const { by_node } = report.time;
    const columns = [
      { head: "node", kind: "code", of: (row) => row.name || row.op },
      { head: "op", kind: "code", of: (row) => row.op },
      { head: "kernel", of: (row) => row.kernel },
      ...this.columns(by_node[0]?.total_ms || 1),
    ];
    const all = table(columns, by_node.slice(0, most), (line, row) => {
      if (row.name === "" || report.nodes_left_out) return;
      line.className = "click";
      line.onclick = () => (location.hash = new URLSearchParams({ node: row.name }).toString());
    });
    if (by_node.length > most) all.append(make("p", { class: "quiet", text: `The slowest ${most} of ${countText(by_node.length)} are listed.` }));
    return all;
  },
};
