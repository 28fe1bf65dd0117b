"""What the faked game service does about takebacks, claims, time, levels, seats and hints."""

from typing import Any

from redis.asyncio import Redis

from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.redis_keys import game_channel

WHITE, BLACK, NOBODY = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK, common_pb2.COLOR_UNSPECIFIED
COMPUTER = events_pb2.Player(id="computer", name="Computer level 4", computer_level=4)
_OFFERS = {
    "offer_takeback": events_pb2.GAME_EVENT_KIND_TAKEBACK_OFFERED,
    "close_takeback": events_pb2.GAME_EVENT_KIND_TAKEBACK_CLOSED,
    "go_on": events_pb2.GAME_EVENT_KIND_WENT_ON,
    "return_seat": events_pb2.GAME_EVENT_KIND_SEAT_RETURNED,
}


class FakeLife:
    """Part of FakeGame. Every such command is allowed, but for claims: those are where `away` says so."""

    games: dict[str, list[events_pb2.GameEvent]]

    def __init__(self) -> None:
        self.away: set[str] = set()
        """Games whose other player has left."""
        self.against_computer: set[str] = set()
        """Games in which Black is the computer."""
        self.hints_asked: list[game_pb2.AskHintRequest] = []

    def change(self, game_id: str, kind: events_pb2.GameEventKind, by: common_pb2.Color) -> events_pb2.GameEvent:
        """Commit a change that leaves the position alone; nothing is published."""
        state = events_pb2.GameState()
        state.CopyFrom(self.games[game_id][-1].state)
        state.version += 1
        self.games[game_id].append(events_pb2.GameEvent(kind=kind, state=state, by=by))
        return self.games[game_id][-1]

    def take_back(self, game_id: str, ply: int, by: common_pb2.Color = WHITE) -> events_pb2.GameEvent:
        """Commit that the game stands again as after so many half-moves; an end is gone."""
        then = next(event.state for event in reversed(self.games[game_id]) if event.state.ply == ply)
        event = self.change(game_id, events_pb2.GAME_EVENT_KIND_TAKEN_BACK, by)
        event.state.ClearField("outcome")
        event.state.status = events_pb2.GAME_STATUS_STARTED
        event.state.ply, event.state.turn, event.state.fen = then.ply, then.turn, then.fen
        event.state.last_uci, event.state.last_san = then.last_uci, then.last_san
        event.state.running = ply > 0
        event.state.legal = "e2e4 d2d4"
        event.state.takebacks += 1
        return event

    def lived(self, command: game_pb2.Command, colour: common_pb2.Color) -> events_pb2.GameState | None:
        """The state after a command of this kind; None when it is of another one, or is not allowed."""
        game_id, action = command.game_id, command.WhichOneof("action") or ""
        if action in _OFFERS:
            event = self.change(game_id, _OFFERS[action], colour)
            event.state.takeback_offer = colour if action == "offer_takeback" else NOBODY
            return event.state
        if action == "undo":
            return self.take_back(game_id, max(0, self.games[game_id][-1].state.ply - 2), colour).state
        if action == "give_time":
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_TIME_GIVEN, colour)
            event.state.black_ms += command.give_time.ms
            return event.state
        if action == "set_level":
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_LEVEL_CHANGED, colour)
            event.info.CopyFrom(self.info(game_id))
            event.info.black.computer_level = command.set_level.level
            return event.state
        if action == "claim_win" and game_id in self.away:
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_ENDED, colour)
            event.state.status, event.state.running = events_pb2.GAME_STATUS_ENDED, False
            event.state.outcome.reason = common_pb2.END_REASON_ABSENCE
            event.state.outcome.winner = NOBODY if command.claim_win.draw else colour
            return event.state
        return None

    async def AskHint(self, request: game_pb2.AskHintRequest, context: Any) -> game_pb2.AskHintResponse:
        """Against the computer."""
        self.hints_asked.append(request)
        if request.game_id not in self.against_computer:
            message = "You can ask for a hint only against the computer."
            refusal = common_pb2.Refusal(code="not_allowed", message=message)
            return game_pb2.AskHintResponse(refusal=refusal)
        event = self.change(request.game_id, events_pb2.GAME_EVENT_KIND_HINTED, WHITE)
        event.state.helped = True
        return game_pb2.AskHintResponse(accepted=self.accepted(request.game_id))

    def accepted(self, game_id: str) -> game_pb2.Accepted:
        """The answer to the command that made the newest version, as the game service gives it."""
        event = self.games[game_id][-1]
        accepted = game_pb2.Accepted(version=event.state.version, state=event.state, event=event)
        accepted.event.ClearField("state")
        accepted.mode = self.info(game_id).time_control.WhichOneof("kind") or ""
        return accepted

    def info(self, game_id: str) -> events_pb2.GameInfo:
        """What never changes of a game."""
        raise NotImplementedError


async def publish_hint(redis_url: str, hint: events_pb2.Hint) -> None:
    """Publish a hint."""
    async with Redis.from_url(redis_url) as redis:
        await redis.publish(game_channel(hint.game_id), events_pb2.GameMessage(hint=hint).SerializeToString())
