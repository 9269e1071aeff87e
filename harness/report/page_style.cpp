#include "harness/report/html.hpp"

namespace splitproof::report {

const char* const kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --dim: #57606a; --line: #d0d7de; --box: #f6f8fa;
  --wrong: #b3261e; --throws: #8a5300; --good: #1a6b35; --link: #0757b8; --wrong-box: #ffebe9; --cut: #ffd33d; --cut-ink: #1b1f24; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --dim: #9aa4af; --line: #30363d;
  --box: #161b22; --wrong: #ff8a80; --throws: #f0b458; --good: #6fd08c; --link: #79b8ff; --wrong-box: #3a1618; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; } p { margin: .4rem 0; } ul, ol { margin: .4rem 0; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; } .dim { color: var(--dim); }
.wrong { color: var(--wrong); } .throws { color: var(--throws); } .good { color: var(--good); } a { color: var(--link); }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: .75rem 0; }
.filter label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; font-size: .875rem; max-width: 100%; }
select, input, button { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line);
  border-radius: .375rem; padding: .35rem .6rem; max-width: 100%; min-height: 2.25rem; }
button { cursor: pointer; } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.cause { border: 1px solid var(--line); border-radius: .5rem; margin: .6rem 0; background: var(--paper); }
.cause > summary { cursor: pointer; padding: .7rem .9rem; list-style-position: outside; margin-left: 1.2rem; }
.cause[open] > summary { border-bottom: 1px solid var(--line); }
.cause > div { padding: .5rem .9rem 1rem; } .rule { font-weight: 650; } .extent { display: block; font-size: .875rem; }
.mark { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; font-size: .8125rem; white-space: nowrap; }
.lanes { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
@media (max-width: 50rem) { .lanes { grid-template-columns: minmax(0, 1fr); } }
.lane { list-style: none; margin: 0; padding: 0; max-height: 32rem; overflow: auto; background: var(--box);
  border: 1px solid var(--line); border-radius: .375rem; }
.lane li { padding: .35rem .6rem; border-bottom: 1px solid var(--line); font-size: .8125rem; } .lane li:last-child { border: 0; }
.lane pre, .command pre { margin: 0; white-space: pre-wrap; }
.lane li.first { background: var(--wrong-box); border-left: 4px solid var(--wrong); }
b.cut { background: var(--cut); color: var(--cut-ink); padding: 0 .15em; }
.command { display: flex; gap: .6rem; align-items: start; background: var(--box); border-radius: .375rem; padding: .5rem; }
.command pre { flex: 1; min-width: 0; }
[hidden] { display: none !important; }
)css";

}  // namespace splitproof::report
