#include "harness/report/html.hpp"

namespace splitproof::report {

const char* const kPageScript = R"js(
"use strict";
const causes = [...document.querySelectorAll(".cause")];
const [target, client, word, count] = ["target", "client", "word", "count"].map(id => document.getElementById(id));
const texts = new Map();
const text = cause => {
  if (!texts.has(cause)) texts.set(cause, cause.textContent.toLowerCase());
  return texts.get(cause);
};
function filter() {
  const words = word.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const cause of causes) {
    const fits = (!target.value || cause.dataset.target === target.value) &&
      (!client.value || JSON.parse(cause.dataset.clients).includes(client.value)) && words.every(one => text(cause).includes(one));
    cause.hidden = !fits;
    if (fits) ++shown;
  }
  count.textContent = shown + " of " + causes.length + " shown";
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
  const done = await copied(button.parentElement.querySelector("code").textContent);
  button.textContent = done ? "Copied" : "Select it";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
  if (!done) getSelection().selectAllChildren(button.parentElement.querySelector("code"));
  button.focus();
});
function open_linked() {
  const cause = causes.find(one => "#" + one.id === location.hash);
  if (!cause) return;
  cause.hidden = false;
  cause.open = true;
  cause.scrollIntoView();
}
if (target) {
  for (const field of [target, client, word]) field.addEventListener("input", filter);
  document.querySelector(".filter").hidden = false;
  document.querySelector(".filter").addEventListener("submit", event => event.preventDefault());
  filter();
}
for (const button of document.querySelectorAll("button.copy")) button.hidden = false;
// In a cause that is opened, the lanes begin where it goes wrong.
for (const cause of causes) cause.addEventListener("toggle", () => {
  for (const lane of cause.open ? cause.querySelectorAll(".lane") : []) {
    const first = lane.querySelector(".first, b.cut");
    if (first) lane.scrollTop += first.getBoundingClientRect().top - lane.getBoundingClientRect().top - 60;
  }
});
addEventListener("hashchange", open_linked);
open_linked();
)js";

}  // namespace splitproof::report
