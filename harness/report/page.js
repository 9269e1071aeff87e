"use strict";
const all = (css, within = document) => [...within.querySelectorAll(css)];
const by_id = id => document.getElementById(id);
const bugs = all(".bug");
const fields = {word: by_id("word"), kind: by_id("kind"), client: by_id("client"), target: by_id("target"), new: by_id("new")};
const chosen = name => !fields[name] ? "" : fields[name].type === "checkbox" ? (fields[name].checked ? "1" : "") : fields[name].value;

// Each filter by its name: true if a bug fits the value.
const texts = new Map();
const text_of = bug => {
  if (!texts.has(bug)) texts.set(bug, bug.textContent.toLowerCase());
  return texts.get(bug);
};
const clients_of = new Map(bugs.map(bug => [bug, JSON.parse(bug.dataset.clients)]));
const fits = {
  word: (bug, value) => value.toLowerCase().split(/\s+/).filter(Boolean).every(one => text_of(bug).includes(one)),
  kind: (bug, value) => bug.dataset.kind === value,
  client: (bug, value) => clients_of.get(bug).includes(value),
  target: (bug, value) => bug.dataset.target === value,
  new: bug => "new" in bug.dataset,
};
const fits_all = (bug, except) => Object.keys(fits).every(name => name === except || !chosen(name) || fits[name](bug, chosen(name)));

// Shows the bugs that fit. The number after each choice counts the bugs that it would show.
function filter() {
  let shown = 0;
  for (const bug of bugs) {
    bug.hidden = !fits_all(bug);
    if (!bug.hidden) ++shown;
  }
  by_id("count").textContent = shown + " of " + bugs.length + " shown";
  const counted = (name, value) => bugs.filter(bug => fits_all(bug, name) && (!value || fits[name](bug, value))).length;
  for (const name of ["kind", "client", "target"])
    for (const option of fields[name].options) {
      option.dataset.name ??= option.textContent;
      option.textContent = option.dataset.name + " (" + counted(name, option.value) + ")";
    }
  if (fields.new) by_id("news").textContent = "(" + counted("new", "1") + ")";
  for (const tile of all(".tile")) {
    tile.setAttribute("aria-pressed", tile.dataset.kind === chosen("kind"));
    tile.querySelector("b").textContent = counted("kind", tile.dataset.kind);
  }
  label_expand();
}

// A filter is part of the address, so that a link to it can be shared.
function keep_filter() {
  const words = new URLSearchParams();
  for (const name of Object.keys(fields)) if (chosen(name)) words.set(name, chosen(name));
  history.replaceState(null, "", words.size ? "#?" + words : location.pathname + location.search);
}
function set_filter(values) {
  for (const [name, field] of Object.entries(fields)) {
    if (!field) continue;
    if (field.type === "checkbox") field.checked = Boolean(values[name]);
    else field.value = values[name] || "";
  }
  filter();
}
function changed() {
  filter();
  keep_filter();
}

const expand = by_id("expand");
const visible_bugs = () => bugs.filter(bug => !bug.hidden);
function label_expand() {
  const shown = visible_bugs();
  expand.textContent = shown.length && shown.every(bug => bug.open) ? "Collapse all" : "Expand all";
}
function toggle_all() {
  const open = expand.textContent === "Expand all";
  for (const bug of visible_bugs()) bug.open = open;
  label_expand();
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
document.addEventListener("click", async event => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const code = button.parentElement.querySelector("code");
  const name = button.dataset.name ??= button.textContent;
  const done = await copied(button.dataset.link ? location.href.split("#")[0] + "#" + button.dataset.link : code.textContent);
  button.textContent = done ? "Copied" : "Select it";
  setTimeout(() => { button.textContent = name; }, 2000);
  if (!done && code) getSelection().selectAllChildren(code);
  button.focus();
});

// Opens the bug or rule that the address names, or sets its filter.
function follow_address() {
  const name = decodeURIComponent(location.hash.slice(1));
  if (name.startsWith("?")) return fields.word ? set_filter(Object.fromEntries(new URLSearchParams(name.slice(1)))) : undefined;
  const place = name && by_id(name);
  if (!place) return;
  place.hidden = false;
  for (let one = place; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  place.scrollIntoView();
}

// Underlines the part in which the expected and the actual value differ.
function mark_difference(pair) {
  const [a, b] = all("pre", pair);
  const [one, other] = [a.textContent, b.textContent];
  let begin = 0, end = 0;
  const most = Math.min(one.length, other.length);
  while (begin < most && one[begin] === other[begin]) ++begin;
  while (end < most - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) ++end;
  if (begin + end < 3) return;
  for (const [pre, text] of [[a, one], [b, other]]) {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(begin, text.length - end);
    pre.replaceChildren(text.slice(0, begin), mark, text.slice(text.length - end));
  }
}

function step(by) {
  const shown = visible_bugs();
  const at = shown.findIndex(bug => bug.contains(document.activeElement));
  const next = shown[Math.max(0, Math.min(shown.length - 1, at < 0 ? 0 : at + by))];
  if (next) next.querySelector("summary").focus();
}
const keys = {"/": () => fields.word.focus(), j: () => step(1), k: () => step(-1), e: toggle_all};
document.addEventListener("keydown", event => {
  if (!fields.word || event.ctrlKey || event.altKey || event.metaKey) return;
  const in_field = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && in_field) return event.target.blur();
  if (in_field || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

if (fields.word) {
  const form = document.querySelector(".filter");
  form.hidden = false;
  const help = document.createElement("p");
  help.className = "keys";
  help.textContent = "Keys: / searches, j and k go to the next and the previous bug, e opens or closes all.";
  form.after(help);
  form.addEventListener("input", changed);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  expand.addEventListener("click", toggle_all);
  for (const tile of all(".tile")) tile.addEventListener("click", () => {
    fields.kind.value = chosen("kind") === tile.dataset.kind ? "" : tile.dataset.kind;
    changed();
  });
  for (const button of all(".state button")) button.addEventListener("click", () => {
    set_filter({client: button.dataset.client, target: fields.target.options.length > 2 ? button.dataset.target : ""});
    keep_filter();
    by_id("bugs").scrollIntoView();
    by_id("client").focus({preventScroll: true});
  });
  filter();
}
for (const button of all("button.copy")) button.hidden = false;
for (const pair of all(".pair")) mark_difference(pair);
for (const bug of bugs) bug.addEventListener("toggle", label_expand);
for (const bug of bugs) bug.querySelector("summary").addEventListener("click", () => {
  if (!bug.open) history.replaceState(null, "", "#" + bug.id);
});
// An opened stream begins at the place that is wrong.
for (const fold of all(".wires")) fold.addEventListener("toggle", () => {
  for (const lane of fold.open ? all(".lane", fold) : []) {
    const first = lane.querySelector(".first, b");
    if (first) lane.scrollTop += first.getBoundingClientRect().top - lane.getBoundingClientRect().top - 60;
  }
});
addEventListener("hashchange", follow_address);
follow_address();
