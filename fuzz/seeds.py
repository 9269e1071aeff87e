#!/usr/bin/env python3
"""Makes the seeds of all fuzz targets, a folder TARGET below FOLDER for each: the seeds in fuzz/seeds, and earlier
findings. Targets that read streams also get every recording of the corpus, after five bytes that choose cuts,
ending and protocols.
"""
import argparse
import base64
import json
import pathlib
import shutil

FUZZ = pathlib.Path(__file__).resolve().parent
FRAMES = "event_streams"  # has its own seeds, and reads the bodies of one protocol
STREAMS = ("check", "meaning", "recuts", "relay", "sse_readers", "translator")
OTHERS = tuple(path.name for path in sorted((FUZZ / "seeds").iterdir()) if path.is_dir())


def body_of(recording):
    chunks = [json.loads(line) for line in recording.read_text(encoding="utf-8").rstrip("\n").split("\n")[1:]]
    return b"".join(c["text"].encode() if "text" in c else base64.b64decode(c.get("base64", "")) for c in chunks)


def main(made):
    # The numbers of protocols in the targets.
    protocols = json.loads((FUZZ / "protocols.json").read_text())
    numbers = {"check": protocols["dialects"], "recuts": protocols["dialects"], "meaning": protocols["pairs"],
               "translator": protocols["pairs"], "relay": protocols["relays"],
               FRAMES: protocols["frames"]}
    for target in STREAMS + OTHERS:
        folder = made / target
        folder.mkdir(parents=True)
        own = FUZZ / "seeds" / target if target in OTHERS else FUZZ / "seeds"
        for seeds in (own, FUZZ / "regressions" / target):
            for seed in sorted(seeds.glob("*")):
                if seed.is_file():
                    shutil.copy(seed, folder / f"{seeds.parent.name}-{seed.name}")
    for number, path in enumerate(sorted((FUZZ.parent / "corpus").rglob("*.rec.jsonl"))):
        body = body_of(path)
        for target in (*STREAMS, FRAMES):
            choices = numbers[target].get(path.parent.name) if target in numbers else [0]
            if choices:
                chosen = choices[number % len(choices)] * 4
                (made / target / f"{number}-{path.name}").write_bytes(b"\x40\x00\x90\x01" + bytes([chosen]) + body)


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="folder for the seeds; it must be new")
main(arguments.parse_args().folder)
