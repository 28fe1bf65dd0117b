"""Ports that neither another copy of Flagfall on this machine uses nor an outgoing connection."""

import errno
import random
import socket
from types import TracebackType
from typing import Self

BLOCK_SIZE = 20
# Below the range that Linux and macOS give to outgoing connections.
FIRST, LAST = 20_000, 31_980


class NoPortsError(Exception):
    """No block of free ports was found."""


class PortBlock:
    """A block of consecutive ports. The first is kept open to mark the others as taken."""

    def __init__(self) -> None:
        starts = list(range(FIRST, LAST, BLOCK_SIZE))
        random.shuffle(starts)
        for start in starts:
            mark = _bind(start)
            if mark is None:
                continue
            if all(is_free("127.0.0.1", port) for port in range(start + 1, start + BLOCK_SIZE)):
                self._mark = mark
                self._left = list(range(start + 1, start + BLOCK_SIZE))
                return
            mark.close()
        raise NoPortsError(f"no {BLOCK_SIZE} free ports in a row between {FIRST} and {LAST}")

    def take(self) -> int:
        """The next port of the block."""
        if not self._left:
            raise NoPortsError(f"a stack has only {BLOCK_SIZE - 1} ports")
        return self._left.pop(0)

    def close(self) -> None:
        """Give the block back."""
        self._mark.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _bind(port: int) -> socket.socket | None:
    """A socket bound to a port of the loopback, or None if the port is in use."""
    held = socket.socket()
    try:
        held.bind(("127.0.0.1", port))
        held.listen(1)
    except OSError:
        held.close()
        return None
    return held


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now. Raises OSError for any other hindrance."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True
