"""Lives told move by move, one for each way in which a game ends: all that holds for a random life holds for them.

Nothing is left to chance, so every kind of end is met each time (test_life_at_random.py meets the common ones).
"""

from dataclasses import dataclass, replace

import pytest

from services.domain.clock import Outages
from services.domain.outcome import EndReason
from services.domain.rule_set import CLAIMED, PARTY, AbsentPlayer, FallenFlag, RuleSet, Takeback
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.game.play.game import Both, Seat, computer_seat
from services.game.play.moment import closes
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.life import Life, Seen, begun
from tests.integration.game.random_life import Absences, LifeTerms
from tests.integration.races.race_replicas import ANNA, BERT, PATIENT, racing, uci

MINUTE = ClockControl(60_000, 0)
DAY_MS = 86_400_000
BEYOND_MS = 10**9
"""An absence that is longer than any limit."""
CONSENT = replace(CLAIMED, takeback=Takeback.BY_CONSENT)
CLAIM_ABSENT = replace(CLAIMED, absent_player=AbsentPlayer.OPPONENT_CLAIMS)
CHOOSES = replace(CLAIMED, fallen_flag=FallenFlag.OPPONENT_DECIDES)
TO_AND_FRO = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"

RESIGN, ABORT, DRAW = (
    pb.Command(resign=pb.Resign()),
    pb.Command(abort=pb.Abort()),
    pb.Command(offer_draw=pb.OfferDraw()),
)
CLAIM_DRAW, CLAIM_WIN = pb.Command(claim_draw=pb.ClaimDraw()), pb.Command(claim_win=pb.ClaimWin())
TAKEBACK, UNDO = pb.Command(offer_takeback=pb.OfferTakeback()), pb.Command()
UNDO.undo.SetInParent()


@dataclass(frozen=True)
class By:
    """What a side asks for, `later_ms` after what came before."""

    who: str
    command: pb.Command
    later_ms: int = 1_000


@dataclass(frozen=True)
class Due:
    """The clock sends a flag as soon as the limit of this version counts as passed."""


@dataclass(frozen=True)
class Abandoned:
    """The server finds that both have left for good."""


Deed = By | Due | Abandoned


@dataclass(frozen=True)
class Story:
    """A game and what happens in it: moves by the sides in turn, then deeds."""

    reason: EndReason
    moves: str = ""
    then: tuple[Deed, ...] = ()
    control: TimeControl = MINUTE
    rule_set: RuleSet = CLAIMED
    variant: str = "standard"
    fen: str = ""
    black: Seat = BERT
    rated: bool = False
    away_ms: Both[int | None] | None = None


EACH_END = (
    Story(EndReason.CHECKMATE, "f2f3 e7e5 g2g4 d8h4", rated=True),
    Story(EndReason.RESIGNATION, "e2e4 e7e5", (By("black", RESIGN),), rated=True),
    Story(EndReason.STALEMATE, "g6h6", fen="7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"),
    Story(EndReason.REPETITION, TO_AND_FRO, (By("white", CLAIM_DRAW),), rated=True),
    Story(
        EndReason.MOVE_COUNT, "h2h3 e6d6 h3h4 d6c6", (By("white", CLAIM_DRAW),), fen="8/8/4k3/8/8/3K4/7R/8 w - - 96 90"
    ),
    Story(EndReason.DEAD_POSITION, "c1c2", fen="8/8/8/8/8/4k3/2p5/2K5 w - - 0 1"),
    Story(EndReason.AGREEMENT, "e2e4 e7e5", (By("white", DRAW), By("black", DRAW)), rated=True),
    Story(EndReason.FLAG, "e2e4 e7e5 g1f3", (Due(),), rated=True),
    Story(EndReason.FLAG, "e2e4 e7e5 g1f3", (Due(), By("white", CLAIM_WIN)), rule_set=CHOOSES),
    Story(EndReason.EXPIRY, "e2e4 e7e5", (Due(),), control=Correspondence(1)),
    Story(EndReason.EXPIRY, "e2e4 e7e5", (By("black", CLAIM_WIN, 14 * DAY_MS + 1_000),), control=Unlimited()),
    Story(EndReason.ABORT, "e2e4", (By("black", ABORT),)),
    Story(EndReason.NO_FIRST_MOVE, "e2e4", (Due(),), rated=True),
    Story(EndReason.BARE_KING, "e1e2", variant="shatranj", fen="4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"),
    Story(EndReason.THIRD_CHECK, "e2e4 e7e5 f1c4 b8c6 c4f7 e8f7 d1h5 g7g6 h5g6", variant="threeCheck"),
    Story(EndReason.HILL, "e2e4 a7a6 e1e2 a6a5 e2d3 a5a4 d3d4", variant="kingOfTheHill"),
    Story(EndReason.EXPLOSION, "g1f3 a7a6 f3g5 a6a5 g5f7", variant="atomic"),
    Story(EndReason.ALL_TAKEN, "e4e5 d6e5", variant="antichess", fen="8/8/3p4/8/4P3/8/8/8 w - - 0 1"),
    Story(EndReason.RACE, "h7h8", variant="racingKings", fen="8/7K/8/8/8/8/k7/8 w - - 0 1"),
    Story(
        EndReason.ABSENCE,
        "e2e4 e7e5",
        (By("white", CLAIM_WIN),),
        rule_set=CLAIM_ABSENT,
        away_ms=Both(None, BEYOND_MS),
    ),
    Story(EndReason.ABANDONED, "e2e4 e7e5", (Abandoned(),), rule_set=PARTY, away_ms=Both(BEYOND_MS, BEYOND_MS)),
    Story(
        EndReason.RESIGNATION,
        "e2e4 e7e5 g1f3",
        (By("white", TAKEBACK), By("black", TAKEBACK), By("white", pb.Command(move=uci("d2d4"))), By("black", RESIGN)),
        rule_set=CONSENT,
    ),
    Story(
        EndReason.RESIGNATION,
        "e2e4 e7e5",
        (By("white", RESIGN), By("white", UNDO), By("white", pb.Command(move=uci("d2d4"))), By("white", RESIGN)),
        black=computer_seat(3),
    ),
)


