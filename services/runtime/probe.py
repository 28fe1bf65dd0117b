"""`python -m services.runtime.probe [/readyz]`: asks this machine's admin port and ends with 0 if all is well.

For health checks from inside a container, which has no curl. The standard library alone, since it runs every few
seconds; FLAGFALL_ADMIN_PORT names the port as it does for the service.
"""

import os
import socket
import sys

TIMEOUT_S = 3.0


def probe(port: int, path: str) -> tuple[int, str]:
    """The status that the admin port gives for a path, and its body.

    Raises OSError where nobody answers in time, ValueError where what answers is no HTTP.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as connection:
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/"):
        raise ValueError("no HTTP on the admin port")
    return int(words[1]), body.decode(errors="replace")


def main(words: list[str]) -> int:
    """Probe, and print what was said for whoever looks why a container is unhealthy."""
    path = words[0] if words else "/readyz"
    try:
        status, body = probe(int(os.environ.get("FLAGFALL_ADMIN_PORT", "9000")), path)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}")
        return 1
    print(body)
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
