"""The secret by which services know each other: every gRPC call carries it, and a server refuses a call without it.

`FLAGFALL_SERVICE_SECRET` holds one secret, or several with commas between while it is changed: a process sends the
first and accepts each. An empty one at the end accepts calls that carry none, from a release that knew no secret.
"""

import hmac
from collections.abc import Callable, Iterable
from typing import Any

import grpc

HEADER = "flagfall-secret"
LENGTH_MIN = 16

Metadata = tuple[tuple[str, str], ...]


def parse_secrets(given: str) -> tuple[str, ...]:
    """The secrets of a setting, the one to send first; none when it is empty. Raises ValueError, never naming one."""
    if not given:
        return ()
    secrets = tuple(part.strip() for part in given.split(","))
    if not secrets[0] or "" in secrets[:-1]:
        raise ValueError("only the last of several secrets may be empty: it accepts calls without one")
    for secret in filter(None, secrets):
        if len(secret) < LENGTH_MIN:
            raise ValueError(f"a secret must have at least {LENGTH_MIN} characters")
        if not (secret.isascii() and secret.isprintable()) or " " in secret:
            raise ValueError("a secret may have printable ASCII characters only, and no space")
    return secrets


def accepts(secrets: tuple[str, ...], metadata: Iterable[tuple[str, str | bytes]] | None) -> bool:
    """Whether a call with these headers comes from one who knows a secret. Without any secret everybody may call."""
    if not secrets:
        return True
    given = next((value for name, value in metadata or () if name == HEADER), "")
    shown = given if isinstance(given, bytes) else given.encode()
    matches = [hmac.compare_digest(shown, secret.encode()) for secret in secrets]  # all, so that time tells nothing
    return any(matches)


class SecretChannel(grpc.aio.Channel):
    """A channel whose calls carry the secret.

    It adds the header where a stub is made. gRPC's own interceptors would cost each call a task of its own.
    """

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._channel = channel
        self._metadata: Metadata = ((HEADER, secret),)

    def _carrying(self, call: Callable[..., Any]) -> Any:
        own = self._metadata

        def carrying(*args: Any, metadata: Any = None, **kwargs: Any) -> Any:
            return call(*args, metadata=(*own, *metadata) if metadata else own, **kwargs)

        return carrying

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        """See grpc.aio.Channel."""
        return self._carrying(self._channel.unary_unary(*args, **kwargs))

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        """See grpc.aio.Channel."""
        return self._carrying(self._channel.unary_stream(*args, **kwargs))

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        """See grpc.aio.Channel."""
        return self._carrying(self._channel.stream_unary(*args, **kwargs))

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        """See grpc.aio.Channel."""
        return self._carrying(self._channel.stream_stream(*args, **kwargs))

    async def __aenter__(self) -> "SecretChannel":
        await self._channel.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        await self._channel.__aexit__(*raised)

    async def close(self, grace: float | None = None) -> None:
        """See grpc.aio.Channel."""
        await self._channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """See grpc.aio.Channel."""
        return self._channel.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """See grpc.aio.Channel."""
        await self._channel.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """See grpc.aio.Channel."""
        await self._channel.channel_ready()
