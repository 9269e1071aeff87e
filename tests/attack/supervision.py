#!/usr/bin/env python3
"""A target stops and kills the processes that run it, reads their memory, writes to the system, and leaves daemons.

usage: supervision.py SPLITPROOF

Every run has to end, with all its processes. Each attack is tried with namespaces and without, as in a container
that forbids them; as this user and, if that is root, as nobody.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENDS = 30  # seconds after the last case
PYTHON = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable  # every user may execute this
ATTACKS = 200
# Uses the pipe protocol after the actions of its arguments. It harms only the harness that runs it.
HOSTILE = '''
import ctypes, json, os, pathlib, random, signal, stat, sys, tempfile, time
folder, attack, seed = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]

def status(pid):
    """Its parent and its name."""
    try:
        text = open(f"/proc/{pid}/stat").read()
    except OSError:
        return 0, ""
    return int(text[text.rindex(")") + 4:].split()[0]), text[text.index("(") + 1:text.rindex(")")]

def harness():
    """The processes above this one, up to splitproof, and all that descend from it. In a namespace: all but this one."""
    top = os.getppid()
    while top > 1 and status(top)[1] != "splitproof": top = status(top)[0]
    if not status(top)[1].startswith("splitproof"): return []
    parents = {int(name): status(name)[0] for name in os.listdir("/proc") if name.isdigit()}
    family = {top}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return [pid for pid in sorted(family) if pid != os.getpid() and status(pid)[1].startswith("splitproof")]

def note(what, text):
    with open(folder / what, "a") as file:
        file.write(text + "\\n")

def strike(pid, number):
    note("strikes", f"{signal.Signals(number).name} {status(pid)[1]}")
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass

def outlive():
    """Leaves a daemon that ignores what asks it to end."""
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 3)
    time.sleep(600)
    os._exit(0)

def try_to_write(who):
    """Opens what it should not be able to write to. It writes nothing and removes what it makes, as the system is the tester's own."""
    places = ["/dev/mem", "/dev/kmsg", "/etc/passwd", "/etc/new", "/usr/new", "/new", "/proc/sysrq-trigger", os.path.expanduser("~root/.profile"), sys.executable]
    for top in ("/proc/sys", "/sys/kernel", "/sys/module", "/sys/fs/cgroup"):
        for folder, _, files in os.walk(top): places += [f"{folder}/{name}" for name in files]
    places += [f"/dev/{name}" for name in os.listdir("/dev") if stat.S_ISBLK(os.stat(f"/dev/{name}").st_mode)]
    for place in places:
        made = not os.path.exists(place)
        if made and not place.endswith("/new"): continue
        try:
            os.close(os.open(place, os.O_WRONLY | os.O_NONBLOCK | (os.O_CREAT if made else 0)))
            note("written", f"{who} {place}")
            if made: os.unlink(place)
        except OSError:
            pass

def lift_protection():
    c = ctypes.CDLL(None, use_errno=True)
    REMOUNT, BIND, DETACH = 32, 4096, 2
    for place in (b"/", b"/proc", b"/proc/sys", b"/sys", b"/dev"):
        c.mount(None, place, None, REMOUNT | BIND, None)
        c.umount2(place, DETACH)

def live():
    """What a program may expect, also where it may write to little."""
    for place in [sys.argv[4], os.environ["HOME"], "/tmp", "/dev/shm"]: tempfile.NamedTemporaryFile(dir=place).close()
    for device in ("null", "zero", "full", "random", "urandom"): open("/dev/" + device, "r+b", buffering=0).close()
    os.close(os.open("/dev/stderr", os.O_WRONLY))
    for descriptor in os.openpty(): os.close(descriptor)
    assert os.readlink("/proc/self") == str(os.getpid())
    note("lived", "")

def nest(then):
    """Does something in a user and a mount namespace of its own, with all rights there."""
    child = os.fork()
    if not child:
        user, group = os.getuid(), os.getgid()
        failed = ctypes.CDLL(None, use_errno=True).unshare(0x10000000 | 0x00020000)
        if not failed:
            open("/proc/self/setgroups", "w").write("deny")
            open("/proc/self/uid_map", "w").write(f"0 {user} 1")
            open("/proc/self/gid_map", "w").write(f"0 {group} 1")
            note("nested", str(os.getuid()))
            then()
        os._exit(0)
    os.waitpid(child, 0)

