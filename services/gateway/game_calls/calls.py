"""Helpers for calls of the game service: failures, and refusals in answers, become the exception Refused."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import grpc

from services.domain.refusal import BUSY
from services.gateway.errors import Refused
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1.common_pb2 import Refusal
from services.runtime.batching import Batcher, Overloaded
from services.runtime.rpc import refusal_of
from services.runtime.wire import refusal_from_pb


class Refusable(Protocol):
    """An answer that holds either a result or a refusal."""

    @property
    def refusal(self) -> Refusal:
        """The refusal, if there is one."""

    def HasField(self, field_name: str) -> bool:
        """Whether a field of the answer is set."""


T = TypeVar("T")
A = TypeVar("A", bound=Refusable)
Item = TypeVar("Item")
Answer = TypeVar("Answer")


async def called(call: Awaitable[T]) -> T:
    """The answer of a call. Raises Refused when the call fails or times out."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise Refused(refusal_of(error)) from error
    except (Overloaded, TimeoutError) as error:
        raise Refused(BUSY) from error


def good(answer: A) -> A:
    """The answer, if it is not a refusal. Raises Refused."""
    if answer.HasField("refusal"):
        raise Refused(refusal_from_pb(answer.refusal))
    return answer


def batched(
    hop: str, send: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]], settings: GatewaySettings
) -> Batcher[Item, Answer]:
    """Send small calls in batches. `send` gets items and answers in their order; each call raises what it raises."""
    return Batcher(
        hop,
        send,
        size_max=settings.batch_size_max,
        waiting_max=settings.batch_waiting_max,
        under_way_max=settings.batches_under_way_max,
    )
