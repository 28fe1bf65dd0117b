"""Frames to the client: protobuf messages to the JSON of docs/protocol.md, in UTF-8, ready to send."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from services.domain.colour import Colour
from services.domain.refusal import RefusalCode
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.gateway.protocol import rare_fields, rule_sets, server_frames
from services.gateway.protocol.absence import Absence, Away
from services.gateway.protocol.frames import Room
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime import tracing
from services.runtime.wire import (
    claims_from_pb,
    colour_from_pb,
    outcome_from_pb,
    rule_set_from_pb,
    time_control_from_pb,
)

PROTOCOL = 1

Shape = dict[str, Any]
Declared = TypeVar("Declared", bound=msgspec.Struct)

_STATUS: Mapping[int, str] = {
    events_pb2.GAME_STATUS_STARTED: "started",
    events_pb2.GAME_STATUS_ENDED: "ended",
    events_pb2.GAME_STATUS_ABORTED: "aborted",
}
_KIND: Mapping[int, str] = {
    events_pb2.GAME_EVENT_KIND_CREATED: "created",
    events_pb2.GAME_EVENT_KIND_MOVE: "move",
    events_pb2.GAME_EVENT_KIND_DRAW_OFFERED: "drawOffered",
    events_pb2.GAME_EVENT_KIND_DRAW_CLOSED: "drawClosed",
    events_pb2.GAME_EVENT_KIND_ENDED: "ended",
    events_pb2.GAME_EVENT_KIND_TAKEBACK_OFFERED: "takebackOffered",
    events_pb2.GAME_EVENT_KIND_TAKEBACK_CLOSED: "takebackClosed",
    events_pb2.GAME_EVENT_KIND_TAKEN_BACK: "takenBack",
    events_pb2.GAME_EVENT_KIND_PAUSED: "paused",
    events_pb2.GAME_EVENT_KIND_GOING_ON_OFFERED: "goingOnOffered",
    events_pb2.GAME_EVENT_KIND_WENT_ON: "wentOn",
    events_pb2.GAME_EVENT_KIND_TIME_GIVEN: "timeGiven",
    events_pb2.GAME_EVENT_KIND_LEVEL_CHANGED: "levelChanged",
    events_pb2.GAME_EVENT_KIND_SEAT_TAKEN: "seatTaken",
    events_pb2.GAME_EVENT_KIND_SEAT_RETURNED: "seatReturned",
    events_pb2.GAME_EVENT_KIND_HINTED: "hinted",
    events_pb2.GAME_EVENT_KIND_CLOCKS_STARTED: "clocksStarted",
}
_ROOM: Mapping[int, Room] = {events_pb2.CHAT_ROOM_PLAYER: "player", events_pb2.CHAT_ROOM_SPECTATOR: "spectator"}

_frame = msgspec.json.Encoder().encode
as_frame = orjson.dumps
"""Encodes a frame as UTF-8 JSON."""
as_frame_with_objects = _frame
"""The same for a frame with declared objects inside, and without parts that are JSON already."""


def declared(kind: type[Declared], shape: Shape) -> Declared:
    """A shape as what declares it, where a declared object contains it.

    The object itself is not built, because that would slow down each move. Tests parse such answers by `kind`.
    """
    return cast(Declared, shape)


def player(message: events_pb2.Player) -> Shape:
    """A person or the computer as JSON. `level` only for the computer, `title` only if there is one."""
    shape: Shape = {"id": message.id, "name": message.name, "guest": message.guest}
    if message.title:
        shape["title"] = message.title
    if message.computer_level:
        shape["level"] = message.computer_level
    return shape


def seated(message: events_pb2.Player) -> Shape:
    """The player of a side as JSON, with the rating for this game if there is one."""
    shape = player(message)
    if message.rating:
        shape["rating"] = message.rating
    if message.provisional:
        shape["provisional"] = True
    return shape


def time_control(message: common_pb2.TimeControl) -> Shape:
    """A time control as JSON, in milliseconds or days."""
    match time_control_from_pb(message):
        case ClockControl(initial_ms, increment_ms):
            return {"type": "clock", "initial": initial_ms, "increment": increment_ms}
        case PerMove(turn_ms):
            return {"type": "perMove", "turn": turn_ms}
        case Correspondence(days):
            return {"type": "correspondence", "days": days}
        case Unlimited():
            return {"type": "unlimited"}


def rules(message: common_pb2.RuleSet) -> Shape:
    """A rule set as JSON: its name, and all its fields in `rules` unless it is a preset."""
    rule_set = rule_set_from_pb(message)
    if rule_sets.is_a_preset(rule_set):
        return {"ruleSet": rule_set.name}
    return {"ruleSet": rule_set.name, "rules": rule_sets.shown(rule_set)}


def shown_rules(message: common_pb2.RuleSet) -> tuple[str, server_frames.ShownRules | UnsetType]:
    """A rule set's name, and all its fields unless it is a preset."""
    rule_set = rule_set_from_pb(message)
    if rule_sets.is_a_preset(rule_set):
        return rule_set.name, UNSET
    return rule_set.name, msgspec.convert(rule_sets.shown(rule_set), server_frames.ShownRules)


