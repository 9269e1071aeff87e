#!/usr/bin/env python3
"""Runs action.yml as a forge's runner does, in a separate project.

usage: action_test.py SPLITPROOF SOURCE"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

program, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
work = pathlib.Path(tempfile.mkdtemp())
action = (source / "action.yml").read_text(encoding="utf-8")
inputs_text, outputs_text, steps_text = re.fullmatch(r".*\ninputs:\n(.*)outputs:\n(.*)runs:\n  using: composite\n(.*)", action,
                                                     re.DOTALL).groups()
inputs = dict(re.findall(r"^  ([a-z-]+):\n    description: .+\n    default: (.+)$", inputs_text, re.MULTILINE))
outputs = dict(re.findall(r"^  ([a-z-]+):\n    description: .+\n    value: \$\{\{ steps\.run\.outputs\.([a-z-]+) \}\}$",
                          outputs_text, re.MULTILINE))
run = re.search(r"^      run: '(.*)'$", steps_text, re.MULTILINE)[1]
environment = dict(re.findall(r"^        ([A-Z_]+): \$\{\{ (.+) \}\}$", steps_text, re.MULTILINE))
assert set(inputs) == {"target", "version", "expect", "args", "reports"} and len(outputs) == 9, (inputs, outputs)
assert all(name == output for name, output in outputs.items())
assert "://" not in action, "names a host"

# The place of the action on a runner: its build takes no time.
placed = work / "_actions" / "owner" / "name" / "v1"
for folder in ("packaging", "docs/examples/ci"):
    shutil.copytree(source / folder, placed / folder)
(placed / "Makefile").write_text(f"all:\n\tmkdir -p build\n\tln -sf {program} build/splitproof\n")
on_path = work / "bin"
on_path.mkdir()
(on_path / "splitproof").symlink_to(program)
# Releases as from `make package`: good, with the checksum of another package, without one, and with an invalid one.
released = {}
for version in ("0.0.7", "0.0.8", "0.0.9", "0.0.10"):
    folder = work / "forge" / "owner" / "name" / "releases" / "download" / f"v{version}"
    folder.mkdir(parents=True)
    released[version] = folder / f"splitproof-{version}.tgz"
    with tarfile.open(released[version], "w:gz") as package:
        package.add(program, "package/bin/splitproof")


def publish(version, said):
    pathlib.Path(f"{released[version]}.sha256").write_text(said)


of_good = hashlib.sha256(released["0.0.7"].read_bytes()).hexdigest()
publish("0.0.7", f"{of_good}  splitproof-0.0.7.tgz\n")
publish("0.0.8", f"{of_good[::-1]}  splitproof-0.0.8.tgz\n")
publish("0.0.10", "<html>not found</html>\n")

project = work / "project"
(project / "house").mkdir(parents=True)
(project / "house" / "billing.yaml").write_text("""contract: anthropic.messages.downstream
version: 1
events: {tail: {/type: message_delta}}
obligations:
  - {id: HOUSE-01, level: must, says: Tokens., why: W., each: tail, where: {/usage/input_tokens: {type: integer}}}
""")


def step(given, path=None):
    """Returns the exit code, the output, the action's outputs and the page of the run."""
    values = {f"inputs.{name}": given.get(name, default.strip("'")) for name, default in inputs.items()}
    values["github.action_path"] = str(placed)
    output, summary = work / "output", work / "summary"
    for file in (output, summary):
        file.write_text("")
    plain = ":".join(one for one in os.environ["PATH"].split(":") if not os.path.exists(f"{one}/splitproof"))
    ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run], cwd=project, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env={"PATH": f"{path}:{plain}" if path else plain, "HOME": str(work), "RUNNER_TEMP": str(work / "temp"),
                              "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary),
                              "GITHUB_SERVER_URL": f"file://{work}/forge",
                              **{name: values[value] for name, value in environment.items()}})
    left = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return ran.returncode, ran.stdout, {name: left.get(name, "") for name in outputs}, summary.read_text()


def check(fits, *seen):
    if not fits:
        sys.exit(f"action_test.py: {seen}")


good = {"target": "reference", "args": "--only openai.chat/text-plain"}
for case in (step(good, on_path), step(good), step({**good, "version": "0.0.7"})):
    code, said, left, page = case
    check(code == 0 and left["verdict"] == "CONFORMS" and left["findings"] == "0" and left["exit-code"] == "0", case)
    for name, begins in (("jsonl", '{"splitproof"'), ("junit", "<?xml"), ("scorecard", "# Scorecard"),
                         ("html", "<!doctype html>"), ("sarif", '{"$schema"')):
        check((project / left[name]).read_text().startswith(begins), name, left)
    check(page.startswith("# Scorecard"), page)

code, said, left, page = step({"target": "reference", "reports": "seen here",
                               "args": "--contracts house --only 'openai.chat/usage-*'"}, on_path)
check(code == 1 and left["verdict"] == "VIOLATES" and left["findings"] == left["causes"] == "1" and "HOUSE-01" in page,
      code, said, left)
check(left["jsonl"] == "seen here/report.jsonl", left)

known = project / "known.txt"
known.write_text("VIOLATES reference openai.chat/usage-never HOUSE-01 # billing\n")
code, said, left, page = step({"target": "reference", "expect": "known.txt",
                               "args": "--contracts house --only 'openai.chat/usage-*'"}, on_path)
check(code == 0 and left["verdict"] == "CONFORMS" and left["findings"] == "0", code, said, left)

shutil.rmtree(project / "splitproof-reports")
code, said, left, page = step({}, on_path)
check(code == 2 and left["verdict"] == "" and left["exit-code"] == "2" and "splitproof/target.yaml" in said, code, said, left)
code, said, left, page = step({**good, "version": "9.9.9"})
check(code == 2 and "version 9.9.9 could not be fetched" in said, code, said)
for version, word in (("0.0.8", f"0.0.8.tgz.sha256 says {of_good[::-1]}"), ("0.0.9", "splitproof-0.0.9.tgz.sha256"),
                      ("0.0.10", "0.0.10.tgz.sha256 says <html>not")):
    case = code, said, left, page = step({**good, "version": version})
    check(code == 2 and word in said and not page and left["verdict"] == "", case)
    check(sum(line.startswith("splitproof: ") for line in said.splitlines()) == 1, "several errors", case)
    check(not (work / "temp" / f"splitproof-{version}" / "package").exists(), "it is unpacked", case)
code, said, left, page = step({**good, "args": "--only '$(touch hurt)'"}, on_path)
check(code == 5 and not (project / "hurt").exists(), code, said)
shutil.rmtree(work)
print("11 runs")
