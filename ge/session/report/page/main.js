// Tabs, and what the address asks for behind '#': tab=memory, search=conv, node=NAME, graph=1.

const tabs = { overview: "Overview", graph: "Graph", memory: "Memory", time: "Time" };

function showTab(wanted) {
  const name = tabs[wanted] ? wanted : "overview";
  for (const id of Object.keys(tabs)) byId(id).hidden = id !== name;
  for (const tab of [graphTab, memoryTab]) tab.view?.resize();  // it has a size once it is shown
  for (const button of byId("tabs").children) button.toggleAttribute("aria-current", button.dataset.tab === name);
}

function followAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const inGraph = ["search", "node", "graph"].some((word) => asked.has(word));
  showTab(asked.get("tab") || (inGraph ? "graph" : "overview"));
  if (!inGraph || report.nodes_left_out) return;
  if (asked.has("graph") && report.graphs[Number(asked.get("graph"))]) graphTab.show(Number(asked.get("graph")));
  if (asked.has("search")) search.set(asked.get("search"));
  if (asked.has("node"))
    report.graphs.some((graph, g) => {
      const n = graph.nodes.findIndex((node) => node.name === asked.get("node"));
      if (n >= 0) graphTab.go(g, n);
      return n >= 0;
    });
}

for (const [id, text] of Object.entries(tabs)) {
  const button = make("button", { text, onclick: () => (location.hash = `tab=${id}`) });
  button.dataset.tab = id;
  byId("tabs").append(button);
}
overviewTab.start();
memoryTab.start();
timeTab.start();
if (!report.nodes_left_out) search.start();
graphTab.start();
window.addEventListener("hashchange", followAddress);
followAddress();
document.documentElement.dataset.drawn = "yes";  // for tests: all scripts ran
