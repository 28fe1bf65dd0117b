"""The decisions on a game: every command against every state that matters, with time handed in."""

from dataclasses import replace

import pytest

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE
from services.domain.time_control import Correspondence, Unlimited
from services.game.play.change import Change, ChangeKind
from services.game.play.command import Action
from services.game.play.commands.draws import ClaimDraw, CloseDraw, OfferDraw
from services.game.play.commands.flags import Flag
from services.game.play.commands.moving import Abort, Move, Resign
from services.game.play.game import COMPUTER_ID, Seat
from services.game.play.question import Forfeit, ForfeitKind, Play
from tests.stack.said import said
from tests.unit.game.deciding import LIMITS, ask, both_moved, changed, code, forfeited, new_game, played, question


def test_a_move_makes_the_next_version() -> None:
    change = ask(new_game(), "anna", Move("e4", ply=0), 5_000, played(Colour.BLACK))
    game = changed(change)
    assert (game.version, game.ply, game.turn, game.last_san) == (2, 1, Colour.BLACK, "e4")
    assert (game.clock.white_ms, game.clock.black_ms, game.clock.turn_started_ms) == (61_000, 60_000, 5_000)
    assert isinstance(change, Change)
    assert (change.kind, change.by) == (ChangeKind.MOVE, Colour.WHITE)


@pytest.mark.parametrize(
    ("player", "action", "expected"),
    [
        ("bert", Move("e7e5"), RefusalCode.NOT_YOUR_TURN),
        ("carl", Move("e2e4"), RefusalCode.NOT_A_PLAYER),
        ("carl", Resign(), RefusalCode.NOT_A_PLAYER),
        ("carl", ClaimDraw(), RefusalCode.NOT_A_PLAYER),
        ("", Resign(), RefusalCode.NOT_A_PLAYER),
        ("anna", Move("e2e4", ply=1), RefusalCode.STALE_VERSION),
        ("anna", Move("e2e4", ply=-1), RefusalCode.STALE_VERSION),
    ],
)
def test_refusals_before_the_rules_are_asked(player: str, action: Action, expected: RefusalCode) -> None:
    assert code(ask(new_game(), player, action, 1_000)) is expected


def test_the_rules_own_refusal_is_passed_on() -> None:
    illegal = Refusal(RefusalCode.ILLEGAL_MOVE, said("no"))
    assert ask(new_game(), "anna", Move("e2e5"), 1_000, illegal) == illegal


def test_nothing_is_possible_after_the_end() -> None:
    game = changed(ask(both_moved(), "anna", Resign(), 3_000))
    assert (game.outcome, game.ended_ms) == (Outcome(Colour.BLACK, EndReason.RESIGNATION), 3_000)
    for action in (Move("e2e4"), Resign(), Abort(), OfferDraw(), ClaimDraw(), ClaimDraw("e4"), CloseDraw()):
        assert code(ask(game, "bert", action, 4_000)) is RefusalCode.GAME_OVER
    assert code(ask(game, "", Flag(game.version), 10**9)) is RefusalCode.GAME_OVER


def test_the_rules_outcome_ends_the_game_with_the_move() -> None:
    mate = Outcome(Colour.WHITE, EndReason.CHECKMATE)
    game = changed(ask(both_moved(), "anna", Move("Qf7"), 3_000, played(Colour.BLACK, mate)))
    assert (game.outcome, game.deadline(LIMITS)) == (mate, None)


@pytest.mark.parametrize(
    ("late_ms", "accepted"), [(-5, True), (-1, True), (0, False), (1, False), (5, False), (200, False)]
)
def test_a_move_in_the_instant_of_the_flag_is_decided_by_its_time_of_receipt(late_ms: int, accepted: bool) -> None:
    # Case C04. White has 61 s after both have moved; the turn began at 2 s.
    game = both_moved()
    deadline_ms = 2_000 + game.clock.white_ms
    now_ms = deadline_ms + late_ms
    if accepted:
        assert isinstance(question(game, "anna", Move("e2e4"), now_ms), Play)
        moved = changed(ask(game, "anna", Move("e2e4"), now_ms, played(Colour.BLACK)))
        assert moved.clock.white_ms == -late_ms + 1_000
    else:
        assert code(ask(game, "anna", Move("e2e4"), now_ms)) is RefusalCode.TIME_IS_UP


def test_a_flag_never_falls_before_the_deadline_and_the_grace() -> None:
    game = both_moved()
    deadline_ms = 2_000 + game.clock.white_ms
    assert code(ask(game, "", Flag(game.version), deadline_ms + 99)) is RefusalCode.NOT_DUE
    over = changed(ask(game, "", Flag(game.version), deadline_ms + 100, forfeited(Colour.BLACK)))
    assert (over.outcome, over.clock.white_ms) == (Outcome(Colour.BLACK, EndReason.FLAG), 0)


