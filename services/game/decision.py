"""The decisions on a game: pure, and the only place where a game's next version is made.

`prepare` says what must be asked of the rules service before; `decide` takes its answer and returns the change, or the
refusal. Time is `command.received_ms`, of the database's clock.
"""

from dataclasses import dataclass, replace
from enum import Enum

from services.domain.clock import DeadlineKind, Outages
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Agreement, MoveCount, Repetition, Resignation
from services.game.command import Abort, ClaimDraw, CloseDraw, Command, Flag, Move, OfferDraw, Resign
from services.game.game import Game, Limits
from services.game.question import Forfeit, Forfeited, ForfeitKind, Play, Played, Question, Verdict


class ChangeKind(Enum):
    """What a new version brought; the names are those of GameEventKind."""

    CREATED = "CREATED"
    MOVE = "MOVE"
    DRAW_OFFERED = "DRAW_OFFERED"
    DRAW_CLOSED = "DRAW_CLOSED"
    ENDED = "ENDED"


@dataclass(frozen=True, slots=True)
class Change:
    """A next version, not yet committed.

    A draw command that finds nothing to do makes one too: without it the command's id would be kept nowhere, and the
    same command, repeated, could find something to do later.
    """

    game: Game
    kind: ChangeKind
    by: Colour | None
    at_ms: int


Decision = Change | Refusal


def prepare(game: Game, command: Command, limits: Limits, outages: Outages) -> Question | None:
    """What has to be asked of the rules service for this command, or None."""
    action = command.action
    if isinstance(action, Flag):
        if _refuse_flag(game, action, command.received_ms, limits, outages) is not None:
            return None
        deadline = game.deadline(limits.of(game.terms))
        first = deadline is None or deadline.kind is DeadlineKind.FIRST_MOVE
        return None if first else _forfeit(game, game.turn, ForfeitKind.FLAG)
    if _refuse(game, command, limits, outages) is not None:
        return None
    match action:
        case Move(text):
            return _play(game, text)
        case ClaimDraw(text) if text:
            return _play(game, text)
        case Resign() if game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN:
            side = game.terms.side_of(command.player_id)
            assert side is not None, "_refuse lets only players through"
            return _forfeit(game, side, ForfeitKind.RESIGNATION)
    return None


def _play(game: Game, text: str) -> Play:
    return Play(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, text)


def _forfeit(game: Game, loser: Colour, kind: ForfeitKind) -> Forfeit:
    return Forfeit(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, loser, kind)


def decide(game: Game, command: Command, verdict: Verdict | None, limits: Limits, outages: Outages) -> Decision:
    """The next version of `game`, or why there is none. `verdict` answers what `prepare` asked."""
    now_ms = command.received_ms
    if isinstance(command.action, Flag):
        return _flag(game, command.action, verdict, now_ms, limits, outages)
    refusal = _refuse(game, command, limits, outages)
    if refusal is not None:
        return refusal
    side = game.terms.side_of(command.player_id)
    assert side is not None, "_refuse lets only players through"
    match command.action:
        case Move() as move:
            return _move(game, move, side, verdict, now_ms, limits, outages)
        case Resign():
            return _resign(game, side, verdict, now_ms, outages)
        case Abort():
            return _end(game, Outcome(None, EndReason.ABORT), side, now_ms, outages)
        case OfferDraw():
            return _offer_draw(game, side, now_ms, outages)
        case ClaimDraw(text):
            return _claim_draw(game, side, text, verdict, now_ms, outages)
        case CloseDraw():
            closed = replace(game, version=game.version + 1, draw_offer=None)
            return Change(closed, ChangeKind.DRAW_CLOSED, side, now_ms)


