"""A UCI engine for tests. It plays a2a3 where that is legal, and misbehaves as its first argument says.

`stall` never answers, `die` ends, `illegal` plays what no piece can, `garbage` prints anything, `endless` prints a line
without end, `mute` does not even say that it is ready, `wait` answers when the file `go` is there. With `once=FILE`
only the first process to be asked misbehaves; `asked=FILE` is made when it is asked.
"""

import os
import sys
import time
from pathlib import Path


def say(line: str) -> None:
    print(line, flush=True)


def misbehave(mode: str, files: dict[str, Path]) -> None:
    if "asked" in files:
        files["asked"].touch()
    if "once" in files:
        if files["once"].exists():
            say("bestmove a2a3")
            return
        files["once"].touch()
    if mode == "die":
        os._exit(3)
    elif mode == "illegal":
        say("bestmove a1h8")
    elif mode == "garbage":
        say("\x00\xff bestmove\nbestmove\nbestmove (none)")
    elif mode == "endless":
        print("x" * 1_000_000, flush=True)
    elif mode == "wait":
        while not files["go"].exists():
            time.sleep(0.01)
        say("bestmove a2a3")
    elif not mode:
        say("bestmove a2a3")


def main(mode: str, *given: str) -> None:
    files = {name: Path(path) for name, _, path in (word.partition("=") for word in given)}
    for line in sys.stdin:
        word = line.split()[0]
        if word == "uci" and mode != "mute":
            say("id name Tame engine\noption name Skill Level type spin default 20 min 0 max 20\nuciok")
        elif word == "isready":
            say("readyok")
        elif word == "go":
            misbehave(mode, files)
        elif word == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
