"""Calls of the game service: what fails, and what is refused in an answer, is raised as Refused."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import grpc

from services.gateway.errors import Refused
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1.common_pb2 import Refusal
from services.runtime.batching import Batcher, Overloaded
from services.runtime.rpc import BUSY, refusal_of
from services.runtime.wire import refusal_from_pb


class Refusable(Protocol):
    """An answer that holds either what was asked for or a refusal."""

    @property
    def refusal(self) -> Refusal:
        """Why there is nothing else."""

    def HasField(self, field_name: str) -> bool:
        """Whether that is there."""


T = TypeVar("T")
A = TypeVar("A", bound=Refusable)
Item = TypeVar("Item")
Answer = TypeVar("Answer")


async def called(call: Awaitable[T]) -> T:
    """What a call answers."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        raise Refused(refusal_of(error)) from error
    except (Overloaded, TimeoutError) as error:
        raise Refused(BUSY) from error


def good(answer: A) -> A:
    """An answer that holds what was asked for."""
    if answer.HasField("refusal"):
        raise Refused(refusal_from_pb(answer.refusal))
    return answer


def batched(
    hop: str, send: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]], settings: GatewaySettings
) -> Batcher[Item, Answer]:
    """Many small calls as few: `send` takes them together and answers in their order. They raise what it raises."""
    return Batcher(
        hop,
        send,
        size_max=settings.batch_size_max,
        waiting_max=settings.batch_waiting_max,
        under_way_max=settings.batches_under_way_max,
    )
