"""A side process: `python -m services.rules.side_child JOB`, started by `side_process`.

Says that it is ready, then answers each question of its input. It ends when its input does, so that it never outlives
the server, however that one ended.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

from services.rules.side_process import LENGTH_BYTES, READY, frame

NICENESS = 10
"""Moves come first where processors are few."""
Job = Callable[[bytes, int], bytes]
"""From a question and the milliseconds left for it to its answer."""


def job_named(name: str) -> Job:
    """The work that a name stands for. Imported here, so that a child loads what its own work needs."""
    match name:
        case "adjudication":
            from services.rules.adjudication import answer as adjudicate

            return adjudicate
        case "pgn":
            from services.rules.pgn.pgn_job import answer as read_or_write

            return read_or_write
        case _:
            raise ValueError(f"there is no job {name!r}")


def serve(job: Job, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer until the input ends."""
    sink.write(frame(READY))
    sink.flush()
    while header := source.read(LENGTH_BYTES):
        data = source.read(int.from_bytes(header, "big"))
        left_ms = int.from_bytes(data[:LENGTH_BYTES], "big")
        sink.write(frame(job(data[LENGTH_BYTES:], left_ms)))
        sink.flush()


def main() -> None:
    """Do one job."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the whole group; the server ends this process
    os.nice(NICENESS)
    serve(job_named(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
