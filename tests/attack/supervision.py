#!/usr/bin/env python3
"""Has a target stop, kill, read and trace the processes that run it, and daemons outlive it.

usage: supervision.py SPLITPROOF

Every run has to end, and every process that it started. Each way is tried with namespaces and, as in a container that
forbids them, without.
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ENDS = 30  # seconds after the last case
PYTHON = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable  # which every user may execute
ATTACKS = 200
SECRET = "secret-of-a-ci-" + str(os.getpid())
# Speaks the pipe protocol, and does before what its arguments say. It harms nothing but the harness that runs it.
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
    ancestors, top = [], os.getppid()
    while top > 1 and status(top)[1] != "splitproof":
        ancestors.append(top)
        top = status(top)[0]
    parents = {int(name): status(name)[0] for name in os.listdir("/proc") if name.isdigit()}
    family = {top} if top else set()
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return [pid for pid in sorted(family) if pid != os.getpid() and status(pid)[1].startswith("splitproof")]

def note(what, text):
    with open(folder / what, "a") as file:
        file.write(text + "\\n")

def strike(pid, number):
    try:
        os.kill(pid, number)
        note("strikes", f"{signal.Signals(number).name} {status(pid)[1]}")
    except OSError as failed:
        note("strikes", f"{signal.Signals(number).name} {pid} {failed.strerror}")

def outlive():
    """Leaves a daemon that ignores what asks it to end, and holds the pipe that the test watches."""
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)
    held = os.open(folder / "alive", os.O_WRONLY)
    os.write(held, b"x")
    os.closerange(0, 3)
    time.sleep(600)
    os._exit(0)

def try_to_write(who):
    """Opens what it should not be able to write to. It writes nothing, as the system is that of the one who tests."""
    places = ["/etc/passwd", "/etc/new", "/usr/new", "/new", "/proc/sysrq-trigger", "/root/.profile", sys.executable]
    for top in ("/proc/sys", "/sys/kernel", "/sys/module", "/sys/fs/cgroup"):
        for folder, _, files in os.walk(top): places += [f"{folder}/{name}" for name in files]
    places += [f"/dev/{name}" for name in os.listdir("/dev") if stat.S_ISBLK(os.stat(f"/dev/{name}").st_mode)]
    places += ["/dev/mem", "/dev/kmsg"]
    for place in places:
        try:
            made = not os.path.exists(place)
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
        dice = random.Random(f"{seed} {len((folder / 'strikes').read_text()) if (folder / 'strikes').exists() else 0}")
        numbers = [signal.SIGKILL, signal.SIGSTOP, signal.SIGSTOP, signal.SIGTERM, signal.SIGTSTP, signal.SIGSEGV, signal.SIGHUP]
        for _ in range(4):
            if victims := harness(): strike(dice.choice(victims), dice.choice(numbers))
    elif attack == "helpers":  # all but splitproof itself, the nearest last
        for pid in harness():
            if status(pid)[1] != "splitproof": strike(pid, signal.SIGKILL)
    elif attack == "stops":
        for pid in harness(): strike(pid, signal.SIGSTOP)
    elif attack in ("kill-keeper", "stop-keeper"):
        strike(os.getppid(), signal.SIGKILL if attack == "kill-keeper" else signal.SIGSTOP)
    elif attack == "read":
        for name in filter(str.isdigit, os.listdir("/proc")):
            for file in ("environ", "mem"):
                try:
                    with open(f"/proc/{name}/{file}", "rb") as opened:
                        note("read", f"{name} {status(name)[1]} {file} {opened.read() if file == 'environ' else b''}")
                except OSError:
                    pass

    elif attack == "write":
        try_to_write("program")
        lift_protection()
        try_to_write("program that lifted the protection")
        nest(lambda: (lift_protection(), try_to_write("program in a namespace of its own")))
        live()

if attack not in ("read", "write"): outlive()
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
# As in a container that forbids namespaces: what is tested next has to do without them.
FALLBACK = ["unshare", "--user", "--map-current-user", "--keep-caps", "--kill-child", "sh", "-c",
            "for kind in user pid mnt; do echo 0 > /proc/sys/user/max_${kind}_namespaces || exit 99; done; exec \"$@\"", "sh"]

NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


class Attack:
    def __init__(self, splitproof, name, attack, seed=0, before=(), more=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-supervision-"))
        self.folder.chmod(0o777)
        os.mkfifo(self.folder / "alive", 0o666)
        (self.folder / "alive").chmod(0o666)
        self.alive = os.open(self.folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
        (self.folder / "hostile.py").write_text(HOSTILE)
        program = [PYTHON, str(self.folder / "hostile.py"), str(self.folder), attack, str(seed), "{dir}"]
        (self.folder / "hostile.yaml").write_text(TARGET.format(command=json.dumps(program), more=more))
        environment = {name: value for name, value in os.environ.items() if name != "CI_SECRET"}
        began = time.monotonic()
        run = subprocess.Popen([*before, splitproof, "run", "--target", str(self.folder / "hostile.yaml"), "--only",
                                "openai.chat/text-plain", "--quick", "--jobs", "1"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               env={**environment, "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.name, self.wrong = name, []
        try:
            self.said = run.communicate(timeout=ENDS + 30)[0].decode()
            self.code = run.returncode
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            self.said, self.code = run.communicate()[0].decode(), None
            self.wrong.append("the run did not end")
        self.took = time.monotonic() - began
        until = time.monotonic() + 5
        while (left := self.left()) and time.monotonic() < until:
            time.sleep(0.05)
        if left:
            self.wrong.append(f"it left {left}")
            for pid in left:
                os.kill(pid, signal.SIGKILL)

    def left(self):
        """The processes that the run started, by what they execute."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                command = pathlib.Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if str(self.folder).encode() in command:
                found.append(int(name))
        return found

    def noted(self, what):
        path = self.folder / what
        return path.read_text().splitlines() if path.exists() else []

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def end(self):
        if os.environ.get("SHOW"): print(self.said[:1500])
        os.close(self.alive)
        result = f"{self.name}: exit code {self.code}, {len(self.noted('strikes'))} strikes, {self.took:.1f} s"
        print("ok    " + result if not self.wrong else f"FAILED {result}: {self.wrong}\n{self.said}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        return len(self.wrong)


if __name__ == "__main__":
    splitproof = sys.argv[1]
    for mode, before, more in (("none", [], "network: none"),("none nobody", NOBODY, "network: none")):
        for attack in ("write",):
            a = Attack(splitproof, f"{mode} {attack}", attack, 1, before, more)
            print(a.noted("strikes")[:6], [x[:60] for x in a.noted("read")], len(a.noted('written')), a.noted('written')[:10], a.noted('nested'), a.noted('lived'))
            a.end()