def _refuse(game: Game, command: Command, limits: Limits, outages: Outages) -> Refusal | None:
    """What forbids a player's command before the rules are asked."""
    side = game.terms.side_of(command.player_id)
    if side is None:
        return Refusal(RefusalCode.NOT_A_PLAYER, "Only the players of this game may do that.")
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    due_ms = due(game, limits, outages)
    if due_ms is not None and command.received_ms >= due_ms:
        return Refusal(RefusalCode.TIME_IS_UP, "The time was up when this arrived.")
    match command.action:
        case Move(_, ply, _):
            if ply is not None and ply != game.ply:
                return Refusal(
                    RefusalCode.STALE_VERSION,
                    f"This move was meant for ply {ply}; the game is at ply {game.ply}.",
                    "ply",
                )
            if side is not game.turn:
                return Refusal(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")
        case Abort() if game.ply >= 2:
            return Refusal(RefusalCode.NOT_ALLOWED, "A game can be aborted only before both sides have moved.")
        case OfferDraw() if not may_claim(game, side):
            return _refuse_offer(game)
        case ClaimDraw(text):
            return _refuse_claim(game, side, text)
    return None


def _refuse_offer(game: Game) -> Refusal | None:
    if game.terms.against_computer:
        return Refusal(RefusalCode.NOT_ALLOWED, "The computer takes no draw offers.")
    if not _may_agree(game, game.ply):
        return Refusal(RefusalCode.NOT_ALLOWED, "A draw can be agreed only after both sides have moved (FIDE 5.2.3).")
    return None


def _may_agree(game: Game, ply: int) -> bool:
    """Whether a draw may be agreed once `ply` half-moves are played."""
    return ply >= 2 or game.terms.rule_set.agreement is Agreement.ANY_TIME


def may_claim(game: Game, side: Colour) -> bool:
    """Whether a draw is due that `side` may claim: it is to move (FIDE 9.2, 9.3), or has just made a move of its own
    and nobody has replied."""
    return bool(game.standing.claims) and (side is game.turn or game.ply > 0)


def _refuse_claim(game: Game, side: Colour, text: str) -> Refusal | None:
    """What forbids a claim that no rules need be asked about."""
    if text:
        if side is not game.turn:
            return Refusal(RefusalCode.NOT_YOUR_TURN, "A draw is claimed with a move by the side to move.", "move")
        return None
    if may_claim(game, side):
        return None
    rules = game.terms.rule_set
    by_itself = rules.repetition is Repetition.AUTOMATIC_THREE and rules.move_count is MoveCount.AUTOMATIC_FIFTY
    return _false_claim(
        "By the rules of this game a draw by repetition or move count comes by itself: there is nothing to claim."
        if by_itself
        else "There is no draw to claim: the position has not stood three times, nor have 50 moves of each side passed "
        "without a capture or a pawn move."
    )


def _false_claim(message: str) -> Refusal:
    return Refusal(RefusalCode.NOT_ALLOWED, message)


def due(game: Game, limits: Limits, outages: Outages) -> int | None:
    """The moment at which this version's time is up, outages given back; None without one."""
    deadline = game.deadline(limits.of(game.terms))
    return None if deadline is None else outages.given_back(game.clock.turn_started_ms, deadline.at_ms)


def _move(
    game: Game, move: Move, side: Colour, verdict: Verdict | None, now_ms: int, limits: Limits, outages: Outages
) -> Change | Refusal:
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Played), "a move is judged before it is decided"
    moved_ms = max(now_ms, game.clock.turn_started_ms)
    clock = game.clock.after_move(moved_ms, outages.overlap_ms(game.clock.turn_started_ms, moved_ms))
    over = verdict.standing.outcome
    # The own move keeps the own offer open and ends the opponent's.
    offers = move.offer_draw and not game.terms.against_computer and _may_agree(game, clock.plies)
    offer = side if game.draw_offer is side or offers else None
    agreed = over is None and move.offer_draw and game.draw_offer is side.other and _may_agree(game, clock.plies)
    if agreed:
        over = Outcome(None, EndReason.AGREEMENT)
    following = Game(
        game.terms,
        game.version + 1,
        verdict.standing,
        clock,
        outcome=over,
        ended_ms=moved_ms if over is not None else None,
        draw_offer=None if over is not None else offer,
        last_uci=verdict.uci,
        last_san=verdict.san,
        look_ms=clock.look_ms(limits.of(game.terms), game.look_ms),
    )
    return Change(following, ChangeKind.MOVE, side, moved_ms)


