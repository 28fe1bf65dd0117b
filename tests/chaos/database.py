"""Reads the facts directly from PostgreSQL."""

from collections.abc import Sequence
from typing import Any, Self

import asyncpg

from services.pb.flagfall.v1 import common_pb2, events_pb2
from tests.chaos.facts import MOVE, Control, Event, Game, Span
from tests.chaos.scores import Point, Scores

_COLOURS = {common_pb2.COLOR_WHITE: "white", common_pb2.COLOR_BLACK: "black"}
_KINDS = {
    events_pb2.GAME_EVENT_KIND_CREATED: "created",
    events_pb2.GAME_EVENT_KIND_MOVE: MOVE,
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
_STATUS = {
    events_pb2.GAME_STATUS_STARTED: "started",
    events_pb2.GAME_STATUS_ENDED: "ended",
    events_pb2.GAME_STATUS_ABORTED: "aborted",
}
_REASONS = {
    common_pb2.END_REASON_CHECKMATE: "checkmate",
    common_pb2.END_REASON_RESIGNATION: "resignation",
    common_pb2.END_REASON_STALEMATE: "stalemate",
    common_pb2.END_REASON_REPETITION: "repetition",
    common_pb2.END_REASON_MOVE_COUNT: "moveCount",
    common_pb2.END_REASON_DEAD_POSITION: "deadPosition",
    common_pb2.END_REASON_AGREEMENT: "agreement",
    common_pb2.END_REASON_FLAG: "flag",
    common_pb2.END_REASON_EXPIRY: "expiry",
    common_pb2.END_REASON_ABORT: "abort",
    common_pb2.END_REASON_NO_FIRST_MOVE: "noFirstMove",
    common_pb2.END_REASON_ABSENCE: "absence",
    common_pb2.END_REASON_ABANDONED: "abandoned",
}
CONNECT_S = 5.0
STATEMENT_S = 30.0


class Database:
    """One connection, read only. Every method raises OSError or asyncpg's errors while PostgreSQL is down."""

    def __init__(self, connection: asyncpg.Connection, day_ms: int) -> None:
        self._connection = connection
        self._day_ms = day_ms

    @classmethod
    async def open(cls, url: str, day_ms: int) -> Self:
        """Connect. `url` has the form that the services use; `day_ms` is the length of a correspondence day."""
        connection = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=CONNECT_S, command_timeout=STATEMENT_S)
        return cls(connection, day_ms)

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()

    async def games(self, but: Sequence[str] = ()) -> list[Game]:
        """All games except these, each row with its events, from one snapshot."""
        async with self._connection.transaction(isolation="repeatable_read", readonly=True):
            return await self._games(but)

    async def all(self) -> tuple[list[Game], Scores]:
        """All games, ratings and progress, from one snapshot."""
        async with self._connection.transaction(isolation="repeatable_read", readonly=True):
            games = await self._games(())
            ratings = await self._connection.fetch("SELECT * FROM rating")
            points = await self._connection.fetch("SELECT * FROM rating_point ORDER BY number")
            wins = await self._connection.fetch("SELECT game_id FROM computer_win")
        return games, Scores(
            ratings={(row["player_id"], row["variant"], row["speed"]): (row["value"], row["games"]) for row in ratings},
            points=tuple(
                Point((row["player_id"], row["variant"], row["speed"]), row["game_id"], row["number"], row["value"])
                for row in points
            ),
            wins=frozenset(row["game_id"] for row in wins),
        )

    async def _games(self, but: Sequence[str]) -> list[Game]:
        rows = await self._connection.fetch(
            "SELECT * FROM game WHERE NOT id = ANY($1::text[]) ORDER BY created_ms", list(but)
        )
        events = await self._connection.fetch(
            "SELECT * FROM game_event WHERE NOT game_id = ANY($1::text[]) ORDER BY game_id, version", list(but)
        )
        by_game: dict[str, list[Event]] = {row["id"]: [] for row in rows}
        for event in events:
            by_game[event["game_id"]].append(event_of(event))
        return [self._game(row, by_game[row["id"]]) for row in rows]

    async def outages(self) -> list[Span]:
        """All recorded outages."""
        rows = await self._connection.fetch("SELECT start_ms, end_ms FROM outage ORDER BY start_ms, id")
        return [Span(row["start_ms"], row["end_ms"]) for row in rows]

    async def unpublished(self, older_than_ms: int) -> list[str]:
        """Versions whose outbox row has been there for longer than that."""
        rows = await self._connection.fetch(
            "SELECT kind, owner, number FROM outbox"
            " WHERE at_ms < (extract(epoch FROM clock_timestamp()) * 1000)::int8 - $1",
            older_than_ms,
        )
        return [f"{row['kind']}:{row['owner']}:{row['number']}" for row in rows]

    async def computer_turns(self, older_than_ms: int) -> list[str]:
        """Games in which the computer has been to move for longer than that."""
        rows = await self._connection.fetch(
            "SELECT id FROM game WHERE computer_turn_level > 0"
            " AND turn_started_ms < (extract(epoch FROM clock_timestamp()) * 1000)::int8 - $1",
            older_than_ms,
        )
        return [row["id"] for row in rows]

    async def newest_versions(self, game_ids: Sequence[str]) -> dict[str, int]:
        """The version of each game."""
        rows = await self._connection.fetch("SELECT id, version FROM game WHERE id = ANY($1::text[])", list(game_ids))
        return {row["id"]: row["version"] for row in rows}

    def _game(self, row: Any, events: Sequence[Event]) -> Game:
        rules = common_pb2.RuleSet.FromString(row["rule_set"])
        return Game(
            id=row["id"],
            control=control_of(row["time_control"], self._day_ms),
            created_ms=row["created_ms"],
            white=row["white_id"],
            black=row["black_id"],
            against_computer=row["white_level"] > 0 or row["black_level"] > 0,
            version=row["version"],
            ply=row["ply"],
            fen=row["fen"],
            reason=_REASONS.get(row["end_reason"], ""),
            computer_to_move=row["computer_turn_level"] > 0,
            events=tuple(events),
            rated=row["rated"],
            decides=rules.fallen_flag == common_pb2.FALLEN_FLAG_OPPONENT_DECIDES,
            rematch_of=row["rematch_of"],
        )