def test_every_end_but_that_of_an_import_has_its_story() -> None:
    assert {story.reason for story in EACH_END} == set(EndReason) - {EndReason.UNKNOWN}


async def tell(life: Life, story: Story) -> None:
    """Let it happen. Each deed is accepted; the last one is the end, and only an undo opens a game that was over."""
    moves = (pb.Command(move=uci(text)) for text in story.moves.split())
    deeds = [*(By("", move) for move in moves), *story.then]
    for number, deed in enumerate(deeds):
        match deed:
            case By():
                command = pb.Command(game_id=life.id, player_id=_player(life, deed.who), command_id=f"deed-{number}")
                command.MergeFrom(deed.command)
                at_ms = life.now_ms + deed.later_ms
            case Due():
                limits = life.world.first.path.limits
                due_ms = closes(life.game, limits, Outages())
                assert due_ms is not None
                command = pb.Command(game_id=life.id, flag=pb.Flag(version=life.game.version))
                at_ms = due_ms + limits.flag_grace_ms
            case Abandoned():
                await life.abandon(life.now_ms + 1_000)
                continue
        reply = await life.play(command, at_ms)
        assert reply.searching or reply.HasField("accepted"), (number, deed, reply)
        assert (life.game.outcome is not None) <= (deed is deeds[-1] or life.game.terms.against_computer), deed


def _player(life: Life, who: str) -> str:
    terms = life.game.terms
    return {"white": terms.white, "black": terms.black, "": terms.seat(life.game.turn)}[who].player_id


@pytest.mark.parametrize("story", EACH_END, ids=lambda story: f"{story.reason.value}-{story.moves[-4:]}")
async def test_a_game_that_ends_so_is_what_its_events_make_it(database_url: str, redis_url: str, story: Story) -> None:
    absences, seen = Absences(), Seen()
    async with racing(database_url, redis_url, **PATIENT) as world:
        for replica in world.replicas:
            replica.path._gathering._presence = absences
        terms = LifeTerms(
            story.control, story.rule_set, story.variant, story.fen, story.rated, ANNA, story.black, shuffling=False
        )
        life = await begun(world, absences, terms, seen)
        if story.away_ms is not None:
            absences.known[life.id] = story.away_ms
        try:
            await tell(life, story)
            assert life.game.outcome is not None
            assert life.game.outcome.reason is story.reason
            late = pb.Command(game_id=life.id, player_id=ANNA.player_id, move=uci("a1a2"))
            assert not (await life.play(late, life.now_ms + 1_000)).HasField("accepted")
            await life.repeat_all()
            await life.check_followed()
        except Exception as error:
            error.add_note(str(life))
            raise
    assert set(seen.ends) == {story.reason.value}