def info(message: events_pb2.GameInfo, to_a_player: bool = False) -> Shape:
    """The fields of a game that never change. `to_a_player`: with those that only its two players may see."""
    return {
        "id": message.id,
        "variant": message.variant,
        **rules(message.rule_set),
        "timeControl": time_control(message.time_control),
        "white": seated(message.white),
        "black": seated(message.black),
        "rated": message.rated,
        "source": message.source,
        "initialFen": message.initial_fen or None,
        "createdAt": message.created_ms,
        **rare_fields.of_info(message, to_a_player),
    }


def is_timed(message: events_pb2.GameInfo) -> bool:
    """Whether a game has a clock. A correspondence game has one for each turn."""
    return not message.time_control.HasField("unlimited")


def state(message: events_pb2.GameState, timed: bool) -> Shape:
    """A game's state as JSON. `timed` says whether the game has a clock."""
    timed = timed and not message.without_clock
    turn = colour_from_pb(message.turn)
    running = turn if message.running else None
    outcome = outcome_from_pb(message.outcome) if message.HasField("outcome") else None
    shape: Shape = {
        "status": _STATUS[message.status],
        "winner": outcome and outcome.winner,
        "reason": outcome and outcome.reason,
        "ply": message.ply,
        "fen": message.fen,
        "turn": turn,
        "check": message.check,
        "lastMove": {"uci": message.last_uci, "san": message.last_san} if message.last_uci else None,
        "clock": {"white": message.white_ms, "black": message.black_ms, "running": running} if timed else None,
        "at": message.at_ms,
        "deadline": message.deadline_ms or None,
        "drawOffer": colour_from_pb(message.draw_offer),
        "claims": sorted(claims_from_pb(message.claims)) if message.claims else [],
        **rare_fields.of_state(message),
    }
    if message.legal:
        shape["legal"] = message.legal.split(" ")
    elif message.status != events_pb2.GAME_STATUS_STARTED:
        shape["legal"] = []
    return shape


def accepted_state(accepted: game_pb2.Accepted) -> Shape:
    """The state in an answer as JSON, for a game that is not held here."""
    if accepted.mode:
        return state(accepted.state, accepted.mode != "unlimited")
    # A game service of the previous release sends no mode. Then a clock that shows time, or runs, means a timed game.
    shown = accepted.state
    return state(shown, bool(shown.white_ms or shown.black_ms or shown.running))


class EventFrame:
    """One event of a game with its JSON, which is made only once for all sockets."""

    __slots__ = ("_frame", "_state_json", "event", "heard_ns", "mode", "timed", "version")

    def __init__(self, event: events_pb2.GameEvent, mode: str) -> None:
        """`mode` is the kind of the game's time control: clock, per_move, correspondence or unlimited."""
        self.event = event
        self.version = event.state.version
        self.mode = mode
        self.timed = mode != "unlimited"
        self.heard_ns = tracing.now_ns() if tracing.on else 0
        self._state_json: bytes | None = None
        self._frame: bytes | None = None

    @property
    def state_json(self) -> bytes:
        """The event's state as JSON."""
        if self._state_json is None:
            self._state_json = orjson.dumps(state(self.event.state, self.timed))
        return self._state_json

    @property
    def frame(self) -> bytes:
        """The whole frame `event`."""
        if self._frame is None:
            self._frame = as_frame({"t": "event", "game": self.event.state.game_id, **self.inner()})
        return self._frame

    def inner(self) -> Shape:
        """The event as an item of a frame `events`."""
        event = self.event
        shape: Shape = {
            "v": self.version,
            "kind": _KIND[event.kind],
            "by": colour_from_pb(event.by),
            "state": orjson.Fragment(self.state_json),
        }
        if event.by_computer:
            shape["byComputer"] = True
        if event.kind == events_pb2.GAME_EVENT_KIND_LEVEL_CHANGED and event.HasField("info"):
            shape["info"] = info(event.info)
        return shape


