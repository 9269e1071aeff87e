"use strict";
// All data is shown as text: nothing that a stream or a report contains becomes markup.
const by_id = id => document.getElementById(id);
function element(tag, text, properties = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, properties);
}
async function ask(path, values = {}, options = {}) {
  const answer = await fetch(path + "?" + new URLSearchParams(values), options);
  const value = await answer.json();
  if (value.error) throw new Error(value.error);
  return value;
}
// Characters that are invisible or turn the direction of text become escapes.
const shown = text => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
  one => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0"));

// Judging a stream. The bytes are kept, because a text field changes line ends.
let bytes = null;
let latest = 0;
function keep(content, name) {
  bytes = content;
  by_id("stream").value = name ? "" : by_id("stream").value;
  by_id("stream").placeholder = name ? shown(name) + ", " + content.size + " bytes" : "";
}
async function judge() {
  const content = bytes ?? new Blob([by_id("stream").value]);
  const own = ++latest;
  if (!content.size) return say("Paste or drop a stream first.");
  say("Judging ...");
  try {
    const judged = await ask("/check", {profile: by_id("profile").value, as: by_id("as").value}, {method: "POST", body: content});
    if (own === latest) show_judged(judged);
  } catch (error) {
    if (own === latest) say(error.message);
  }
}
function say(text) {
  by_id("said").textContent = shown(text);
  by_id("judged").hidden = true;
}
function show_judged(judged) {
  say(judged.said.trim().replace(/^splitproof: (-: )?/gm, ""));
  by_id("judged").hidden = judged.events.length === 0 && judged.findings.length === 0;
  by_id("findings").replaceChildren(...judged.findings.map(finding_item));
  if (!judged.findings.length) by_id("findings").append(element("li", "No finding."));
  by_id("events").replaceChildren(...judged.events.map((event, index) => event_item(event, index, judged.findings)),
    ...judged.findings.filter(one => one.event === null).map(one => here_item(one)));
}
function finding_item(finding) {
  const item = element("li", undefined, {className: finding.level === "must" ? "" : "advice"});
  const head = element("p");
  head.append(element("code", shown(finding.obligation)), " " + finding.level + " ");
  if (finding.response) head.append(shown(finding.response) + " ");
  if (finding.event !== null) {
    const go = element("button", "event " + finding.event, {type: "button"});
    go.addEventListener("click", () => by_id("event-" + finding.event)?.scrollIntoView({block: "center"}));
    head.append(go);
  }
  const explain = element("button", "Explain", {type: "button"});
  explain.addEventListener("click", () => explain_rule(item, finding.obligation));
  head.append(explain);
  item.append(head, element("p", shown(finding.message)));
  return item;
}
async function explain_rule(item, id) {
  const open = item.querySelector("pre");
  if (open) return open.remove();
  try {
    item.append(element("pre", (await ask("/explain", {id})).text));
  } catch (error) {
    item.append(element("pre", error.message));
  }
}
function here_item(finding) {
  const item = element("li", undefined, {className: "first"});
  item.append(element("strong", "here: " + shown(finding.message)));
  return item;
}
function event_item(event, index, findings) {
  const own = findings.filter(one => one.event === index && !one.response);
  const item = element("li", undefined, {id: "event-" + index, className: own.length ? "first" : ""});
  for (const one of own) item.append(element("strong", "here: " + shown(one.message)));
  item.append(element("small", index + " " + shown(event.event) + ", bytes " + event.bytes.join(" to ")));
  const data = element("pre");
  data.append(own.length ? element("mark", shown(event.data)) : shown(event.data));
  item.append(data);
  return item;
}

