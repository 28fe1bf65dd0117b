"""Numbered things come out in order and once, whatever way they come in."""

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.hub.in_order import InOrder


@given(st.permutations(range(1, 13)), st.lists(st.integers(1, 12), max_size=30))
def test_any_order_with_repetitions_comes_out_sorted(order: list[int], again: list[int]) -> None:
    given_out: list[int] = []
    gate: InOrder[int] = InOrder(0, 100)
    for number in [*order, *again]:
        given_out += gate.take(number, number) or []
        for other in again[:3]:
            if other in order[: order.index(number) + 1]:
                assert gate.take(other, other) is None
    assert given_out == list(range(1, 13))
    assert not gate.gap


def test_what_comes_early_waits_and_makes_a_gap() -> None:
    gate: InOrder[str] = InOrder(4, 2)
    assert gate.take(7, "seven") == []
    early = gate.gap
    assert early
    assert gate.take(6, "six") == []
    assert gate.take(8, "eight") == []  # no room: it is dropped, and the gap stays known
    assert gate.take(5, "five") == ["five", "six", "seven"]
    assert not gate.gap
    assert gate.last == 7


def test_jump_drops_what_is_older_and_gives_out_what_follows() -> None:
    gate: InOrder[str] = InOrder(4, 10)
    for number, word in ((7, "seven"), (9, "nine"), (10, "ten")):
        gate.take(number, word)
    assert gate.jump(8) == ["nine", "ten"]
    assert gate.jump(3) == []
    assert gate.take(10, "again") is None
    assert gate.last == 10
