"""A name server of one name: `python -m tests.scale.names ADDRESS FILE` answers what the file lists just then."""

import socket
import struct
import sys
from pathlib import Path

PORT = 53
A, IN = 1, 1
TTL_S = 0
POINTER_TO_QUESTION = 0xC00C


def answer(question: bytes, addresses: list[str]) -> bytes:
    """All IPv4 addresses, or no record for another kind of question (RFC 1035, 4.1)."""
    end = 12
    while question[end]:
        end += question[end] + 1
    kind, _ = struct.unpack_from("!HH", question, end + 1)
    found = addresses if kind == A else []
    head = struct.pack("!HHHHHH", *struct.unpack_from("!H", question), 0x8580, 1, len(found), 0, 0)
    records = [
        struct.pack("!HHHIH", POINTER_TO_QUESTION, A, IN, TTL_S, 4) + socket.inet_aton(address) for address in found
    ]
    return head + question[12 : end + 5] + b"".join(records)


def serve(address: str, file: Path) -> None:
    """For ever."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        door.bind((address, PORT))
        print("ready", flush=True)
        while True:
            question, asker = door.recvfrom(512)
            door.sendto(answer(question, file.read_text().split()), asker)


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