def strikes():
    if attack == "random":
        (folder / "strikes").touch()
        struck = len((folder / "strikes").read_text().splitlines())
        dice = random.Random(f"{seed} {struck}")
        numbers = [signal.SIGKILL, signal.SIGSTOP, signal.SIGSTOP, signal.SIGTERM, signal.SIGTSTP, signal.SIGSEGV, signal.SIGHUP]
        for _ in range(4 if struck < 20 else 0):
            if not (victims := harness()): break
            victim, number = dice.choice(victims), dice.choice(numbers)
            # The run is over when splitproof itself is: seldom.
            if status(victim)[1] == "splitproof" and dice.random() < 0.9: number = signal.SIGSTOP
            strike(victim, number)
    elif attack == "helpers":  # all but splitproof itself, the nearest last
        for pid in harness():
            if status(pid)[1] != "splitproof": strike(pid, signal.SIGKILL)
    elif attack == "stops":
        for pid in harness(): strike(pid, signal.SIGSTOP)
    elif attack == "keeper":
        strike(os.getppid(), signal.SIGKILL)
    elif attack == "read":
        for name in filter(str.isdigit, os.listdir("/proc")):
            for file in ("environ", "mem"):
                try:
                    with open(f"/proc/{name}/{file}", "rb") as opened: text = opened.read() if file == "environ" else b""
                except OSError:
                    continue
                if status(name)[1].startswith("splitproof"): note("read", f"{file} of {status(name)[1]}")
                if b"CI_SECRET" in text: note("secrets", status(name)[1])

    elif attack == "live":
        live()
        nest(lambda: None)
    elif attack == "write":
        try_to_write("program")
        lift_protection()
        try_to_write("program that lifted the protection")
        nest(lambda: (lift_protection(), try_to_write("program in a namespace of its own")))

if attack == "stopped" and not (folder / "slept").exists():
    note("slept", "")
    time.sleep(3)
if attack not in ("read", "live", "write"): outlive()
strikes()
for line in sys.stdin:
    message = json.loads(line)
    if "feed" in message: print(json.dumps({"out": message["feed"]}))
    print('{"ack": true}', flush=True)
    if attack == "random": strikes()