def _resign(game: Game, side: Colour, verdict: Verdict | None, now_ms: int, outages: Outages) -> Decision:
    """A loss; a draw where the rule set says so and the opponent could not win (FIDE 5.1.2)."""
    winner: Colour | None = side.other
    if game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN:
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Forfeited), "such a resignation is adjudicated before it is decided"
        winner = verdict.outcome.winner
    return _end(game, Outcome(winner, EndReason.RESIGNATION), side, now_ms, outages)


def _claim_draw(
    game: Game, side: Colour, text: str, verdict: Verdict | None, now_ms: int, outages: Outages
) -> Decision:
    """A claim ends the game before the move that it names; one that is not true changes nothing."""
    if not text:
        return _end(game, Outcome(None, _claimed(game.standing.claims)), side, now_ms, outages)
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Played), "a claimed move is judged before it is decided"
    over = verdict.standing.outcome
    if over is not None and over.reason in (EndReason.REPETITION, EndReason.MOVE_COUNT):
        return _end(game, Outcome(None, over.reason), side, now_ms, outages)
    if over is not None:
        return _false_claim(f"{verdict.san} ends the game by itself: play it.")
    if not verdict.standing.claims:
        return _false_claim(
            f"{verdict.san} makes no draw: the position would not have stood three times, nor would 50 moves of each "
            "side have passed without a capture or a pawn move."
        )
    return _end(game, Outcome(None, _claimed(verdict.standing.claims)), side, now_ms, outages)


def _claimed(claims: frozenset[Claim]) -> EndReason:
    return EndReason.REPETITION if Claim.THREEFOLD in claims else EndReason.MOVE_COUNT


def _offer_draw(game: Game, side: Colour, now_ms: int, outages: Outages) -> Decision:
    if may_claim(game, side):
        return _end(game, Outcome(None, _claimed(game.standing.claims)), side, now_ms, outages)
    if game.draw_offer is side.other:
        return _end(game, Outcome(None, EndReason.AGREEMENT), side, now_ms, outages)
    offered = replace(game, version=game.version + 1, draw_offer=side)
    return Change(offered, ChangeKind.DRAW_OFFERED, side, now_ms)


def _flag(
    game: Game, flag: Flag, verdict: Verdict | None, now_ms: int, limits: Limits, outages: Outages
) -> Change | Refusal:
    refusal = _refuse_flag(game, flag, now_ms, limits, outages)
    if refusal is not None:
        return refusal
    deadline = game.deadline(limits.of(game.terms))
    assert deadline is not None, "_refuse_flag lets no game without a deadline through"
    if deadline.kind is DeadlineKind.FIRST_MOVE:
        return _end(game, Outcome(None, EndReason.NO_FIRST_MOVE), None, now_ms, outages)
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Forfeited), "a flag is adjudicated before it is decided"
    reason = EndReason.EXPIRY if deadline.kind is DeadlineKind.EXPIRY else EndReason.FLAG
    return _end(game, Outcome(verdict.outcome.winner, reason), None, now_ms, outages)


def _refuse_flag(game: Game, flag: Flag, now_ms: int, limits: Limits, outages: Outages) -> Refusal | None:
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    if flag.version != game.version:
        return Refusal(RefusalCode.STALE_VERSION, f"The game is at version {game.version}.", "version")
    due_ms = due(game, limits, outages)
    if due_ms is None or now_ms < due_ms + limits.flag_grace_ms:
        return Refusal(RefusalCode.NOT_DUE, "No deadline of this version has passed.")
    return None


def _end(game: Game, outcome: Outcome, by: Colour | None, now_ms: int, outages: Outages) -> Change:
    """The game as it ends now without a move: the clocks stop where they are."""
    ended_ms = max(now_ms, game.clock.turn_started_ms)
    outage_ms = outages.overlap_ms(game.clock.turn_started_ms, ended_ms)
    clock = game.clock.stopped(ended_ms, outage_ms)
    ended = replace(game, version=game.version + 1, clock=clock, outcome=outcome, ended_ms=ended_ms, draw_offer=None)
    return Change(ended, ChangeKind.ENDED, by, ended_ms)
