"""A side process: `python -m services.rules.side_child JOB`, started by `side_process`.

It reports that it is ready, then answers each question from its input. It ends at the end of the input, so it never
outlives the server, even if the server was killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

from services.rules.side_process import LENGTH_BYTES, READY, frame

NICENESS = 10
"""On a machine with few CPUs, moves have priority."""
Job = Callable[[bytes, int], bytes]
"""Takes a question and the milliseconds left; returns the answer."""


def job_named(name: str) -> Job:
    """The job with this name. The imports are here, so that a child loads only what its job needs."""
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
    """Answer questions from `source` to `sink` until the input ends."""
    sink.write(frame(READY))
    sink.flush()
    while header := source.read(LENGTH_BYTES):
        data = source.read(int.from_bytes(header, "big"))
        left_ms = int.from_bytes(data[:LENGTH_BYTES], "big")
        sink.write(frame(job(data[LENGTH_BYTES:], left_ms)))
        sink.flush()


def main() -> None:
    """Run the job named on the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server ends this process
    os.nice(NICENESS)
    serve(job_named(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
