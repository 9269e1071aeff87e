#!/usr/bin/env python3
"""Runs the recipes of docs/examples/many-machines, and compares the merged report with one run. Prints TAP.

usage: recipes.py SPLITPROOF ROOT
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

OPTIONS = ["--only", "openai.chat/text-m*", "--splits", "0", "--recuts", "0"]
# Some seconds for each of eight shards, with several recordings in each.
SLOW = ["--only", "openai.chat/text-*", "--splits", "1", "--recuts", "1"]


DEAD_TARGET = """target: dead
kind: http
client: anthropic.messages
upstream: openai.chat
command: ["false"]
listen: "http://127.0.0.1:{port}"
request: {path: /v1/messages, model: fake-model}
ready: {within: 2s}
"""


class Skip(Exception):
    pass


class Recipes:
    def __init__(self, program, root, folder, whole):
        self.recipes = pathlib.Path(root).resolve() / "docs/examples/many-machines"
        self.folder = folder
        programs = folder / "bin"
        programs.mkdir()
        (programs / "splitproof").symlink_to(pathlib.Path(program).resolve())
        self.environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}",
                                         "SPLITPROOF_DATA": str(pathlib.Path(root).resolve())}
        self.whole = whole

    def sh(self, command, expect=0, **more):
        environment = self.environment | more.pop("environment", {})
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment, **more)
        assert done.returncode == expect, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def check(self, merged, options=OPTIONS):
        """Compares the last line with that of one run. It has the verdict and the number of cases."""
        verdict = merged.splitlines()[-1]
        if str(options) not in self.whole:
            self.whole[str(options)] = self.sh(["splitproof", "run", *options, "--no-shard"]).stdout.splitlines()[-1]
        whole = self.whole[str(options)]
        assert verdict == whole, f"merged:\n{verdict}\nin one run:\n{whole}"


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed")


def parallel(recipes):
    """GNU parallel runs all shards, two are killed, and only these start again and continue."""
    needs("parallel")
    reports, shards = recipes.folder / "parallel", 8
    command = ["sh", str(recipes.recipes / "parallel.sh"), str(shards), str(reports), *SLOW]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=recipes.folder,
                           env=recipes.environment)
    killed = kill_two(reports, shards, job)
    said, _ = job.communicate(timeout=300)
    assert len(killed) == 2 and job.returncode == 4, f"killed {killed}, exit code {job.returncode}\n{said}"
    ages = {path.name: path.stat().st_mtime_ns for path in reports.glob("*.jsonl")}
    assert sorted(ages) == [f"{number}.jsonl" for number in range(1, shards + 1) if number not in killed], ages
    missing = recipes.sh(["splitproof", "merge", str(reports), "--missing", "--as", "parallel"])
    assert missing.stdout == " ".join(map(str, killed)) + "\n", missing
    recipes.check(recipes.sh(command, environment={"SPLITPROOF_RECIPE_SHARD": ""}).stdout, SLOW)
    assert ages == {name: (reports / name).stat().st_mtime_ns for name in ages}, "a finished shard ran again"
    started = [int(line.split("\t")[0]) for line in (reports / "joblog").read_text().splitlines()[1:]]
    assert len(started) == shards + 2 and sorted(started[shards:]) == killed, f"started: {started}"
    print(f"# killed shards {killed}, then --resume-failed")


def free_ports():
    """Returns the first of two ports that are free."""
    for port in range(26817, 28000, 2):
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", port))
            two.bind(("127.0.0.1", port + 1))
            return port
    raise Skip("this system has no two free ports")


@contextlib.contextmanager
def slurm_of_one_node(folder):
    """Starts Slurm with one node on the loopback; yields its environment."""
    host, port = socket.gethostname(), free_ports()
    for name in ("state", "spool", "munge"):
        (folder / name).mkdir(parents=True)
    munge = folder / "munge"
    munge.chmod(0o700)
    (munge / "key").write_bytes(os.urandom(1024))
    (munge / "key").chmod(0o400)
    (folder / "slurm.conf").write_text(f"""ClusterName=one