def test_a_flag_may_give_a_draw() -> None:
    game = both_moved()
    over = changed(ask(game, "", Flag(game.version), 10**6, forfeited(None)))
    assert over.outcome == Outcome(None, EndReason.FLAG)


def test_an_outdated_flag_is_refused() -> None:
    game = both_moved()
    assert code(ask(game, "", Flag(game.version - 1), 10**9)) is RefusalCode.STALE_VERSION


def test_the_flag_is_adjudicated_for_the_side_to_move() -> None:
    game = both_moved()
    assert question(game, "", Flag(game.version), 10**6) == Forfeit(
        "standard", CLAIMED, "after", b"k" * 16, Colour.WHITE, ForfeitKind.FLAG
    )


def test_a_first_move_that_never_comes_aborts() -> None:
    game = new_game()
    assert code(ask(game, "", Flag(1), 30_099)) is RefusalCode.NOT_DUE
    over = changed(ask(game, "", Flag(1), 30_100))
    assert over.outcome == Outcome(None, EndReason.NO_FIRST_MOVE)
    assert code(ask(game, "anna", Move("e2e4"), 30_000)) is RefusalCode.TIME_IS_UP


def test_a_correspondence_limit_is_a_fallen_flag_of_its_own_name() -> None:
    game = new_game(Correspondence(1))
    over = changed(ask(game, "", Flag(1), 86_400_100, forfeited(Colour.BLACK)))
    assert over.outcome == Outcome(Colour.BLACK, EndReason.EXPIRY)


def test_an_outage_is_given_back_to_the_side_to_move() -> None:
    game = both_moved()
    outage = Outages(((10_000, 100_000),))
    assert code(ask(game, "", Flag(game.version), 2_000 + 61_000 + 100, outages=outage)) is RefusalCode.NOT_DUE
    moved = changed(ask(game, "anna", Move("e2e4"), 103_000, played(Colour.BLACK), outage))
    # 101 s passed since the turn began, 90 of them an outage: 11 s are charged.
    assert moved.clock.white_ms == 61_000 - 11_000 + 1_000


@pytest.mark.parametrize("player", ["anna", "bert"])
def test_either_side_may_abort_before_both_have_moved(player: str) -> None:
    assert changed(ask(new_game(), player, Abort(), 100)).outcome == Outcome(None, EndReason.ABORT)
    one = changed(ask(new_game(), "anna", Move("e2e4"), 100, played(Colour.BLACK)))
    assert changed(ask(one, player, Abort(), 200)).outcome == Outcome(None, EndReason.ABORT)
    assert code(ask(both_moved(), player, Abort(), 3_000)) is RefusalCode.NOT_ALLOWED


def test_resigning_before_the_first_move_is_a_loss() -> None:
    # Row 71.
    assert changed(ask(new_game(), "bert", Resign(), 1)).outcome == Outcome(Colour.WHITE, EndReason.RESIGNATION)