'''
TARGET = """
target: hostile
kind: pipe
client: openai.chat
upstream: openai.chat
command: {command}
timeout: 5s
env: {{HOME: "{{home}}"}}
{more}
"""
# As in a container that forbids namespaces: the test has to work without them.
def without(kinds):
    return ["unshare", "--user", "--map-current-user", "--keep-caps", "--kill-child", "sh", "-c",
            f'for kind in {kinds}; do echo 0 > /proc/sys/user/max_${{kind}}_namespaces || exit 99; done; '
            'exec setpriv --ambient-caps=-all --inh-caps=-all "$@"', "sh"]


ALL = []
SOME = without("pid")
NONE = without("user pid mnt")
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
# A CI with a secret that it hides from its programs.
CI = ["sh", "-c", 'env -u CI_SECRET "$@"; exit $?', "sh"]


class Attack:
    def __init__(self, splitproof, attack, user, namespaces, more="", seed=0, meanwhile=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-supervision-"))
        self.folder.chmod(0o777)
        (self.folder / "hostile.py").write_text(HOSTILE)
        program = [PYTHON, str(self.folder / "hostile.py"), str(self.folder), attack, str(seed), "{dir}"]
        (self.folder / "hostile.yaml").write_text(
            TARGET.format(command=json.dumps(program), more=more))
        self.name = f"{attack} {seed or ''} by {'nobody' if user else 'this user'}, " \
            f"{'all' if namespaces is ALL else 'some' if namespaces is SOME else 'no'} namespaces, {more or 'all'}"
        self.isolated = namespaces is ALL and more != "isolation: none"
        self.wrong = []
        began = time.monotonic()
        run = subprocess.Popen([*CI, *user, *namespaces, splitproof, "run", "--target",
                                str(self.folder / "hostile.yaml"), "--only", "openai.chat/text-plain", "--quick", "--jobs", "1"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
                               env={**os.environ, "CI_SECRET": "1", "XDG_CACHE_HOME": str(self.folder / "cache")})
        if meanwhile:
            meanwhile(self)
        try:
            self.said = run.communicate(timeout=2 * ENDS)[0].decode()
        except subprocess.TimeoutExpired:
            self.wrong.append("the run did not end")
            self.kill(self.left())
            self.said = run.communicate()[0].decode()
        self.code = run.returncode
        self.took = time.monotonic() - began
        until = time.monotonic() + 5  # splitproof may have been killed, and its processes have a second to end
        while (left := self.left()) and time.monotonic() < until:
            time.sleep(0.05)
        self.expect(not left, f"it left {left}")
        self.kill(left)

    def processes(self, pid_file):
        """Returns the processes of this run, with a file of /proc/PID."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if str(self.folder).encode() in pathlib.Path(f"/proc/{name}/cmdline").read_bytes():
                    yield int(name), pathlib.Path(f"/proc/{name}/{pid_file}").read_text()
            except OSError:
                pass

    def left(self):
        return {pid: name.strip() for pid, name in self.processes("comm")}

    def kill(self, processes):
        for pid in processes:
            os.kill(pid, signal.SIGKILL)

    def noted(self, what):
        path = self.folder / what
        return path.read_text().splitlines() if path.exists() else []

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def end(self):
        result = f"{self.name}: exit code {self.code}, {len(self.noted('strikes'))} strikes, {self.took:.1f} s"
        print("ok    " + result if not self.wrong else f"FAILED {result}: {self.wrong}\n{self.noted('strikes')}\n{self.said}",
              flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        return len(self.wrong)


def stop_for_a_while(attack):
    """Stops splitproof from outside. It has to stay stopped, and its program has to remain."""
    def states(name):
        return [text[text.rindex(")") + 2] for _, text in attack.processes("stat") if f"({name})" in text]

    until = time.monotonic() + ENDS
    while not attack.noted("slept") and time.monotonic() < until:
        time.sleep(0.01)
    splitproof = [pid for pid, name in attack.left().items() if name == "splitproof"]
    attack.expect(len(splitproof) == 1, f"{splitproof} are splitproof")
    os.kill(splitproof[0], signal.SIGSTOP)
    time.sleep(2)
    attack.expect(states("splitproof") == ["T"], "splitproof did not stay stopped")
    attack.expect(states("python3"), "the program ended while splitproof was stopped")
    os.kill(splitproof[0], signal.SIGCONT)


def judge(attack, kind):
    """Checks the other promises after an attack."""
    if kind in ("stops", "read", "live", "stopped") or (attack.isolated and kind != "random"):
        attack.expect(attack.code == 0, "the run is worth nothing")
    attack.expect(not attack.noted("read"), f"it can read {attack.noted('read')}")
    attack.expect(not attack.isolated or not attack.noted("secrets"), f"it read the secret of {attack.noted('secrets')}")
    attack.expect(not attack.noted("written"), f"it can write to {attack.noted('written')}")
    if kind in ("keeper", "helpers", "stops"):
        attack.expect(attack.noted("strikes") or not attack.isolated, "it struck nobody")
    if kind == "helpers" and not attack.isolated:
        attack.expect(attack.code == 4, "it could not be harmed")
    if kind == "live":
        attack.expect(attack.noted("lived"), "it lacks what a program needs")
        attack.expect(attack.noted("nested") or not attack.isolated, "it can make no namespaces")


def works(*command):
    return subprocess.run([*command, "true"], capture_output=True).returncode == 0


def main(splitproof):
    if not works("unshare", "--user", "--pid", "--mount", "--net", "--fork", "--map-current-user", "--mount-proc"):
        print("this system allows no namespaces")
        return 77
    is_root = os.geteuid() == 0
    users = [[], NOBODY] if is_root and works(*NOBODY) else [[]]
    modes = [(user, ALL, more) for user in users for more in ("", "network: none")]
    modes += [(user, NONE, "") for user in users if works(*user, *NONE)]
    attacks = [(kind, *mode) for mode in modes for kind in ("keeper", "helpers", "stops", "read", "live", "stopped")
               if kind != "stopped" or mode[1] is ALL]
    if is_root:
        attacks += [("write", [], ALL, "network: none"), ("write", [], SOME, "network: none"), ("stops", [], SOME, "network: none")]
    attacks.append(("helpers", [], ALL, "isolation: none"))
    failed = strikes = 0

    def run(kind, user, namespaces, more, seed=0):
        attack = Attack(splitproof, kind, user, namespaces, more, seed, stop_for_a_while if kind == "stopped" else None)
        judge(attack, kind)
        return attack

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for attack in pool.map(lambda arguments: run(*arguments), attacks):
            failed += attack.end()
        for seed in range(1, 20):
            if strikes >= ATTACKS:
                break
            for attack in pool.map(lambda mode, seed=seed: run("random", *mode, seed), modes):
                strikes += len(attack.noted("strikes"))
                failed += attack.end()
    print(f"{len(attacks)} attacks and {strikes} random strikes, {failed} went wrong")
    return 1 if failed or strikes < ATTACKS else 0


sys.exit(main(*sys.argv[1:]))
