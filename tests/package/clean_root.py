#!/usr/bin/env python3
"""Makes a root folder that contains exactly some Debian packages with all their dependencies. Their files are
copied from this machine, and dpkg in it lists them as installed. Nothing is fetched.

usage: clean_root.py ROOT PACKAGE...

Essential packages are included. Prints the number of packages. Exits with 77 if one is not installed here."""
import pathlib
import re
import subprocess
import sys

DATABASE = pathlib.Path("var/lib/dpkg")

root = pathlib.Path(sys.argv[1])
stanzas, provided, needed = {}, {}, list(sys.argv[2:])
for stanza in pathlib.Path("/", DATABASE, "status").read_text(encoding="utf-8").strip().split("\n\n"):
    fields = dict(re.findall(r"^([A-Za-z-]+): *(.*)$", stanza, flags=re.MULTILINE))
    if fields["Status"] != "install ok installed":
        continue
    name = fields["Package"]
    stanzas[name] = (stanza, fields)
    provided.setdefault(name, name)
    for other in re.findall(r"[a-z0-9][a-z0-9.+-]+", re.sub(r"\([^)]*\)", "", fields.get("Provides", ""))):
        provided.setdefault(other, name)
    if fields.get("Essential") == "yes":
        needed.append(name)

chosen = {}
while needed:
    alternatives = [re.split(r"[ (:]", one.strip())[0] for one in needed.pop().split("|")]
    name = next((provided[one] for one in alternatives if one in provided), None)
    if name is None:
        print(f"{' or '.join(alternatives)} is not installed")
        sys.exit(77)
    if name in chosen:
        continue
    chosen[name], fields = stanzas[name]
    for key in ("Pre-Depends", "Depends"):
        needed += [one for one in fields.get(key, "").split(",") if one.strip()]

for folder in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "proc", "dev", DATABASE / "info", DATABASE / "updates"):
    (root / folder).mkdir(parents=True, exist_ok=True)
for folder in ("bin", "sbin", "lib", "lib64"):
    (root / folder).symlink_to(f"usr/{folder}")
paths = {"/etc/passwd", "/etc/group"}  # made by a script of base-passwd
for name in chosen:
    for info in pathlib.Path("/", DATABASE, "info").glob(f"{name}*.list"):
        if info.stem.partition(":")[0] == name:
            paths.add(str(info))
            paths.update(info.read_text(encoding="utf-8").splitlines())
files = [path for path in paths if (here := pathlib.Path(path)).is_symlink() or here.exists()]
with subprocess.Popen(["tar", "-cf", "-", "--no-recursion", "--null", "-T", "-"], cwd="/", stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE, ) as pack:
    with subprocess.Popen(["tar", "-xf", "-", "--keep-directory-symlink", "-C", root], stdin=pack.stdout) as unpack:
        pack.stdin.write(b"\0".join(f".{path}".encode() for path in sorted(files)))
        pack.stdin.close()
    if pack.wait() or unpack.returncode:
        sys.exit("the files could not be copied")
(root / DATABASE / "status").write_text("\n\n".join(chosen.values()) + "\n", encoding="utf-8")
print(len(chosen))