class TestDrawOffers:
    """Case G04 and rows 66-70."""

    def test_the_own_move_keeps_the_offer_and_the_opponents_ends_it(self) -> None:
        offered = changed(ask(both_moved(), "anna", OfferDraw(), 3_000))
        assert offered.draw_offer is Colour.WHITE
        moved = changed(ask(offered, "anna", Move("a2a3"), 4_000, played(Colour.BLACK)))
        assert moved.draw_offer is Colour.WHITE
        replied = changed(ask(moved, "bert", Move("a7a6"), 5_000, played(Colour.WHITE)))
        assert replied.draw_offer is None

    def test_an_offer_is_accepted_by_offering(self) -> None:
        offered = changed(ask(both_moved(), "anna", OfferDraw(), 3_000))
        assert changed(ask(offered, "bert", OfferDraw(), 3_001)).outcome == Outcome(None, EndReason.AGREEMENT)

    def test_an_offer_comes_with_a_move_and_is_accepted_with_one(self) -> None:
        moved = changed(ask(both_moved(), "anna", Move("a2a3", offer_draw=True), 3_000, played(Colour.BLACK)))
        assert moved.draw_offer is Colour.WHITE
        agreed = ask(moved, "bert", Move("a7a6", offer_draw=True), 4_000, played(Colour.WHITE))
        assert changed(agreed).outcome == Outcome(None, EndReason.AGREEMENT)

    def test_mate_comes_before_agreement(self) -> None:
        mate = Outcome(Colour.BLACK, EndReason.CHECKMATE)
        moved = changed(ask(both_moved(), "anna", Move("a2a3", offer_draw=True), 3_000, played(Colour.BLACK)))
        assert (
            changed(ask(moved, "bert", Move("Qe1", offer_draw=True), 4_000, played(Colour.WHITE, mate))).outcome == mate
        )

    def test_a_decline_does_not_poison_later_offers(self) -> None:
        game = changed(ask(both_moved(), "anna", OfferDraw(), 3_000))
        game = changed(ask(game, "bert", CloseDraw(), 3_001))
        assert game.draw_offer is None
        game = changed(ask(game, "bert", OfferDraw(), 3_002))
        assert changed(ask(game, "anna", OfferDraw(), 3_003)).outcome == Outcome(None, EndReason.AGREEMENT)

    def test_a_draw_command_that_finds_nothing_to_do_is_a_version_of_its_own(self) -> None:
        # It keeps the command's id, so that its repetition cannot do later what it did not do now.
        offered = changed(ask(both_moved(), "anna", OfferDraw(), 3_000))
        again = changed(ask(offered, "anna", OfferDraw(), 3_001))
        assert (again.version, replace(again, version=offered.version)) == (offered.version + 1, offered)
        nothing = changed(ask(both_moved(), "anna", CloseDraw(), 3_001))
        assert (nothing.version, replace(nothing, version=both_moved().version)) == (4, both_moved())

    def test_the_clock_runs_on_while_an_offer_is_made(self) -> None:
        game = both_moved()
        offered = changed(ask(game, "anna", OfferDraw(), 30_000))
        assert offered.clock == game.clock

    def test_the_computer_takes_no_offers_but_bows_to_a_claim(self) -> None:
        computer = Seat(COMPUTER_ID, "Computer", computer_level=3)
        game = new_game(Unlimited(), computer)
        assert code(ask(game, "anna", OfferDraw(), 1)) is RefusalCode.NOT_ALLOWED
        moved = changed(ask(game, "anna", Move("a2a3", offer_draw=True), 1, played(Colour.BLACK)))
        assert moved.draw_offer is None
        repeated = replace(game, standing=replace(game.standing, claims=frozenset([Claim.THREEFOLD])))
        assert changed(ask(repeated, "anna", OfferDraw(), 1)).outcome == Outcome(None, EndReason.REPETITION)


class TestResigningAgainstASideThatCannotWin:
    """FIDE 5.1.2, where the rule set follows it."""

    @pytest.mark.parametrize(
        ("winner", "undetermined"),
        [(Colour.WHITE, False), (None, False), (Colour.WHITE, True)],
        ids=["a win", "a draw", "a win until a search proves otherwise"],
    )
    def test_the_verdict_decides(self, winner: Colour | None, undetermined: bool) -> None:
        for rule_set in (FIDE, AUTOMATIC):
            game = both_moved(new_game(rule_set=rule_set))
            assert question(game, "bert", Resign(), 3_000) == Forfeit(
                "standard", rule_set, "after", b"k" * 16, Colour.BLACK, ForfeitKind.RESIGNATION
            )
            verdict = forfeited(winner, EndReason.RESIGNATION, undetermined=undetermined)
            change = ask(game, "bert", Resign(), 3_000, verdict)
            assert isinstance(change, Change)
            assert (change.game.outcome, change.by) == (Outcome(winner, EndReason.RESIGNATION), Colour.BLACK)

    def test_elsewhere_it_loses_and_nobody_is_asked(self) -> None:
        for rule_set in (CLAIMED, EVERYDAY):
            lost = changed(ask(both_moved(new_game(rule_set=rule_set)), "bert", Resign(), 3_000))
            assert lost.outcome == Outcome(Colour.WHITE, EndReason.RESIGNATION)

    def test_without_an_answer_of_the_rules_nothing_is_decided(self) -> None:
        away = Refusal(RefusalCode.UNAVAILABLE, said("away"))
        assert ask(both_moved(new_game(rule_set=FIDE)), "bert", Resign(), 3_000, away) == away


def test_nobody_has_an_empty_seat() -> None:
    # Of an imported game: it says who played it, and none of them is here.
    assert replace(new_game().terms, white=Seat("", "anna"), black=Seat("", "bert")).side_of("") is None


def test_time_never_runs_backwards() -> None:
    game = both_moved()
    moved = changed(ask(game, "anna", Move("a2a3"), 1_990, played(Colour.BLACK)))
    assert (moved.clock.white_ms, moved.clock.turn_started_ms) == (62_000, 2_000)
