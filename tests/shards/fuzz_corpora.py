#!/usr/bin/env python3
"""fuzz/merge joins the inputs of two machines: a small set that reaches as much code as both.

usage: fuzz_corpora.py ROOT

The fuzz target has two branches, and each machine has the inputs of one of them.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

TARGET = """
#include <cstddef>
#include <cstdint>
volatile int reached;
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  if (data[0] == 'a') {
    if (data[1] == 'b') reached = 1;
    else reached = 2;
  } else if (data[0] == 'c') {
    if (data[1] == 'd') reached = 3;
    else reached = 4;
  }
  return 0;
}
"""
MACHINES = {"one": ["ab", "abb", "abbb", "ax"], "two": ["cd", "cdd", "cx", "ab"]}


def main(root):
    if not shutil.which("clang++"):
        print("clang++ is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "build" / "fuzz").mkdir(parents=True)
        (folder / "target.cpp").write_text(TARGET)
        subprocess.run(["clang++", "-fsanitize=fuzzer", "-O0", "target.cpp", "-o", "build/fuzz/fuzz_branches"], check=True,
                       cwd=folder)
        for machine, inputs in MACHINES.items():
            (folder / machine / "branches").mkdir(parents=True)
            for number, text in enumerate(inputs):
                (folder / machine / "branches" / str(number)).write_text(text)
        merge = [str(pathlib.Path(root, "fuzz", "merge").resolve()), "build", "all"]
        done = subprocess.run([*merge, *MACHINES], cwd=folder, capture_output=True, text=True, check=True)
        merged = {path.read_text() for path in (folder / "all" / "branches").iterdir()}
        assert merged == {"ab", "ax", "cd", "cx"}, f"{merged}\n{done.stdout}"
        assert done.stdout == "branches: 4 of 8 inputs\n", done.stdout
        refused = subprocess.run([*merge, "three"], cwd=folder, capture_output=True, text=True)
        assert refused.returncode == 2 and "three is not a folder" in refused.stderr, refused
        print(done.stdout, end="")
    return 0


sys.exit(main(sys.argv[1]))
