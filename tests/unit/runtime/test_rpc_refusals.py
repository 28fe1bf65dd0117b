"""What a client is told of a call that failed as a whole."""

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from services.domain.refusal import BUSY, RefusalCode
from services.runtime.rpc import UNAVAILABLE_STATUS, refusal_of
from services.words.catalogue import sentence


def failure(code: grpc.StatusCode, details: str = "inner words") -> AioRpcError:
    """A call that ended so."""
    return AioRpcError(code, Metadata(), Metadata(), details)


@pytest.mark.parametrize("code", sorted(UNAVAILABLE_STATUS, key=str))
def test_a_call_that_may_be_repeated_is_busy(code: grpc.StatusCode) -> None:
    assert refusal_of(failure(code)) == BUSY


def test_what_cannot_be_read_keeps_its_words() -> None:
    refusal = refusal_of(failure(grpc.StatusCode.INVALID_ARGUMENT, "no such square"))
    assert refusal.code is RefusalCode.MALFORMED
    assert "no such square" in sentence(refusal.text)


def test_a_defect_shows_nothing_of_itself() -> None:
    refusal = refusal_of(failure(grpc.StatusCode.INTERNAL))
    assert refusal.code is RefusalCode.UNAVAILABLE
    assert refusal != BUSY
    assert "inner words" not in sentence(refusal.text)
