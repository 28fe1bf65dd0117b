"""How a call of the game service fails when the service is away or busy."""

import grpc

from services.runtime.batching import Overloaded

UNREACHABLE = (grpc.aio.AioRpcError, Overloaded, OSError, TimeoutError)
"""The exceptions of a call when the game service is away or busy. The same call may be retried."""


def why(error: BaseException) -> str:
    """Such a failure in a few words, for a log line."""
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    return f"{type(error).__name__}: {error}"
