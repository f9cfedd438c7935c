"use strict";
// What all parts share: errors made visible, elements, numbers as text, colours.

function showError(text) {
  const box = document.getElementById("error");
  box.textContent = `This page failed to draw itself: ${text}`;
  box.hidden = false;
}
window.addEventListener("error", (event) => showError(`${event.message} (line ${event.lineno})`));
window.addEventListener("unhandledrejection", (event) => showError(String(event.reason)));

const report = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/// An element. Properties are set as they are ("text" is its text, "class" its class); children are elements or texts.
/// Texts of the model reach the page only through here, as text, never as markup.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/// A table. Columns: {head, kind: "number", "code", "bar" or none, of: row => text, element, or share from 0 to 1 (bar)}.
function table(columns, rows, decorate = () => {}) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { text: c.head, class: c.kind || "" })));
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    for (const column of columns) {
      const value = column.of(row);
      const cell = make("td", { class: column.kind || "" });
      if (column.kind === "bar") {
        const bar = make("div");
        bar.style.width = `${Math.max(0.5, 100 * value)}%`;
        cell.append(bar);
      } else cell.append(value);
      line.append(cell);
    }
    decorate(line, row);
    body.append(line);
  }
  return make("div", { class: "table" }, make("table", {}, make("thead", {}, head), body));
}

/// A paragraph that stands in place of a part; options of programs in it stay on one line where they can.
function message(text) {
  return make("p", { class: "message" }, ...text.split(/(--\S+)/).map((word) => (word.startsWith("--") ? make("code", { text: word }) : word)));
}

const countText = (n) => n.toLocaleString("en");
const plural = (n, word) => `${countText(n)} ${word}${n === 1 ? "" : "s"}`;
const percentText = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

function bytesText(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    ++unit;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${units[unit]}`;
}

function timeText(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 1) return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
  return `${(ms * 1000).toFixed(ms < 0.01 ? 2 : 1)} µs`;
}

/// Keeps the end, which tells names of one model apart.
const endOf = (text, length) => (text.length <= length ? text : `…${text.slice(text.length - length + 1)}`);
const startOf = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);
const baseName = (path) => path.split(/[/\\]/).pop();

const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// The same colour for the same word in all parts of the page.
function hueOf(word) {
  let hash = 2166136261;
  for (let i = 0; i < word.length; ++i) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619);
  return ((hash >>> 0) * 137.508) % 360;
}
const wordColour = (word, alpha = 1) => `hsl(${hueOf(word)} 58% ${darkQuery.matches ? 58 : 50}% / ${alpha})`;

function showTip(text, event) {
  const tip = byId("tip");
  tip.hidden = text === "";
  if (tip.hidden) return;
  tip.textContent = text;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const y = event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18;
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${Math.max(4, y)}px`;
}
