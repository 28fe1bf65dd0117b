"""Seeks and rematches as values: who fits whom, who has which colour, where the next game begins."""

from dataclasses import replace

import pytest

from services.domain.clock import ChessClock
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED, Rematch
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.game.invitations import rematch
from services.game.invitations.challenge import Wish
from services.game.lobby import seek
from services.game.lobby.seek import Range, Seek
from services.game.play.game import Game, Seat, Standing, Terms, computer_seat
from services.game.play.person import Person

WHITE, BLACK = Colour.WHITE, Colour.BLACK
BLITZ = ClockControl(300_000, 3_000)
ANN = Person("ann", "Ann", "", False, 0, 0)
BOB = Person("bob", "Bob", "", False, 0, 0)
ANYBODY = Range()
BOBS = Seat("bob", "Bob")
GUEST = Person("guest-x", "Guest-x", "", True, 0, 0)
ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def looking(control: TimeControl = BLITZ, rated: bool = False, range: Range = ANYBODY) -> Seek:
    return Seek("abcdefgh", ANN, Wish("standard", CLAIMED, control, rated, None, ""), 1500, range, 0, 1000)


@pytest.mark.parametrize(
    ("range", "rating", "admitted"),
    [
        (Range(), 0, True),
        (Range(), 1500, True),
        (Range(1500, 1800), 1500, True),
        (Range(1500, 1800), 1800, True),
        (Range(1500, 1800), 1499, False),
        (Range(1500, 1800), 1801, False),
        (Range(1500, 0), 3999, True),
        (Range(0, 1500), 400, True),
        (Range(0, 1500), 1501, False),
        (Range(0, 1500), 0, False),  # a guest has no rating that could be within
        (Range(1500, 0), 0, False),
    ],
)
def test_which_ratings_a_range_admits(range: Range, rating: int, admitted: bool) -> None:
    assert range.admits(rating) is admitted


@pytest.mark.parametrize(
    ("range", "wrong"),
    [
        (Range(), False),
        (Range(1500, 1500), False),
        (Range(1501, 1500), True),
        (Range(-1, 0), True),
        (Range(0, 5000), True),
    ],
)
def test_which_ranges_make_sense(range: Range, wrong: bool) -> None:
    assert (seek.problem_of(range) is not None) is wrong


@pytest.mark.parametrize(
    ("wanted", "person", "rating", "code"),
    [
        (looking(), BOB, 1500, None),
        (looking(), ANN, 1500, RefusalCode.NOT_ALLOWED),
        (looking(), GUEST, 0, None),
        (looking(rated=True), GUEST, 0, RefusalCode.ACCOUNT_NEEDED),
        (looking(Correspondence(3)), GUEST, 0, RefusalCode.ACCOUNT_NEEDED),
        (looking(Unlimited()), GUEST, 0, None),
        (looking(range=Range(1600, 0)), BOB, 1599, RefusalCode.NOT_ALLOWED),
    ],
)
def test_who_may_take_a_seek(wanted: Seek, person: Person, rating: int, code: RefusalCode | None) -> None:
    refusal = seek.refuse(wanted, person, rating)
    assert (refusal.code if refusal else None) == code


@pytest.mark.parametrize(
    ("seeker", "other", "coin", "side"),
    [
        (WHITE, None, BLACK, WHITE),
        (BLACK, WHITE, WHITE, BLACK),
        (None, WHITE, WHITE, BLACK),
        (None, BLACK, BLACK, WHITE),
        (None, None, WHITE, WHITE),
        (None, None, BLACK, BLACK),
    ],
)
def test_which_side_the_seeker_has(seeker: Colour | None, other: Colour | None, coin: Colour, side: Colour) -> None:
    assert seek.side_of(seeker, other, coin) is side


@pytest.mark.parametrize(("control", "live"), [(BLITZ, True), (PerMove(30_000), True), (Correspondence(1), False)])
def test_live_seeks_are_those_whose_maker_must_be_there(control: TimeControl, live: bool) -> None:
    assert looking(control).live is live


def ended(
    rule: Rematch = Rematch.COLOURS_SWAP,
    reason: EndReason = EndReason.RESIGNATION,
    variant: str = "standard",
    fen: str = "",
    party: str = "",
    black: Seat = BOBS,
) -> Game:
    terms = Terms(
        id="abcdefgh",
        variant=variant,
        rule_set=replace(CLAIMED, rematch=rule),
        control=BLITZ,
        white=Seat("ann", "Ann"),
        black=black,
        rated=False,
        source="friend",
        initial_fen=fen,
        created_ms=0,
        party_id=party,
    )
    standing = Standing(ARRAY, b"", WHITE, False, "", frozenset(), None)
    return Game(terms, 2, standing, ChessClock.start(BLITZ, WHITE, 0), Outcome(None, reason), 5)


@pytest.mark.parametrize(
    ("rule", "reason", "anns"),
    [
        (Rematch.COLOURS_SWAP, EndReason.CHECKMATE, BLACK),
        (Rematch.COLOURS_STAY, EndReason.CHECKMATE, WHITE),
        (Rematch.RANDOM, EndReason.CHECKMATE, None),
        (Rematch.COLOURS_SWAP, EndReason.ABORT, WHITE),  # nobody has had his colour yet
        (Rematch.COLOURS_SWAP, EndReason.NO_FIRST_MOVE, WHITE),
        (Rematch.RANDOM, EndReason.ABORT, None),
    ],
)
def test_colours_of_a_rematch(rule: Rematch, reason: EndReason, anns: Colour | None) -> None:
    game = ended(rule, reason)
    assert rematch.colour_of(game, "ann") is anns
    assert rematch.colour_of(game, "bob") is (None if anns is None else anns.other)


def test_who_may_ask_for_a_rematch() -> None:
    def code(game: Game, player: str) -> RefusalCode | None:
        refusal = rematch.refuse(game, player)
        return refusal.code if isinstance(refusal, Refusal) else None

    assert code(ended(), "ann") is None
    assert code(ended(reason=EndReason.ABORT), "bob") is None
    assert code(ended(black=computer_seat(3)), "ann") is None
    assert code(ended(), "eve") is RefusalCode.NOT_A_PLAYER
    assert code(ended(), "") is RefusalCode.NOT_A_PLAYER
    assert code(replace(ended(), outcome=None), "ann") is RefusalCode.NOT_ALLOWED
    assert code(ended(party="partyidx"), "ann") is RefusalCode.NOT_ALLOWED


@pytest.mark.parametrize(
    ("variant", "fen", "kept"),
    [
        ("standard", "", ""),
        ("standard", "8/7k/8/8/8/8/R7/1R5K w - - 0 1", "8/7k/8/8/8/8/R7/1R5K w - - 0 1"),
        ("chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", ""),
        ("chess960", ARRAY, ""),
        ("chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPP1/BBQNNRKR w HFhf - 0 1", None),
        ("chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR b HFhf - 0 1", None),
        ("chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRRK w HFhf - 0 1", None),
        ("shatranj", "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w - - 0 1", None),
    ],
)
def test_where_a_rematch_begins(variant: str, fen: str, kept: str | None) -> None:
    """Chess960 draws a new number; any other first position is that of the game. None: the same."""
    assert rematch.position_of(ended(variant=variant, fen=fen).terms) == (fen if kept is None else kept)
