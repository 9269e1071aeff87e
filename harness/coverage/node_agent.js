// Loaded by Node before the target's program. Reports which lines of the target's own files ran, over a Unix socket.
'use strict';
if (process.env.SPLITPROOF_COVERAGE) {
  const fs = require('node:fs');
  const net = require('node:net');
  const path = require('node:path');
  const url = require('node:url');

  const socketPath = process.env.SPLITPROOF_COVERAGE;
  const folder = real(process.env.SPLITPROOF_COVERAGE_DIR || process.cwd());
  const chosen = JSON.parse(process.env.SPLITPROOF_COVERAGE_FILES || '[]').map(
      (name) => real(path.resolve(folder, name)));
  const managers = new Set(['npm', 'npx', 'yarn', 'pnpm', 'pnpx', 'corepack']);
  const packages = path.sep + 'node_modules' + path.sep;
  const files = new Map();  // path -> {name, starts, isCode, told}; null: not the target's own
  let mainRoot;

  function real(name) {
    try {
      return fs.realpathSync(name);
    } catch {
      return path.resolve(name);
    }
  }

  function inside(file, root) {
    return file === root || file.startsWith(root + path.sep);
  }

  // The package of the program that Node runs, or '' for a package manager that only starts it.
  function rootOfMain() {
    if (!process.argv[1]) return '';
    const main = real(process.argv[1]);
    if (inside(main, folder) && !main.slice(folder.length).includes(packages)) return folder;
    const at = main.lastIndexOf(packages);
    if (at < 0) return path.dirname(main);
    const from = at + packages.length;
    const [first, second] = main.slice(from).split(path.sep);
    if (managers.has(first)) return '';
    return main.slice(0, from) + (first.startsWith('@') ? path.join(first, second) : first);
  }

  // The name of a file for reports, or '' if it is not the target's own.
  function nameOf(file) {
    const own = (root) => root !== '' && inside(file, root) && !file.slice(root.length).includes(packages);
    if (chosen.length > 0) return chosen.some((root) => inside(file, root)) ? path.relative(folder, file) : '';
    mainRoot ??= rootOfMain();
    const root = [mainRoot, folder].find(own);
    return root === undefined ? '' : path.relative(root, file);
  }

  // True if the text has more than brackets and words that only lead to a block.
  function hasCode(text) {
    return /[^\s{}();,\]\[]/.test(text.replace(/\b(else|try|finally|do)\b/g, ''));
  }

  function open(address) {
    let file;
    try {
      file = real(url.fileURLToPath(address));
    } catch {
      return null;
    }
    const name = nameOf(file);
    if (name === '') return null;
    let text;
    try {
      text = fs.readFileSync(file, 'utf8');
    } catch {
      return null;
    }
    if (text.charCodeAt(0) === 0xFEFF) text = text.slice(1);
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    starts.push(text.length + 1);
    const isCode = [false];
    let comment = false;
    for (let line = 1; line < starts.length; ++line) {
      const words = text.slice(starts[line - 1], starts[line] - 1).trim();
      const begins = words.startsWith('/*');
      isCode.push(!comment && !begins && !words.startsWith('//') && hasCode(words));
      if (begins || comment) comment = !words.includes('*/');
    }
    return {name, text, starts, isCode, told: false};
  }

  function lineAt(starts, offset) {
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  // Adds the lines that have code between two offsets.
  function addLines(file, from, to, lines) {
    const last = lineAt(file.starts, to - 1);
    for (let line = lineAt(file.starts, from); line <= last; ++line) {
      if (!file.isCode[line] || lines.has(line)) continue;
      const begin = Math.max(from, file.starts[line - 1]);
      const end = Math.min(to, file.starts[line] - 1);
      if (hasCode(file.text.slice(begin, end))) lines.add(line);
    }
  }

  // The count of the innermost range decides for each byte.
  function reached(file, functions) {
    const ranges = functions.flatMap((one) => one.ranges)
                       .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
    const lines = new Set();
    const around = [];
    let at = 0;
    const upTo = (offset) => {
      if (around.length > 0 && around[around.length - 1].count > 0 && at < offset) addLines(file, at, offset, lines);
      at = Math.max(at, offset);
    };
    const leaveUntil = (offset) => {
      while (around.length > 0 && around[around.length - 1].endOffset <= offset) {
        upTo(around[around.length - 1].endOffset);
        around.pop();
      }
    };
    for (const range of ranges) {
      leaveUntil(range.startOffset);
      upTo(range.startOffset);
      around.push(range);
    }
    leaveUntil(Infinity);
    return [...lines].sort((a, b) => a - b);
  }

  // A Node without an inspector ends here, with its reason.
  const session = new (require('node:inspector').Session)();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});

  function answer(socket) {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) {
        socket.write(JSON.stringify({error: String(error.message)}) + '\n');
        return;
      }
      const told = [];
      for (const script of taken.result) {
        if (!script.url.startsWith('file:')) continue;
        if (!files.has(script.url)) files.set(script.url, open(script.url));
        const file = files.get(script.url);
        if (file === null) continue;
        const one = {name: file.name, reached: reached(file, script.functions)};
        if (!file.told) one.known = file.isCode.flatMap((isCode, line) => isCode ? [line] : []);
        file.told = true;
        told.push(one);
      }
      socket.write(JSON.stringify({files: told}) + '\n');
    });
  }

  const socket = net.connect(socketPath);
  socket.unref();
  socket.on('error', () => {});
  // What the program does after its answer takes a few turns of the event loop.
  socket.on('data', (asked) => {
    for (const letter of asked.toString()) {
      if (letter === '\n') setImmediate(() => setImmediate(() => answer(socket)));
    }
  });
}
