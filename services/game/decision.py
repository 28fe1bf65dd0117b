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
from services.game.command import Abort, CloseDraw, Command, Flag, Move, OfferDraw, Resign
from services.game.game import Game, Limits
from services.game.question import Forfeit, Play, Played, Question, Verdict


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
    match command.action:
        case Move(text) if _refuse(game, command, limits, outages) is None:
            return Play(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, text)
        case Flag() if _refuse_flag(game, command.action, command.received_ms, limits, outages) is None:
            deadline = game.deadline(limits.of(game.terms))
            if deadline is not None and deadline.kind is not DeadlineKind.FIRST_MOVE:
                return Forfeit(
                    game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, game.turn
                )
    return None


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
            return _end(game, Outcome(side.other, EndReason.RESIGNATION), side, now_ms, outages)
        case Abort():
            return _end(game, Outcome(None, EndReason.ABORT), side, now_ms, outages)
        case OfferDraw():
            return _offer_draw(game, side, now_ms, outages)
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
        case OfferDraw() if game.terms.against_computer and not game.standing.claims:
            return Refusal(RefusalCode.NOT_ALLOWED, "The computer takes no draw offers.")
    return None


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
    offer = side if game.draw_offer is side or (move.offer_draw and not game.terms.against_computer) else None
    agreed = over is None and move.offer_draw and game.draw_offer is side.other
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


def _offer_draw(game: Game, side: Colour, now_ms: int, outages: Outages) -> Decision:
    if game.standing.claims:
        reason = EndReason.REPETITION if Claim.THREEFOLD in game.standing.claims else EndReason.MOVE_COUNT
        return _end(game, Outcome(None, reason), side, now_ms, outages)
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
    assert isinstance(verdict, Outcome), "a flag is adjudicated before it is decided"
    reason = EndReason.EXPIRY if deadline.kind is DeadlineKind.EXPIRY else EndReason.FLAG
    return _end(game, Outcome(verdict.winner, reason), None, now_ms, outages)


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