SlurmctldHost={host}(127.0.0.1)
AuthInfo=socket={munge}/sock
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmdPort={port + 1}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=p Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
    environment = os.environ | {"SLURM_CONF": f"{folder}/slurm.conf"}
    try:
        files = [f"--{name}={munge}/{file}" for name, file in
                 (("key-file", "key"), ("socket", "sock"), ("pid-file", "pid"), ("log-file", "log"),
                  ("seed-file", "seed"))]
        for command in (["munged", "--force", *files], ["slurmctld", "-c"], ["slurmd"]):
            started = subprocess.run(command, env=environment, capture_output=True, text=True)
            if started.returncode != 0:
                raise Skip(f"this system cannot start {command[0]}: {started.stderr.strip()}")
        for _ in range(60):
            state = subprocess.run(["sinfo"], env=environment, capture_output=True, text=True).stdout
            if "idle" in state:
                break
            time.sleep(0.5)
        else:
            raise Skip("this system has no idle node of Slurm")
        yield {"SLURM_CONF": f"{folder}/slurm.conf"}
    finally:
        for file in (folder / "ctld.pid", folder / "d.pid", munge / "pid"):
            with contextlib.suppress(OSError, ValueError):
                end(int(file.read_text()))


def end(process):
    """Ends a process and waits until it is gone, for 20 s."""
    os.kill(process, signal.SIGTERM)
    for _ in range(200):
        os.kill(process, 0)  # an error if it is gone
        time.sleep(0.1)


