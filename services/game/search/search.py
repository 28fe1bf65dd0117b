"""Search for games by player, opponent, colour, variant, result and time, in pages ordered by (created, id).

Each statement reads one index in order and stops when the page is full; a player's games with White and with Black are

merged. So the cost of a page does not grow with the number of games in the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.game import Game
from services.game.play.pgn_game import IMPORT
from services.game.store.database import single, transaction
from services.game.store.rows import readable
from services.game.store.schema import game as table
from services.pb.flagfall.v1.game_pb2 import (
    GAME_RESULT_DRAWN,
    GAME_RESULT_LOST,
    GAME_RESULT_UNSPECIFIED,
    GAME_RESULT_WON,
    GameResult,
)
from services.runtime.wire import colour_to_pb, outcome_to_pb

_NO_RESULT = [0, *(int(outcome_to_pb(Outcome(None, reason)).reason) for reason in EndReason if reason.aborts)]
"""End reasons without a result, and the value of a running game."""
_SIDES = {Colour.WHITE: table.c.white_id, Colour.BLACK: table.c.black_id}


@dataclass(frozen=True, slots=True)
class Query:
    """The search conditions. `limit` is at least 1; `after` is the last game of the previous page."""

    limit: int
    player_id: str = ""
    opponent_id: str = ""
    colour: Colour | None = None
    variant: str = ""
    result: GameResult = GAME_RESULT_UNSPECIFIED
    rated: bool | None = None
    from_ms: int = 0
    until_ms: int = 0
    after: str = ""
    ended: bool = False
    oldest_first: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Games in order. If `more` is true, another page may follow."""

    games: list[Game]
    more: bool


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a game in the order."""

    created_ms: int
    id: str


def page_statement(query: Query, after: Place | None, limit: int) -> sa.Select[tuple[object, ...]]:
    """The statement for the rows of one page. For a player it reads each colour separately."""
    if not query.player_id:
        # Imported games were not played here, so players' lists and the search leave them out.
        own = sa.and_(table.c.source != IMPORT, *_results(query.result, Colour.WHITE))
        return _ordered(sa.select(table).where(own, *_wanted(query, after)), table, query).limit(limit)
    walks = []
    for side, column in _SIDES.items():
        if query.colour in (None, side):
            mine = sa.select(table).where(column == query.player_id, *_wanted(query, after))
            mine = mine.where(*_results(query.result, side))
            other = _SIDES[side.other]
            if query.opponent_id:
                mine = mine.where(other == query.opponent_id)
            elif query.colour is None and side is Colour.BLACK:
                mine = mine.where(other != query.player_id)  # a player with both sides has one game
            walks.append(_ordered(mine, table, query).limit(limit))
    if len(walks) == 1:
        return walks[0]
    both = sa.union_all(*(sa.select(walk.subquery()) for walk in walks)).subquery("both")
    return _ordered(sa.select(both), both, query).limit(limit)


def _ordered(
    statement: sa.Select[tuple[object, ...]], of: sa.FromClause, query: Query
) -> sa.Select[tuple[object, ...]]:
    if query.oldest_first:
        return statement.order_by(of.c.created_ms, of.c.id)
    return statement.order_by(of.c.created_ms.desc(), of.c.id.desc())


def _wanted(query: Query, after: Place | None) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = []
    if query.variant:
        found.append(table.c.variant == query.variant)
    if query.rated is not None:
        found.append(table.c.rated == query.rated)
    if query.from_ms:
        found.append(table.c.created_ms >= query.from_ms)
    if query.until_ms:
        found.append(table.c.created_ms < query.until_ms)
    if query.ended:
        found.append(table.c.end_reason != 0)
    if after is not None:
        here, there = sa.tuple_(table.c.created_ms, table.c.id), sa.tuple_(after.created_ms, after.id)
        found.append(here > there if query.oldest_first else here < there)
    return found


def _results(result: GameResult, side: Colour) -> list[sa.ColumnElement[bool]]:
    """The SQL condition for a result from the view of `side`."""
    if result == GAME_RESULT_WON:
        return [table.c.winner == int(colour_to_pb(side))]
    if result == GAME_RESULT_LOST:
        return [table.c.winner == int(colour_to_pb(side.other))]
    if result == GAME_RESULT_DRAWN:
        return [table.c.winner == 0, table.c.end_reason.not_in(_NO_RESULT)]
    return []


class Search:
    """Only reads; each statement is its own transaction. Methods raise the same errors as `transaction`."""

    def __init__(self, engine: AsyncEngine, ongoing_max: int) -> None:
        self._engine = single(engine)
        self._ongoing_max = ongoing_max

    async def page(self, query: Query) -> Page | Refusal:
        """The next page; a Refusal if the game `after` does not exist."""
        after = await self._place(query.after) if query.after else None
        if query.after and after is None:
            return Refusal(RefusalCode.NOT_FOUND, say("search.no_after"), "after_game_id")
        found: list[Game] = []
        while True:  # unreadable rows do not make a page shorter
            lacking = query.limit - len(found)
            async with transaction(self._engine) as connection:
                rows = (await connection.execute(page_statement(query, after, lacking + 1))).mappings().all()
            found += filter(None, map(readable, rows[:lacking]))
            if len(rows) <= lacking or len(found) == query.limit:
                return Page(found, len(rows) > lacking)
            after = Place(rows[lacking - 1]["created_ms"], rows[lacking - 1]["id"])

    async def ongoing(self, player_id: str) -> list[Game]:
        """All running games of a player, in no order."""
        halves = [
            sa.select(table).where(column == player_id, table.c.end_reason == sa.literal_column("0"))
            for column in _SIDES.values()
        ]
        statement = sa.union_all(*halves).limit(self._ongoing_max)
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement)).mappings().all()
        games = {row["id"]: readable(row) for row in rows}
        return [game for game in games.values() if game is not None]

    async def _place(self, game_id: str) -> Place | None:
        statement = sa.select(table.c.created_ms).where(table.c.id == game_id)
        async with transaction(self._engine) as connection:
            created_ms = (await connection.execute(statement)).scalar()
        return None if created_ms is None else Place(created_ms, game_id)


def by_turn(games: Sequence[Game], player_id: str, due_ms: dict[str, int]) -> list[Game]:
    """A person's games, most urgent first.

    Games in which it is the person's turn come first: the nearest deadline first (`due_ms`, by game id), then those
    without one; then the other games. Among games without a deadline the

    longest turn is first.
    """

    def urgency(game: Game) -> tuple[bool, bool, int, str]:
        mine = turn_of(game, player_id)
        due = due_ms.get(game.terms.id, 0) if mine else 0
        return not mine, not due, due or game.clock.turn_started_ms, game.terms.id

    return sorted(games, key=urgency)


def turn_of(game: Game, player_id: str) -> bool:
    """Whether this player has to act: to move, or in a pause to decide about a flag fall."""
    pause = game.extra.pause
    side = game.standing.turn if pause is None else pause.flagged.other
    return game.terms.seat(side).player_id == player_id
