#!/usr/bin/env python3
"""Pastes tests of smallest cases into small translators: each fails with the bug, and passes without it.

usage: pasted.py SPLITPROOF FRAMEWORK     (vitest, pytest or go; TAP)

VITEST is a folder with vitest in node_modules; without it node's own test runner replaces vitest. A machine without
node, or without go, skips. pytest runs the file if it is installed, and otherwise unittest does, which the file
supports.
"""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = {  # bug of the translator: a case and a target that show it, and the rule
    "decodes-each-chunk": ("openai.chat/text-multibyte?client=anthropic.messages&gen=bytes", "per-chunk-utf8", "ANT-20"),
    "starts-again": ("openai.chat/tool-name-every-chunk", "start-per-name", "ANT-05"),
    "needs-the-name": ("openai.chat/tool-id-late-alone", "gate-in-function-block", "TOOL-04"),
}
# Code that no person would write: constant conditions, placeholders, empty statements, unused names.
LEFT_OVER = re.compile(r"\b(?:if|while)\b\W*(?:true|false)\b|\b(?:true|false)\s*&&|@[A-Z_]+@|^\s*;\s*$|[ \t]+$", re.I | re.M)
BY_WHAT_IT_FOUND = "AssertionError|--- FAIL: TestSmallest.*\\n.*(said|block|message|the event)"
FILL_IN = re.compile(r"((?://|#) FILL IN: [^\n]*\n(?:(?://|#)[^\n]*\n)*)(.*?)((?://|#) END\n)", re.S)


def filled(test, framework, bug):
    """Returns the test with the translator in its place."""
    if framework == "vitest":
        call = (f"import {{ translate as given }} from {str(HERE / 'translator.mjs')!r};\n"
                f"const translate = (upstream, request) => given(upstream, request, {bug!r});\n")
    elif framework == "go":
        call = "func translate(upstream string, request any) ([]byte, error) { return given(upstream, request, %s) }\n" % (
            json.dumps(bug))
    else:
        call = (f"import sys\nsys.path.insert(0, {str(HERE)!r})\nimport translator\n\n\n"
                f"def translate(upstream, request):\n    return translator.translate(upstream, request, {bug!r})\n")
    text, places = FILL_IN.subn(lambda found: found[1] + call + found[3], test)
    if places != 1:
        sys.exit(f"the test has {places} places to fill in:\n{test}")
    return text


def left_over(test):
    """Returns superfluous lines, and unused names."""
    lines = [test[test.rfind("\n", 0, found.start() + 1) + 1:].split("\n", 1)[0] for found in LEFT_OVER.finditer(test)]
    unused = [name for name in ("base64", "bytesOf") if len(re.findall(rf"\b{name}\b", test)) == 1]
    checked = re.search(r"(?:const \{ answer, problems \}|answer, problems :?=) .*\n(.*)", test)
    if checked and "problems" not in checked[1]:
        unused.append("problems")
    return lines + unused


def command(framework, folder):
    """Returns the framework's command for the test, and the test's file."""
    if framework == "pytest":
        runner = ["pytest", "-q"] if importlib.util.find_spec("pytest") else ["unittest", "-v"]
        return [sys.executable, "-m", *runner, "test_smallest.py"], "test_smallest.py"
    if framework == "go":
        (folder / "go.mod").write_text("module smallest\n\ngo 1.18\n")
        shutil.copy(HERE / "translator.go", folder / "translator.go")
        return ["go", "test", "./..."], "smallest_test.go"
    modules = folder / "node_modules"
    if os.environ.get("VITEST"):
        modules.symlink_to(pathlib.Path(os.environ["VITEST"]) / "node_modules")
        return [str(modules / ".bin" / "vitest"), "run"], "smallest.test.mjs"
    (modules / "vitest").mkdir(parents=True)
    (modules / "vitest" / "package.json").write_text('{"name": "vitest", "type": "module", "main": "index.mjs"}')
    shutil.copy(HERE / "vitest_in_node.mjs", modules / "vitest" / "index.mjs")
    return ["node", "--test", "smallest.test.mjs"], "smallest.test.mjs"


def main(program, framework):
    needed = {"vitest": "node", "go": "go"}.get(framework)
    if needed and not shutil.which(needed):
        print(f"1..0 # SKIP {needed} is not installed")
        return 0
    print(f"1..{3 * len(CASES)}")
    wrong = number = 0
    for bug, (case, mutant, rule) in CASES.items():
        made = subprocess.run([program, "shrink", case, "--target", "mutant:" + mutant, "--rule", rule, "--as", framework],
                              capture_output=True, text=True, check=False)
        number += 1
        extra = left_over(made.stdout)
        clean = made.returncode == 0 and not extra
        wrong += not clean
        print(f"{'ok' if clean else 'not ok'} {number} - {rule} has nothing left over")
        print("".join(f"# {line}\n" for line in extra), end="")
        for has in (bug, ""):
            number += 1
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                run, file = command(framework, folder)
                (folder / file).write_text(filled(made.stdout, framework, has) if made.returncode == 0 else "")
                ran = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
            as_wanted = made.returncode == 0 and (ran.returncode != 0) == bool(has)
            # A broken test fails too, so it has to fail by its finding.
            as_wanted = as_wanted and (not has or re.search(BY_WHAT_IT_FOUND, ran.stdout + ran.stderr))
            wrong += not as_wanted
            what = f"{rule} {'fails' if has else 'passes'} {'with' if has else 'without'} {bug}"
            print(f"{'ok' if as_wanted else 'not ok'} {number} - {what}")
            if not as_wanted:
                print("\n".join("# " + line for line in (made.stderr + ran.stdout + ran.stderr).splitlines()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
