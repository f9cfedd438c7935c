// Layered drawing of a directed acyclic graph (Sugiyama, Tagawa, Toda 1981):
//  1. rank: the longest path from a source; sources move down next to their first reader;
//  2. an edge over several ranks goes through a bend on each rank between, one chain of bends per node;
//  3. order within a rank by the mean position of neighbours, swept down and up a few times;
//  4. x as near to the neighbours' mean as the order and the widths allow (isotonic regression), swept likewise.

const box = { width: 210, height: 62, gapX: 26, gapY: 46, bend: 18 };
const mostBends = 40000;

/// nodes: [{inputs: [[node, output], …], after}] in topological order. Gives {x, y (centres by node), edges, ranks}.
function layoutGraph(nodes) {
  const edges = collectEdges(nodes);
  const rank = rankNodes(nodes.length, edges);
  const items = nodes.map((_, i) => ({ rank: rank[i], width: box.width + box.gapX, up: [], down: [], x: 0 }));
  routeEdges(edges, rank, items);

  const ranks = [];
  items.forEach((item, i) => (ranks[item.rank] ||= []).push(i));
  for (let r = 0; r < ranks.length; ++r) ranks[r] ||= [];
  for (let sweep = 0; sweep < 8; ++sweep) orderRanks(ranks, items, sweep % 2 === 0);
  for (const row of ranks) place(row, items, row.map((i) => items[i].x));
  for (let sweep = 0; sweep < 14; ++sweep) alignRanks(ranks, items, sweep % 2 === 0);

  let left = Infinity;
  let right = -Infinity;
  for (const item of items) {
    left = Math.min(left, item.x - item.width / 2);
    right = Math.max(right, item.x + item.width / 2);
  }
  const pitch = box.height + box.gapY;
  const x = items.map((item) => item.x - left);
  const y = items.map((item) => item.rank * pitch + box.height / 2);
  const count = nodes.length;
  return { x, y, edges, rows: ranks.map((row) => row.filter((i) => i < count)), pitch, width: right - left, height: ranks.length * pitch - box.gapY };
}

function collectEdges(nodes) {
  const edges = [];
  nodes.forEach((node, to) => {
    const seen = new Set();
    const add = (from, control) => {
      if (seen.has(from)) return;
      seen.add(from);
      edges.push({ from, to, control, bends: [] });
    };
    for (const input of node.inputs) if (input.length > 0 && input[0] >= 0) add(input[0], false);
    for (const from of node.after || []) add(from, true);
  });
  return edges;
}

function rankNodes(count, edges) {
  const rank = new Array(count).fill(0);
  const first = new Array(count).fill(Infinity);  // the rank of the first reader
  const isSource = new Array(count).fill(true);
  for (const { from, to } of edges) {  // by reader, readers in topological order
    rank[to] = Math.max(rank[to], rank[from] + 1);
    isSource[to] = false;
  }
  for (const { from, to } of edges) first[from] = Math.min(first[from], rank[to]);
  for (let i = 0; i < count; ++i) if (isSource[i] && first[i] < Infinity) rank[i] = first[i] - 1;
  return rank;
}

function routeEdges(edges, rank, items) {
  const last = new Map();
  for (const { from, to } of edges) last.set(from, Math.max(last.get(from) || 0, rank[to]));
  const chains = new Map();
  let bends = 0;
  const link = (a, b) => {
    items[a].down.push(b);
    items[b].up.push(a);
  };
  for (const edge of edges) {
    const { from, to } = edge;
    let chain = chains.get(from);
    if (!chain) {
      chain = [];
      const length = last.get(from) - rank[from] - 1;
      if (bends + length <= mostBends) {
        for (let k = 0; k < length; ++k) {
          items.push({ rank: rank[from] + 1 + k, width: box.bend, up: [], down: [], x: 0, bend: true });
          chain.push(items.length - 1);
          link(k === 0 ? from : chain[k - 1], chain[k]);
        }
        bends += length;
      }
      chains.set(from, chain);
    }
    edge.bends = chain.slice(0, Math.max(0, rank[to] - rank[from] - 1));
    link(edge.bends.length > 0 ? edge.bends[edge.bends.length - 1] : from, to);
  }
}

function orderRanks(ranks, items, down) {
  for (let k = 1; k < ranks.length; ++k) {
    const row = ranks[down ? k : ranks.length - 1 - k];
    const fixed = ranks[down ? k - 1 : ranks.length - k];
    fixed.forEach((i, at) => (items[i].x = at));
    const wish = new Map();
    row.forEach((i, at) => {
      const near = down ? items[i].up : items[i].down;
      wish.set(i, near.length > 0 ? near.reduce((sum, n) => sum + items[n].x, 0) / near.length : (at * fixed.length) / row.length);
    });
    row.sort((a, b) => wish.get(a) - wish.get(b));
    row.forEach((i, at) => (items[i].x = at));
  }
}

function alignRanks(ranks, items, down) {
  for (let k = 1; k < ranks.length; ++k) {
    const row = ranks[down ? k : ranks.length - 1 - k];
    const wishes = row.map((i) => {
      const item = items[i];
      const near = down ? item.up : item.down;
      if (near.length === 0) return item.x;
      const straight = item.bend ? near.filter((n) => items[n].bend) : [];
      const from = straight.length > 0 ? straight : near;
      return from.reduce((sum, n) => sum + items[n].x, 0) / from.length;
    });
    place(row, items, wishes);
  }
}

/// Sets x of a row's items as near to `wishes` as their order and widths allow: least squares under x[i+1] - x[i] >= the
/// half widths, solved by pooling neighbours that would overlap (pool adjacent violators).
function place(row, items, wishes) {
  const blocks = [];  // {sum, count, mean} of wishes less the room that stands before each item
  let room = 0;
  const rooms = row.map((i, k) => {
    if (k > 0) room += (items[row[k - 1]].width + items[i].width) / 2;
    return room;
  });
  row.forEach((_, k) => {
    let block = { sum: wishes[k] - rooms[k], count: 1 };
    while (blocks.length > 0 && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].count >= block.sum / block.count) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  });
  let k = 0;
  for (const block of blocks) for (let j = 0; j < block.count; ++j, ++k) items[row[k]].x = block.sum / block.count + rooms[k];
}