def task_of(report):
    """Returns the id of the run that writes a report, or None."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().split("\0")
            if words[:2] == ["splitproof", "run"] and f"jsonl:{report}" in words:
                return int(process.name)
    return None


def kill_two(reports, tasks, job):
    """Kills two runs of a job, each after its first recording. Returns the numbers of their shards."""
    killed = set()
    while len(killed) < 2 and job.poll() is None:
        for number in set(range(1, tasks + 1)) - killed:
            part = reports / f"{number}.jsonl.part"
            run = task_of(reports / f"{number}.jsonl")
            if run and len(killed) < 2 and part.exists() and b'\n{"saved":' in part.read_bytes():
                os.kill(run, signal.SIGKILL)
                killed.add(number)
        time.sleep(0.01)
    return sorted(killed)


def slurm(recipes):
    """Slurm runs an array of 8, two killed tasks are submitted again, and they continue."""
    needs("sbatch", "slurmctld", "slurmd", "munged")
    if os.geteuid() != 0:
        raise Skip("this system lets only root start Slurm")
    script, reports, tasks = str(recipes.recipes / "slurm.sbatch"), recipes.folder / "slurm", 8
    with slurm_of_one_node(recipes.folder / "one-node") as environment:
        def submit(array):
            return subprocess.Popen(["sbatch", "--wait", array, script, str(tasks), str(reports), *SLOW, "--jobs", "1"],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=recipes.folder,
                                    env=recipes.environment | environment)

        job = submit(f"--array=1-{tasks}")
        killed = kill_two(reports, tasks, job)
        said, _ = job.communicate(timeout=300)
        assert len(killed) == 2 and job.returncode != 0, f"killed {killed}\n{said}"
        missing = recipes.sh(["splitproof", "merge", str(reports), "--missing", "--as", "slurm"]).stdout.strip()
        assert missing == f"--array={killed[0]}{'-' if killed[1] == killed[0] + 1 else ','}{killed[1]}", missing
        assert recipes.sh(["splitproof", "merge", str(reports)], expect=4).stdout == ""
        again = submit(missing)
        said, _ = again.communicate(timeout=300)
        assert again.returncode == 0, said
        merged = recipes.sh(["splitproof", "merge", str(reports)]).stdout
        recipes.check(merged, SLOW)
        print(f"# killed shards {killed}, then sbatch {missing}: {merged.splitlines()[-1]}")


def yaml_of(path):
    try:
        import yaml
    except ImportError:
        raise Skip("PyYAML is not installed")
    return yaml.safe_load(path.read_text())


def github(recipes):
    """A shell plays the matrix of GitHub Actions."""
    workflow = yaml_of(recipes.recipes / "github.yml")
    jobs = workflow["jobs"]
    assert jobs["shard"]["strategy"]["fail-fast"] is False, "a finding ends the other shards"
    assert "!cancelled()" in jobs["merge"]["if"], "a failed shard hides the findings of the others"
    shards = jobs["shard"]["strategy"]["matrix"]["shard"]
    work = recipes.folder / "github"
    summary = work / "summary.md"
    merged = work / "merge"
    for shard in shards:
        place = work / f"shard-{shard}"
        place.mkdir(parents=True)
        step = next(step["run"] for step in jobs["shard"]["steps"] if "run" in step)
        step = step.replace("--target splitproof/target.yaml", " ".join(f"'{word}'" for word in OPTIONS))
        recipes.sh(["bash", "-e", "-c", expanded(step, {"matrix.shard": shard, "strategy.job-total": len(shards)}, place)])
        upload = next(step for step in jobs["shard"]["steps"] if "upload" in step.get("uses", ""))
        assert upload["with"]["path"] == "reports/"
        shutil.copytree(place / "reports", merged / "reports" / f"report-{shard}")
    step = next(step["run"] for step in jobs["merge"]["steps"] if "run" in step)
    environment = {"GITHUB_STEP_SUMMARY": str(summary)}
    recipes.check(recipes.sh(["bash", "-e", "-c", expanded(step, {}, merged)], environment=environment).stdout)
    assert "CONFORMS" in summary.read_text()


def expanded(step, values, place):
    for name, value in values.items():
        step = step.replace("${{ " + name + " }}", str(value))
    assert "${{" not in step, step
    return f"cd '{place}'\n{step}"


def errors_of_job(job):
    """Validates a job of Kubernetes like its server with fieldValidation=Strict. Returns an error a line.

    kubernetes_job.openapi.json is an extract of the published schema. A member of a type outside the extract is refused.
    """
    try:
        import jsonschema
    except ImportError:
        raise Skip("the package jsonschema is not installed")
    document = json.loads(pathlib.Path(__file__).with_name("kubernetes_job.openapi.json").read_text())
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        schema["additionalProperties"] = False
        for name, member in list(schema["properties"].items()):
            kind = member.get("items", member.get("additionalProperties", member)).get("$ref", "").split("/")[-1]
            if kind and kind not in schemas:
                del schema["properties"][name]
    validator = jsonschema.Draft7Validator(document | {"$ref": "#/components/schemas/io.k8s.api.batch.v1.Job"})
    return sorted(f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(job))


def changed(job, path, change):
    """Returns a copy of a job after a change of the object at a path."""
    copy = json.loads(json.dumps(job))
    place = copy
    for step in path:
        place = place[step]
    change(place)
    return copy


def check_that_schema_refuses(job):
    """Checks that the validation finds a misspelt member, a missing one and a wrong type, at each depth."""
    def misspelt(old, new):
        return lambda place: place.update({new: place.pop(old)})
    pod = ("spec", "template", "spec")
    rule = ("spec", "podFailurePolicy", "rules", 1)
    for path, change, message in (
            (("spec",), misspelt("backoffLimitPerIndex", "backOffLimitPerIndex"), "spec: Additional properties"),
            ((*rule, "onExitCodes"), misspelt("containerName", "container"), "onExitCodes: Additional properties"),
            (pod, misspelt("restartPolicy", "restartpolicy"), "spec/template/spec: Additional properties"),
            ((*pod, "containers", 0, "volumeMounts", 0), misspelt("mountPath", "path"), "'mountPath' is a required property"),
            (rule, lambda place: place.pop("action"), "'action' is a required property"),
            (("spec",), lambda place: place.pop("template"), "'template' is a required property"),
            (("spec",), lambda place: place.update(completions="16"), "spec/completions: '16' is not of type 'integer'"),
            ((*pod, "containers", 0, "env", 0), lambda place: place.update(value=16), "value: 16 is not of type 'string'")):
        errors = errors_of_job(changed(job, path, change))
        assert any(message in error for error in errors), f"not found: {message}\n{errors}"


def kubernetes(recipes):
    """The manifest fits the schema, and its command runs the shards of the indexes."""
    job = yaml_of(recipes.recipes / "kubernetes.yaml")
    errors = errors_of_job(job)
    assert not errors, "\n".join(errors)
    check_that_schema_refuses(job)
    spec = job["spec"]
    assert (job["apiVersion"], job["kind"], spec["completionMode"]) == ("batch/v1", "Job", "Indexed")
    pod = spec["template"]["spec"]
    assert pod["restartPolicy"] == "Never", "podFailurePolicy needs it"
    for rule in spec["podFailurePolicy"]["rules"]:
        assert rule["action"] in ("Ignore", "FailIndex", "Count", "FailJob"), rule
        assert len(rule) == 2, "a rule has one condition"
        codes = rule.get("onExitCodes", {}).get("values", [])
        assert codes == sorted(set(codes)) and 0 not in codes, "the codes are sorted, and 0 is success"
    container = pod["containers"][0]
    variables = {one["name"]: one["value"] for one in container["env"]}
    assert int(variables["SPLITPROOF_SHARDS"]) == spec["completions"], "the numbers of shards differ"
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    reports = recipes.folder / "kubernetes"
    reports.mkdir()
    script = container["args"][0].replace("/reports/", f"{reports}/")

    def play(indexes, options=OPTIONS, expect=0, **more):
        command = script.replace("--target /target.yaml", " ".join(f"'{word}'" for word in options))
        for index in indexes:
            recipes.sh([*container["command"], command], expect,
                       environment=variables | {"JOB_COMPLETION_INDEX": str(index), "SPLITPROOF_SHARDS": "3"} | more)

    # A shard with findings succeeds. Each other exit code has its rule.
    (recipes.folder / "dead.yaml").write_text(DEAD_TARGET)
    few = ["--only", "openai.chat/text-multibyte", "--splits", "0", "--recuts", "0"]
    for code, action, options in (
            (0, None, [*few, "--target", "mutant:per-chunk-utf8"]),
            (2, "FailIndex", ["--profile", "no-such-profile"]),
            (4, "Count", [*few, "--target", str(recipes.folder / "dead.yaml")]),
            (5, "FailIndex", ["--only", "no-such-recording"])):
        play([0], options, code)
        if not code:
            recipes.sh(["splitproof", "merge", str(reports), "--partial"], expect=1)
        for report in reports.glob("1.jsonl*"):
            report.unlink()
        rules = [rule["action"] for rule in spec["podFailurePolicy"]["rules"]
                 if code in rule.get("onExitCodes", {}).get("values", [])]
        assert rules == ([action] if action else []), f"exit code {code}: {rules}"
    play([0, 2])
    again = recipes.sh(["splitproof", "merge", str(reports), "--missing", "--as", "k8s"]).stdout
    assert again == 'completions: 1\nSHARDS_AGAIN: "2"\n', again
    play([0], SHARDS_AGAIN="2")
    recipes.check(recipes.sh(["splitproof", "merge", str(reports)]).stdout)


def main(program, root):
    tests = [parallel, slurm, github, kubernetes]
    print(f"1..{len(tests)}")
    failed = 0
    whole = {}  # verdicts of one run, by its options
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                test(Recipes(program, root, pathlib.Path(folder), whole))
                print(f"ok {number} - {test.__doc__}", flush=True)
            except Skip as why:
                print(f"ok {number} - {test.__doc__} # SKIP {why}", flush=True)
            except (AssertionError, subprocess.SubprocessError) as why:
                failed += 1
                print(f"not ok {number} - {test.__doc__}\n" + re.sub("(?m)^", "# ", str(why)), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
