"""Which games count for ratings, and what a batch of ends does to them. Pure."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.clock import ChessClock
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rating import START, Rating, both_after
from services.domain.rule_set import CLAIMED, FIDE, PARTY, PRESETS, RuleSet
from services.domain.time_control import ClockControl, Correspondence, PerMove, Speed, TimeControl, Unlimited
from services.domain.variant import Variant
from services.game.play.change import Change, ChangeKind
from services.game.play.command import Command
from services.game.play.commands.moving import Resign
from services.game.play.game import COMPUTER_ID, Both, Extra, Game, Seat, Standing, Terms
from services.game.ratings import sql_ratings
from services.game.ratings.ratings import counts, key_of, moves_ratings, owners, rate, settle, shown
from services.game.ratings.sql_ratings import Owned
from services.game.store.sql_store import Save
from services.game.wire.events import VersionEvent
from services.pb.flagfall.v1 import events_pb2

ANNA, BERT, CARL = Seat("anna", "Anna"), Seat("bert", "Bert"), Seat("carl", "Carl")
GUEST = Seat("guest-2", "Guest-2", guest=True)
COMPUTER = Seat(COMPUTER_ID, "Computer level 3", computer_level=3)
NOBODY = Seat("", "Anderssen")
BLITZ = ClockControl(300_000, 0)
STANDING = Standing("w", b"k" * 8, Colour.WHITE, False, "", frozenset(), None)
WON, LOST, DRAWN = (
    Outcome(winner, EndReason.RESIGNATION if winner else EndReason.AGREEMENT)
    for winner in (Colour.WHITE, Colour.BLACK, None)
)
PARTLY = Rating(1_700.25, 80.0, 0.06, games=31, at_ms=1_000)


def game(
    outcome: Outcome | None = WON,
    white: Seat = ANNA,
    black: Seat = BERT,
    *,
    game_id: str = "game0001",
    control: TimeControl = BLITZ,
    variant: str = "standard",
    rule_set: RuleSet = CLAIMED,
    rated: bool = True,
    ended_ms: int = 5_000,
    **extra: Any,
) -> Game:
    """A rated game of blitz that Anna has won with White against Bert, unless something else is said."""
    terms = Terms(game_id, variant, rule_set, control, white, black, rated, "friend", "", 0)
    clock = ChessClock.start(control, Colour.WHITE, 0)
    return Game(terms, 9, STANDING, clock, outcome, None if outcome is None else ended_ms, extra=Extra(**extra))


@pytest.mark.parametrize(
    "outcome", [WON, LOST, DRAWN, Outcome(None, EndReason.FLAG), Outcome(Colour.WHITE, EndReason.EXPIRY)]
)
def test_an_ended_rated_game_between_accounts_counts(outcome: Outcome) -> None:
    assert counts(game(outcome))


@pytest.mark.parametrize(
    ("why", "other"),
    [
        ("it goes on", game(None)),
        ("it is casual", game(rated=False)),
        ("it was aborted", game(Outcome(None, EndReason.ABORT))),
        ("nobody came", game(Outcome(None, EndReason.NO_FIRST_MOVE))),
        ("a takeback, a computer in a seat or going on has made it unrated", game(unrated=True)),
        ("White is a guest", game(white=GUEST)),
        ("Black is a guest", game(black=GUEST)),
        ("one side is the computer", game(black=COMPUTER)),
        ("it was imported", game(white=NOBODY, black=NOBODY)),
        ("somebody plays both sides", game(black=ANNA)),
    ],
)
def test_other_games_do_not(why: str, other: Game) -> None:
    assert not counts(other), why


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_draw_counts_half_or_leaves_ratings_as_the_rule_set_says(preset: str) -> None:
    """Rows 74 and 75."""
    rules = PRESETS[preset]
    assert moves_ratings(game(DRAWN, rule_set=rules)) == (preset != "party")
    assert moves_ratings(game(WON, rule_set=rules))


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        (ClockControl(15_000, 0), Speed.ULTRA_BULLET),
        (ClockControl(60_000, 2_000), Speed.BULLET),
        (ClockControl(300_000, 0), Speed.BLITZ),
        (ClockControl(600_000, 5_000), Speed.RAPID),
        (ClockControl(1_800_000, 0), Speed.CLASSICAL),
        (PerMove(30_000), Speed.RAPID),
        (PerMove(60_000), Speed.CLASSICAL),
        (Correspondence(3), Speed.CORRESPONDENCE),
        (Unlimited(), Speed.CORRESPONDENCE),
    ],
)
def test_a_game_counts_for_its_variant_and_speed(control: TimeControl, speed: Speed) -> None:
    assert key_of("atomic", control) == (Variant.ATOMIC, speed)


def test_a_win_moves_both_by_whole_points_that_add_up() -> None:
    won = game()
    anna, bert = owners(won)
    differences, changed, points = rate([won], {anna: PARTLY, bert: START})
    after = both_after(PARTLY, START, Colour.WHITE, 5_000)
    assert (changed[anna], changed[bert]) == after
    assert differences == {"game0001": Both(shown(after[0]) - 1_700, shown(after[1]) - 1_500)}
    assert differences["game0001"].white > 0 > differences["game0001"].black
    assert [(point.owned, point.number, point.at_ms, point.value) for point in points] == [
        (anna, 32, 5_000, after[0].value),
        (bert, 1, 5_000, after[1].value),
    ]


def test_black_wins_for_black() -> None:
    lost = game(LOST)
    anna, bert = owners(lost)
    _, changed, _ = rate([lost], {anna: PARTLY, bert: PARTLY})
    assert changed[anna].value < PARTLY.value < changed[bert].value


def test_a_draw_that_leaves_ratings_alone_changes_nothing_and_says_so() -> None:
    differences, changed, points = rate([game(DRAWN, rule_set=PARTY)], {})
    assert (differences, changed, points) == ({"game0001": Both(0, 0)}, {}, [])


def test_a_draw_against_a_stronger_player_gains() -> None:
    drawn = game(DRAWN, rule_set=FIDE)
    anna, bert = owners(drawn)
    _, changed, _ = rate([drawn], {anna: PARTLY, bert: START})
    assert changed[anna].value < PARTLY.value
    assert changed[bert].value > START.value


def test_two_games_of_one_player_are_applied_in_order_of_their_ends() -> None:
    later = game(LOST, ANNA, CARL, game_id="game0001", ended_ms=6_000)
    earlier = game(WON, ANNA, BERT, game_id="game0002", ended_ms=5_000)
    anna, bert = owners(earlier)
    carl = owners(later)[1]
    ratings = {anna: PARTLY, bert: START, carl: START}
    differences, changed, points = rate([later, earlier], ratings)
    first = both_after(PARTLY, START, Colour.WHITE, 5_000)
    second = both_after(first[0], START, Colour.BLACK, 6_000)
    assert changed == {anna: second[0], bert: first[1], carl: second[1]}
    assert [(point.game_id, point.number) for point in points if point.owned == anna] == [
        ("game0002", 32),
        ("game0001", 33),
    ]
    assert differences["game0002"].white + differences["game0001"].white == shown(second[0]) - shown(PARTLY)


def test_games_at_different_speeds_do_not_touch_each_other() -> None:
    blitz, slow = game(), game(LOST, game_id="game0002", control=Correspondence(3))
    ratings = {owned: PARTLY for one in (blitz, slow) for owned in owners(one)}
    _, changed, _ = rate([blitz, slow], ratings)
    assert len(changed) == 4
    assert {rating.games for rating in changed.values()} == {32}


def test_a_game_of_somebody_who_is_gone_changes_nobody() -> None:
    won = game()
    assert rate([won], {owners(won)[0]: PARTLY}) == ({}, {}, [])


async def test_ratings_of_conditional_answers_are_locked_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second version of a game, in the same commit, finds them held: nothing is locked out of order."""
    locked: list[set[Owned]] = []

    async def hold_games(connection: object, saves: Sequence[Save]) -> set[str]:
        return {save.change.game.terms.id for save in saves}

    async def hold(connection: object, owned: set[Owned]) -> dict[Owned, Rating]:
        locked.append(owned)
        return dict.fromkeys(owned, START)

    monkeypatch.setattr(sql_ratings, "hold_games", hold_games)
    monkeypatch.setattr(sql_ratings, "hold", hold)

    def save(of: Game, then: Save | None = None) -> Save:
        event = VersionEvent(events_pb2.GameEvent(state=events_pb2.GameState(game_id=of.terms.id)))
        command = Command(of.terms.id, "anna", "c1", Resign(), b"", 0)
        return Save(command, Change(of, ChangeKind.MOVE, Colour.WHITE, 0), event, then=then)

    slow: dict[str, Any] = {"game_id": "game0002", "black": CARL, "control": Correspondence(3)}
    answered = save(game(None, **slow), save(game(WON, **slow)))
    connection = cast(AsyncConnection, None)
    first = await settle(connection, [save(game()), answered])
    assert locked == [{*owners(game()), *owners(game(**slow))}]
    assert set(first.ratings) == set(owners(game())), "what is not over yet is not rated"
    told = first.saves[1].then
    assert told is answered.then
    rated, unrated = (events_pb2.GameEvent.FromString(save.event.to_bytes()) for save in (first.saves[0], answered))
    assert not unrated.state.HasField("white_rating_diff")
    assert rated.state.white_rating_diff > 0
