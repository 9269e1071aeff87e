#!/usr/bin/env python3
"""Runs the recipes of docs/examples/many-machines, and compares the merged report with one run. Prints TAP.

usage: recipes.py SPLITPROOF ROOT
"""
import contextlib
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
SLOW = ["--only", "openai.chat/text-*", "--splits", "1", "--recuts", "1", "--jobs", "1"]


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

    def check(self, merged):
        """Compares the last line, which has the verdict and the number of cases."""
        verdict = merged.splitlines()[-1]
        assert verdict == self.whole, f"merged:\n{verdict}\nin one run:\n{self.whole}"


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed")


def parallel(recipes):
    """GNU parallel runs all shards, and starts only the failed ones again."""
    needs("parallel")
    script = str(recipes.recipes / "parallel.sh")
    reports = recipes.folder / "parallel"
    recipes.check(recipes.sh(["sh", script, "3", str(reports), *OPTIONS]).stdout)
    # A shard that failed runs again; the others do not.
    (reports / "2.jsonl").unlink()
    log = (reports / "joblog").read_text().splitlines()
    failed = [re.sub(r"^((?:\S+\s+){6})0", r"\g<1>4", line) if line.split("\t")[0] == "2" else line for line in log]
    (reports / "joblog").write_text("\n".join(failed) + "\n")
    ages = {name: (reports / name).stat().st_mtime_ns for name in ("1.jsonl", "3.jsonl")}
    missing = recipes.sh(["splitproof", "merge", str(reports), "--missing", "--as", "parallel"])
    assert missing.stdout == "2\n", missing
    recipes.check(recipes.sh(["sh", script, "3", str(reports), *OPTIONS]).stdout)
    assert ages == {name: (reports / name).stat().st_mtime_ns for name in ages}, "a finished shard ran again"


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
            return subprocess.Popen(["sbatch", "--wait", array, script, str(tasks), str(reports), *SLOW],
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
        whole = recipes.sh(["splitproof", "run", "--no-shard", *SLOW]).stdout.splitlines()[-1]
        merged = recipes.sh(["splitproof", "merge", str(reports)]).stdout.splitlines()[-1]
        assert merged == whole, f"merged:\n{merged}\nin one run:\n{whole}"
        print(f"# killed shards {killed}, then sbatch {missing}: {merged}")


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


# The part of the published schema of batch/v1 and core/v1 that a job like this may use: fields with their types. It was copied
# by hand from the OpenAPI document of Kubernetes. A field with a ! is required there, or by the server.
CONTAINER = {"name!": str, "image": str, "command": [str], "args": [str],
             "env": [{"name!": str, "value": str}], "volumeMounts": [{"name!": str, "mountPath!": str}]}
JOB = {
    "apiVersion!": str, "kind!": str, "metadata!": {"name!": str},
    "spec!": {
        "completionMode": str, "completions": int, "parallelism": int, "backoffLimitPerIndex": int,
        "maxFailedIndexes": int,
        "podFailurePolicy": {"rules!": [{
            "action!": str, "onPodConditions": [{"type!": str, "status!": str}],
            "onExitCodes": {"containerName": str, "operator!": str, "values!": [int]}}]},
        "template!": {"spec!": {
            "restartPolicy": str, "terminationGracePeriodSeconds": int, "containers!": [CONTAINER],
            "volumes": [{"name!": str, "persistentVolumeClaim": {"claimName!": str}}]}}}}


def fits(value, schema, place):
    if isinstance(schema, dict):
        assert isinstance(value, dict), f"{place} is no object"
        fields = {name.rstrip("!"): kind for name, kind in schema.items()}
        for name in schema:
            assert not name.endswith("!") or name[:-1] in value, f"{place} lacks the field {name[:-1]}"
        for name, member in value.items():
            assert name in fields, f"{place} has the unknown field {name}"
            fits(member, fields[name], f"{place}/{name}")
    elif isinstance(schema, list):
        assert isinstance(value, list) and value, f"{place} is no list"
        for number, member in enumerate(value):
            fits(member, schema[0], f"{place}/{number}")
    else:
        assert isinstance(value, schema) and not isinstance(value, bool), f"{place} is no {schema.__name__}"


def kubernetes(recipes):
    """The manifest fits the schema, and its command runs the shards of the indexes."""
    job = yaml_of(recipes.recipes / "kubernetes.yaml")
    fits(job, JOB, "")
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
    script = script.replace("--target /target.yaml", " ".join(f"'{word}'" for word in OPTIONS))

    def play(indexes, **more):
        for index in indexes:
            recipes.sh([*container["command"], script],
                       environment=variables | {"JOB_COMPLETION_INDEX": str(index), "SPLITPROOF_SHARDS": "3"} | more)
    play([0, 2])
    again = recipes.sh(["splitproof", "merge", str(reports), "--missing", "--as", "k8s"]).stdout
    assert again == 'completions: 1\nSHARDS_AGAIN: "2"\n', again
    play([0], SHARDS_AGAIN="2")
    recipes.check(recipes.sh(["splitproof", "merge", str(reports)]).stdout)


def main(program, root):
    tests = [parallel, slurm, github, kubernetes]
    print(f"1..{len(tests)}")
    failed = 0
    run = subprocess.run([program, "run", *OPTIONS, "--no-shard"], capture_output=True, text=True, check=True)
    whole = run.stdout.splitlines()[-1]
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