def control_of(message: bytes, day_ms: int) -> Control:
    """A stored time control."""
    control = common_pb2.TimeControl.FromString(message)
    match control.WhichOneof("kind"):
        case "clock":
            return Control("clock", control.clock.initial_ms, control.clock.increment_ms)
        case "per_move":
            return Control("perMove", turn_ms=control.per_move.turn_ms)
        case "correspondence":
            return Control("correspondence", turn_ms=control.correspondence.days * day_ms)
        case _:
            return Control("unlimited")


def event_of(row: Any) -> Event:
    """A row of `game_event`."""
    event = events_pb2.GameEvent.FromString(row["payload"])
    state = event.state
    return Event(
        version=row["version"],
        kind=_KINDS[event.kind],
        at_ms=row["at_ms"],
        status=_STATUS[state.status],
        ply=state.ply,
        fen=state.fen,
        reason=_REASONS.get(state.outcome.reason, ""),
        winner=_COLOURS.get(state.outcome.winner),
        uci=row["uci"],
        san=row["san"],
        clock_ms=row["clock_ms"],
        white_ms=state.white_ms,
        black_ms=state.black_ms,
        player=row["player_id"] or "",
        command=row["command_id"] or "",
        by=_COLOURS.get(event.by, ""),
        takebacks=state.takebacks,
        unrated=state.unrated,
        diffs=(state.white_rating_diff, state.black_rating_diff) if state.HasField("white_rating_diff") else None,
    )
