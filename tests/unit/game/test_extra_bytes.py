"""What few games have is kept as bytes and comes back as it was."""

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.game.play.game import NO_EXTRA, Both, Extra, Pause
from services.game.wire.extra_bytes import extra_from_bytes, extra_to_bytes

PLIES, MS = st.integers(0, 2**31 - 1), st.integers(0, 2**62)
SIDES = st.none() | st.sampled_from(Colour)
OUTCOMES = st.builds(Outcome, SIDES, st.sampled_from(EndReason))
OWN = {
    "pause": st.none() | st.builds(Pause, st.sampled_from(Colour), MS, OUTCOMES, st.booleans()),
    "takeback_offer": SIDES,
    "given_ms": st.builds(Both, MS, MS),
    "rating_diff": st.none() | st.builds(Both, st.integers(-4000, 4000), st.integers(-4000, 4000)),
}
PLAIN = {bool: st.booleans(), int: PLIES, Both: st.builds(Both, PLIES, PLIES)}
DEFAULTS = {field.name: getattr(NO_EXTRA, field.name) for field in fields(Extra)}
EXTRAS = st.builds(
    Extra, **{name: OWN[name] if name in OWN else PLAIN[type(default)] for name, default in DEFAULTS.items()}
)
"""Every field that there is, also those that are added later."""


@given(EXTRAS)
def test_it_comes_back_as_it_was(extra: Extra) -> None:
    assert extra_from_bytes(extra_to_bytes(extra)) == extra


def test_nothing_is_no_bytes_and_a_difference_of_nothing_is_one() -> None:
    assert extra_to_bytes(Extra()) == b""
    assert extra_from_bytes(b"") is NO_EXTRA
    drawn = Extra(rating_diff=Both(0, 0))
    assert extra_from_bytes(extra_to_bytes(drawn)) == drawn
