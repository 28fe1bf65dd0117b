"""Games as protobuf messages, for subscribers and callers."""

from collections.abc import Iterable
from typing import cast

from services.domain.clock import DeadlineKind, Outages
from services.domain.colour import Colour
from services.domain.time_control import Correspondence, PerMove, Unlimited
from services.game.play.change import Change, ChangeKind
from services.game.play.game import NO_EXTRA, Extra, Game, Limits, Seat, Terms
from services.game.play.moment import Moment, due
from services.pb.flagfall.v1 import events_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import PgnTag
from services.runtime.wire import claims_to_pb, colour_to_pb, outcome_to_pb, rule_set_to_pb, time_control_to_pb

DEADLINE_KINDS = {
    DeadlineKind.FIRST_MOVE: pb.DEADLINE_KIND_FIRST_MOVE,
    DeadlineKind.FLAG: pb.DEADLINE_KIND_FLAG,
    DeadlineKind.EXPIRY: pb.DEADLINE_KIND_EXPIRY,
    DeadlineKind.DECISION: pb.DEADLINE_KIND_DECISION,
}
_CHANGE_KINDS = {
    kind: cast(pb.GameEventKind, pb.GameEventKind.Value(f"GAME_EVENT_KIND_{kind.name}")) for kind in ChangeKind
}


def player_message(seat: Seat) -> pb.Player:
    """A seat as a message."""
    return pb.Player(
        id=seat.player_id,
        name=seat.name,
        title=seat.title,
        guest=seat.guest,
        computer_level=seat.computer_level,
        rating=seat.rating,
        provisional=seat.provisional,
    )


def info_message(terms: Terms, tags: Iterable[PgnTag] = ()) -> pb.GameInfo:
    """The fixed terms of a game as a message, optionally with the PGN tags of an imported game."""
    return pb.GameInfo(
        id=terms.id,
        variant=terms.variant,
        rule_set=rule_set_to_pb(terms.rule_set),
        time_control=time_control_to_pb(terms.control),
        white=player_message(terms.white),
        black=player_message(terms.black),
        rated=terms.rated,
        source=terms.source,
        initial_fen=terms.initial_fen,
        created_ms=terms.created_ms,
        tags=tags,
        rematch_of=terms.rematch_of,
        party_id=terms.party_id,
    )


def status_of(game: Game) -> pb.GameStatus:
    """The status of a game by its outcome."""
    if game.outcome is None:
        return pb.GAME_STATUS_STARTED
    return pb.GAME_STATUS_ABORTED if game.outcome.reason.aborts else pb.GAME_STATUS_ENDED


def state_message(game: Game, limits: Limits, outages: Outages, now_ms: int, *, legal: bool = True) -> pb.GameState:
    """The state of a game, with the clocks at `now_ms`. A running clock past its deadline shows zero."""
    standing, clock, over = game.standing, game.clock, game.outcome is not None
    deadline = game.deadline(limits)
    message = pb.GameState(
        game_id=game.terms.id,
        version=game.version,
        status=status_of(game),
        ply=game.ply,
        fen=standing.fen,
        turn=colour_to_pb(standing.turn),
        check=standing.check,
        last_uci=game.last_uci,
        last_san=game.last_san,
        at_ms=now_ms,
        running=not over and game.extra.pause is None and clock.running and not _rests(game, now_ms),
        draw_offer=colour_to_pb(game.draw_offer),
        computer_turn_level=game.computer_turn_level,
    )
    if over and not isinstance(clock.control, Unlimited | Correspondence):
        message.white_ms, message.black_ms = clock.white_ms, clock.black_ms
    elif game.extra.pause is not None:
        message.white_ms, message.black_ms = (_paused_ms(game, side) for side in (Colour.WHITE, Colour.BLACK))
    elif not over:
        outage_ms = outages.overlap_ms(clock.turn_started_ms, now_ms) + game.extra.rest_ms if clock.running else 0
        of = limits.of(game.terms)
        shown_ms = clock.turn_started_ms if game.stands else now_ms
        message.white_ms = clock.remaining_ms(Colour.WHITE, of, shown_ms, outage_ms)
        message.black_ms = clock.remaining_ms(Colour.BLACK, of, shown_ms, outage_ms)
    if deadline is not None:
        message.deadline_ms = due(game, limits, outages) or 0
        message.deadline_kind = DEADLINE_KINDS[deadline.kind]
    if game.outcome is not None:
        message.outcome.CopyFrom(outcome_to_pb(game.outcome))
        message.ended_ms = game.ended_ms or 0
    else:
        if standing.claims:
            message.claims.extend(claims_to_pb(standing.claims))
        if legal and game.extra.pause is None:
            message.legal = standing.legal
        if isinstance(clock.control, Correspondence):
            message.claimable = Moment(now_ms, limits, outages).claimable(game)
    if game.extra is not NO_EXTRA:
        _add_extra(message, game.extra)
    return message


def _rests(game: Game, now_ms: int) -> bool:
    """Whether the clock of this turn stands still at `now_ms`: for a vacation, or for a worker of the computer."""
    extra = game.extra
    if game.stands:
        return True
    return extra.rest_ms > 0 and now_ms < (extra.rests_until_ms or game.clock.turn_started_ms + extra.rest_ms)


def _paused_ms(game: Game, side: Colour) -> int:
    """The time in ms that a side has left while the game is paused: 0 if its flag fell."""
    assert game.extra.pause is not None, "the game is paused"
    if side is game.extra.pause.flagged:
        return 0
    control = game.clock.control
    return control.turn_ms if isinstance(control, PerMove) else game.clock.left_ms(side)


def _add_extra(message: pb.GameState, extra: Extra) -> None:
    """Add the fields of `extra`, which few games use, to a state."""
    message.takeback_offer = colour_to_pb(extra.takeback_offer)
    message.unrated, message.without_clock, message.helped = extra.unrated, extra.without_clock, extra.helped
    message.white_held_level, message.black_held_level = extra.held.white, extra.held.black
    message.takebacks = extra.takebacks
    if extra.pause is not None:
        message.pause.flagged = colour_to_pb(extra.pause.flagged)
        message.pause.since_ms = extra.pause.since_ms
        message.pause.going_on_offered = extra.pause.going_on_offered
        message.pause.outcome.CopyFrom(outcome_to_pb(extra.pause.outcome))
    if extra.rating_diff is not None:
        message.white_rating_diff, message.black_rating_diff = extra.rating_diff.white, extra.rating_diff.black


def event_message(change: Change, limits: Limits, outages: Outages) -> pb.GameEvent:
    """A change as a stored event, without legal moves: only the newest version needs them."""
    event = pb.GameEvent(
        kind=_CHANGE_KINDS[change.kind],
        state=state_message(change.game, limits, outages, change.at_ms, legal=False),
        by=colour_to_pb(change.by),
        by_computer=change.by_computer,
    )
    if change.kind in (ChangeKind.CREATED, ChangeKind.LEVEL_CHANGED):
        event.info.CopyFrom(info_message(change.game.terms))
    return event


def summary_message(game: Game, limits: Limits, outages: Outages, now_ms: int) -> pb.GameSummary:
    """A short form of a game for lists; clocks at `now_ms`."""
    return pb.GameSummary(
        info=info_message(game.terms), state=state_message(game, limits, outages, now_ms, legal=False)
    )
