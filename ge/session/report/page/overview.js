// The Overview tab: the model, the compile's stages and passes.

const overviewTab = {
  start() {
    byId("title").textContent = baseName(report.model);
    byId("subtitle").textContent = `compiled by ge ${report.version}${report.engines.length > 0 ? `, engines ${report.engines.join(", ")} only` : ""}`;
    document.title = `${baseName(report.model)} — compile report`;
    byId("overview").append(this.cards(),
      make("div", { class: "columns" },
        make("div", {}, make("h2", { text: "Inputs" }), this.ports(report.inputs)),
        make("div", {}, make("h2", { text: "Outputs" }), this.ports(report.outputs))),
      make("div", { class: "columns" },
        make("div", {}, make("h2", { text: "Passes" }), this.passes()),
        make("div", {}, make("h2", { text: "Stages" }), this.stages())));
  },

  cards() {
    const { memory, time } = report;
    const card = (value, what, title = "") => make("div", { class: "card", title }, make("b", { text: value }), make("span", { text: what }));
    const out = make("div", { class: "cards" },
      card(`${countText(report.imported_ops)} → ${countText(report.compiled_ops)}`, "nodes before and after the passes"),
      card(bytesText(report.constant_bytes), "constants", `${countText(report.constant_bytes)} bytes`),
      card(report.file_bytes > 0 ? bytesText(report.file_bytes) : "none", "model file", `${countText(report.file_bytes)} bytes`),
      card(timeText(report.stages.reduce((sum, [, ms]) => sum + ms, 0)), "compile"));
    if (!memory.why_none) out.append(card(bytesText(memory.arena_bytes), `arena; lower bound ${bytesText(memory.lower_bound_bytes)}`, `${countText(memory.arena_bytes)} bytes`));
    if (!time.why_none) out.append(card(timeText(time.median_ms), "one run, median"));
    return out;
  },

  ports(list) {
    if (list.length === 0) return make("p", { class: "quiet", text: "none" });
    return table([{ head: "name", kind: "code", of: ([name]) => name }, { head: "type", kind: "code", of: ([, type]) => type }], list);
  },

  passes() {
    if (report.passes.length === 0) return make("p", { class: "quiet", text: "The compile stopped before the passes." });
    const counted = report.passes.some((pass) => pass.matches !== undefined);
    const number = (pass, value) => (pass.disabled ? "–" : countText(value));
    const columns = [
      { head: "pass", kind: "code", of: (pass) => pass.name },
      ...(counted ? [{ head: "matches", kind: "number", of: (pass) => number(pass, pass.matches || 0) }] : []),
      { head: "changes", kind: "number", of: (pass) => number(pass, pass.changes) },
      { head: "runs", kind: "number", of: (pass) => number(pass, pass.runs) },
      { head: "time", kind: "number", of: (pass) => (pass.disabled ? "disabled" : timeText(pass.elapsed_ms)) },
    ];
    return table(columns, report.passes, (line, pass) => pass.disabled && line.classList.add("off"));
  },

  stages() {
    const longest = Math.max(...report.stages.map(([, ms]) => ms), 1e-9);
    return table([
      { head: "stage", of: ([name]) => name },
      { head: "time", kind: "number", of: ([, ms]) => timeText(ms) },
      { head: "", kind: "bar", of: ([, ms]) => ms / longest },
    ], report.stages);
  },
};
