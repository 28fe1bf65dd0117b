"""`python -m services.runtime.probe [/readyz]`: asks the admin port of this machine and exits with 0 if all is well.

For health checks inside a container, which has no curl. It imports only the standard library, since it runs every few
seconds. FLAGFALL_ADMIN_PORT is the port, as for the service.
"""

import os
import socket
import sys

TIMEOUT_S = 3.0


def probe(port: int, path: str) -> tuple[int, str]:
    """The HTTP status and the body that the admin port answers for a path.

    Raises OSError if there is no answer in time, ValueError if the answer is not HTTP.
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
    """Probe and print the answer, which shows why a container is unhealthy. Return the exit status."""
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