def events(game_id: str, changes: Sequence[EventFrame]) -> bytes:
    """The frame `events`. Clients need legal moves in the newest state only."""
    return as_frame({"t": "events", "game": game_id, "events": [change.inner() for change in changes]})


def move(played: game_pb2.PlayedMove) -> Shape:
    """One played move as JSON."""
    shape: Shape = {"uci": played.uci, "san": played.san, "clock": played.clock_ms}
    if played.by_computer:
        shape["byComputer"] = True
    return shape


def full(
    game_info: events_pb2.GameInfo,
    game_state: events_pb2.GameState,
    moves_json: bytes,
    you: common_pb2.Color,
    timed: bool,
) -> bytes:
    """The frame `full`. `moves_json` is the array of moves, `you` the viewer's side; `timed`: there is a clock."""
    return as_frame(
        {
            "t": "full",
            "game": game_info.id,
            "v": game_state.version,
            "info": info(game_info, to_a_player=you != common_pb2.COLOR_UNSPECIFIED),
            "state": state(game_state, timed),
            "moves": orjson.Fragment(moves_json),
            "you": colour_from_pb(you),
        }
    )


def welcome(who: events_pb2.Player | None, now_ms: int) -> bytes:
    """The frame `welcome`; `who` is None for a spectator, `now_ms` is Unix time."""
    return as_frame({"t": "welcome", "player": who and player(who), "now": now_ms, "protocol": PROTOCOL})


def following(seq: int) -> bytes:
    """The frame `following`; `seq` is the number of the player's last event."""
    return _frame(server_frames.Following(seq=seq))


def ack(id: str, game_id: str, version: int, state_json: bytes, repeated: bool) -> bytes:
    """The frame `ack` of a command; `state_json` is the state as JSON."""
    frame = {"t": "ack", "id": id, "game": game_id, "v": version, "state": orjson.Fragment(state_json)}
    if repeated:
        frame["repeated"] = True
    return as_frame(frame)


def chat_ack(id: str, game_id: str) -> bytes:
    """The frame `ack` of a chat line, which has no version."""
    return _frame(server_frames.Ack(id=id, game=game_id))


def nack(id: str, game_id: str, code: RefusalCode, message: str) -> bytes:
    """The frame `nack`."""
    return _frame(server_frames.Nack(id=id, game=game_id, code=code, message=message))


def gone(game_id: str, code: RefusalCode, message: str) -> bytes:
    """The frame `gone`: the game cannot be watched."""
    return _frame(server_frames.Gone(game=game_id, code=code, message=message))


def error(code: RefusalCode, message: str, at: str = "", id: str | None = None) -> bytes:
    """The frame `error`."""
    return _frame(server_frames.Fault(code=code, message=message, at=at or UNSET, id=UNSET if id is None else id))


def pong(n: int | float | UnsetType, now_ms: int) -> bytes:
    """The frame `p`, the answer to a ping; `n` is the ping's number, `now_ms` Unix time."""
    return _frame(server_frames.Pong(n=n, now=now_ms))


def chat(line: events_pb2.ChatLine) -> bytes:
    """The frame `chat`."""
    speaker = server_frames.Speaker(id=line.player_id, name=line.player_name)
    return _frame(
        server_frames.Line(game=line.game_id, room=_ROOM[line.room], by=speaker, text=line.text, at=line.at_ms)
    )


def hint(message: events_pb2.Hint) -> bytes:
    """The frame `hint`."""
    return _frame(server_frames.Hinted(game=message.game_id, ply=message.ply, uci=message.uci, san=message.san))


def presence(game_id: str, absence: Absence) -> bytes:
    """The frame `presence`."""
    side = Colour.BLACK if absence.side == common_pb2.COLOR_BLACK else Colour.WHITE
    away = absence.away_ms if absence.gone else UNSET
    claim_in = UNSET if absence.claim_in_ms is None else absence.claim_in_ms
    return _frame(server_frames.Presence(game=game_id, side=side, gone=absence.gone, away=away, claim_in=claim_in))


def absences(game_id: str, white: Away, black: Away) -> bytes:
    """The frame `absences`."""
    of_white, of_black = (server_frames.Away(times=away.times, ms=away.ms) for away in (white, black))
    return _frame(server_frames.Absences(game=game_id, white=of_white, black=of_black))
