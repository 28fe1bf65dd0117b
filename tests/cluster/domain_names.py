"""The cluster's DNS, as far as pods need it: A records of Services. A Service's name has the addresses of its pods that
are ready and are not about to end, as a headless Service has them in a cluster; a name without such a pod has none."""

import asyncio
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Self, cast

ZONE = "flagfall.svc.cluster.local"
SEARCHED = (ZONE, "svc.cluster.local", "cluster.local")
TTL_S = 5
"""As a cluster's own DNS has it."""
_A, _IN, _NO_SUCH_NAME = 1, 1, 3
_FREEBIND = 15
"""IP_FREEBIND of Linux: the bridge has its address only once the first pod is there."""

Ask = Callable[[str], Sequence[str] | None]
"""From a Service's name to addresses; None for a name that is no Service."""


class DomainNames(asyncio.DatagramProtocol):
    """Listens until `close`."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._transport: asyncio.DatagramTransport

    @classmethod
    async def open(cls, address: str, ask: Ask) -> Self:
        """Listen at port 53 of an address that may not be there yet."""
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listener.setsockopt(socket.IPPROTO_IP, _FREEBIND, 1)
        listener.setblocking(False)
        listener.bind((address, 53))
        self = cls(ask)
        await asyncio.get_running_loop().create_datagram_endpoint(lambda: self, sock=listener)
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answers are sent by."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer one question; what is no question is left unanswered."""
        if (answer := answered(data, self._ask)) is not None:
            self._transport.sendto(answer, addr)

    def close(self) -> None:
        """Listen no more."""
        self._transport.close()


def answered(question: bytes, ask: Ask) -> bytes | None:
    """The answer to a datagram (RFC 1035, 4.1); None to what cannot be read."""
    if len(question) < 17:
        return None
    number, flags, questions = struct.unpack_from("!HHH", question)
    if flags & 0x8000 or questions != 1:
        return None
    labels, at = [], 12
    while at < len(question) and (length := question[at]):
        labels.append(question[at + 1 : at + 1 + length].decode("ascii", "replace").lower())
        at += 1 + length
    end = at + 5
    if len(question) < end:
        return None
    kind, kind_class = struct.unpack_from("!HH", question, at + 1)
    name = ".".join(labels)
    found = ask(name.removesuffix(f".{ZONE}")) if name.endswith(f".{ZONE}") else None
    addresses = found if found and (kind, kind_class) == (_A, _IN) else ()
    code = _NO_SUCH_NAME if found is None else 0
    head = struct.pack("!HHHHHH", number, 0x8580 | (flags & 0x0100) | code, 1, len(addresses), 0, 0)
    records = b"".join(
        struct.pack("!HHHIH", 0xC00C, _A, _IN, TTL_S, 4) + socket.inet_aton(address) for address in addresses
    )
    return head + question[12:end] + records