// Reports of the folder.
async function list_reports() {
  const reports = await ask("/reports");
  by_id("none").hidden = reports.length > 0;
  by_id("reports").closest(".table").hidden = reports.length === 0;
  by_id("reports").replaceChildren(...reports.map(one => report_row(one, reports)));
}
function report_row(report, reports) {
  const row = element("tr");
  const word = report.grows ? "running" : report.verdict || "interrupted";
  const name = element("th", shown(report.name), {scope: "row"});
  const cells = [report.targets.map(shown).join(", "), word.toLowerCase(), report.verdict ? report.cases : "", report.verdict ? report.findings : "",
    new Date(report.written * 1000).toISOString().replace("T", " ").slice(0, 16)];
  row.append(name, ...cells.map(text => element("td", text)));
  row.children[2].className = word === "CONFORMS" ? "good" : word === "VIOLATES" ? "wrong" : "dim";
  const open = element("td");
  if (report.grows) {
    const button = element("button", "Watch", {type: "button"});
    button.addEventListener("click", () => watch(report.name));
    open.append(button);
  } else {
    const link = element("a", "Open", {href: "/report?" + new URLSearchParams({name: report.name})});
    const since = element("select", undefined, {ariaLabel: "Compare " + report.name + " with an earlier report"});
    since.append(element("option", "alone", {value: ""}), ...reports.filter(one => !one.grows && one.name !== report.name)
      .map(one => element("option", "since " + shown(one.name), {value: one.name})));
    since.addEventListener("input", () => {
      link.href = "/report?" + new URLSearchParams(since.value ? {name: report.name, since: since.value} : {name: report.name});
    });
    open.append(link, " ", since);
  }
  row.append(open);
  return row;
}

// Watching a run: reads the lines that its part of a report has gained.
let watched = null;
async function watch(name) {
  const own = watched = {name, next: 0, rows: 0, results: new Set(), rules: new Map()};
  by_id("watch").hidden = false;
  by_id("watched").textContent = shown(name);
  by_id("growing").replaceChildren();
  by_id("watch").scrollIntoView();
  while (watched === own) {
    try {
      const part = await ask("/grown", {name, from: own.next});
      if (watched !== own) return;
      take_part(own, part);
      if (part.ended) break;
      if (part.rows) continue;
    } catch (error) {
      by_id("progress").textContent = shown(error.message);
      break;
    }
    await new Promise(done => setTimeout(done, 700));
  }
  await list_reports();
}
function take_part(run, part) {
  run.next = part.next;
  run.rows += part.rows;
  for (const one of part.results) run.results.add(one);
  for (const finding of part.findings) {
    const key = finding.target + "\n" + finding.rule;
    if (!run.rules.has(key)) {
      const item = element("li", undefined, {className: finding.level === "must" ? "" : "advice"});
      item.append(element("code", shown(finding.rule)), " " + finding.level + " on " + shown(finding.target) + ", ", element("b"),
        element("p", shown(finding.recording) + ": " + shown(finding.message)));
      run.rules.set(key, {item, recordings: new Set()});
      by_id("growing").append(item);
    }
    const rule = run.rules.get(key);
    rule.recordings.add(finding.recording);
    rule.item.querySelector("b").textContent = rule.recordings.size + (rule.recordings.size === 1 ? " recording" : " recordings");
  }
  by_id("progress").textContent = (part.ended ? "The run has ended: " : "") + run.results.size + " recordings, " + run.rows +
    " verdicts, " + run.rules.size + " violated rules" + (part.ended ? ". Open its report above." : " so far");
}

async function start() {
  const choices = await ask("/options");
  by_id("profile").append(...choices.profiles.map(name => element("option", name, {value: name})));
  by_id("profile").value = "default";
  by_id("as").append(...choices.protocols.map(name => element("option", name, {value: name})));
  await list_reports();
  setInterval(() => { if (!document.hidden) list_reports_if_idle(); }, 5000);
}
function list_reports_if_idle() {
  if (!by_id("reports").contains(document.activeElement)) list_reports().catch(() => {});
}

by_id("judge").addEventListener("click", judge);
by_id("stream").addEventListener("input", () => keep(null));
by_id("stream").addEventListener("paste", event => {
  const was_empty = !by_id("stream").value;
  const text = event.clipboardData.getData("text");
  setTimeout(() => {
    if (was_empty) keep(new Blob([text]));
    judge();
  });
});
for (const name of ["profile", "as"]) by_id(name).addEventListener("input", () => { if (bytes || by_id("stream").value) judge(); });
by_id("file").addEventListener("change", event => take_file(event.target.files[0]));
function take_file(file) {
  if (!file) return;
  keep(file, file.name);
  judge();
}
const drop = by_id("drop");
addEventListener("dragover", event => {
  event.preventDefault();
  drop.classList.add("over");
});
addEventListener("dragleave", () => drop.classList.remove("over"));
addEventListener("drop", event => {
  event.preventDefault();
  drop.classList.remove("over");
  const file = event.dataTransfer.files[0];
  const text = event.dataTransfer.getData("text");
  if (file) return take_file(file);
  if (!text) return;
  by_id("stream").value = text;
  keep(new Blob([text]));
  judge();
});
start().catch(error => say(error.message));
