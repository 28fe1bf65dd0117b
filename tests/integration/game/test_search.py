"""Games looked for on a real PostgreSQL: what is found, page by page, and how much work that is."""

import itertools
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE
from services.domain.time_control import ClockControl
from services.game.search.search import Place, Query, Search, page_statement
from services.game.search.servicer import SearchServicer
from services.game.settings import GameSettings
from services.game.store.database import open_engine, transaction
from services.game.store.schema import game as table
from services.pb.flagfall.v1 import common_pb2, game_pb2
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.integration.game.nothing_overdue import NOTHING_OVERDUE

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
MATE, ABORT = common_pb2.END_REASON_CHECKMATE, common_pb2.END_REASON_ABORT
ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START_MS = 1_700_000_000_000

FIXED: dict[str, Any] = {
    "variant": "standard",
    "rule_set": rule_set_to_pb(FIDE).SerializeToString(deterministic=True),
    "time_control": time_control_to_pb(ClockControl(300_000, 0)).SerializeToString(deterministic=True),
    "rated": False,
    "source": "friend",
    "white_id": "ann",
    "white_name": "",
    "white_guest": False,
    "black_id": "bob",
    "black_name": "",
    "black_guest": False,
    "version": 1,
    "end_reason": 0,
    "winner": 0,
    "fen": ARRAY,
    "keys": b"\0" * 8,
    "ply": 0,
    "turn": int(WHITE),
    "in_check": False,
    "legal": "e2e4",
    "white_ms": 300_000,
    "black_ms": 300_000,
    "turn_started_ms": START_MS,
}


def mixed_games() -> Iterator[dict[str, Any]]:
    """Games of every kind that is told apart, two at each moment."""
    ends = [(0, 0), (MATE, WHITE), (MATE, BLACK), (common_pb2.END_REASON_AGREEMENT, 0), (ABORT, 0)]
    sides = [("ann", "bob"), ("bob", "ann"), ("ann", "cid"), ("bob", "cid"), ("ann", "ann"), ("", "")]
    kinds = itertools.product(ends, sides, ("standard", "atomic"), (False, True))
    for number, ((reason, winner), (white, black), variant, rated) in enumerate(kinds):
        yield FIXED | {
            "id": f"game{number:04}",
            "created_ms": START_MS + number // 2,
            "end_reason": int(reason),
            "winner": int(winner),
            "white_id": white,
            "black_id": black,
            "variant": variant,
            "rated": rated,
            "source": "friend" if white else "import",
        }


def fits(row: dict[str, Any], query: Query) -> bool:
    """The same, said plainly."""
    sides = {Colour.WHITE: row["white_id"], Colour.BLACK: row["black_id"]}
    mine = [side for side, id in sides.items() if query.player_id and id == query.player_id]
    if query.player_id:
        mine = [side for side in mine if query.colour in (None, side)]
        mine = [side for side in mine if not query.opponent_id or sides[side.other] == query.opponent_id]
        if not mine:
            return False
    elif row["source"] == "import":
        return False
    won = {int(WHITE): Colour.WHITE, int(BLACK): Colour.BLACK}.get(row["winner"])
    me = mine[0] if mine else Colour.WHITE
    result = {
        game_pb2.GAME_RESULT_UNSPECIFIED: True,
        game_pb2.GAME_RESULT_WON: won is me,
        game_pb2.GAME_RESULT_LOST: won is me.other,
        game_pb2.GAME_RESULT_DRAWN: won is None and row["end_reason"] not in (0, int(ABORT)),
    }[query.result]
    return (
        result
        and (not query.variant or row["variant"] == query.variant)
        and (query.rated is None or row["rated"] == query.rated)
        and row["created_ms"] >= query.from_ms
        and (not query.until_ms or row["created_ms"] < query.until_ms)
        and (not query.ended or row["end_reason"] != 0)
    )


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = open_engine(GameSettings(database_url=database_url))
    yield made
    await made.dispose()


async def found(search: Search, query: Query) -> list[str]:
    """The ids of all pages."""
    ids: list[str] = []
    while True:
        page = await search.page(query)
        assert not isinstance(page, Refusal)
        assert len(page.games) == query.limit or not page.more
        ids += [game.terms.id for game in page.games]
        if not page.more:
            return ids
        query = Query(**{name: getattr(query, name) for name in Query.__slots__} | {"after": ids[-1]})


QUERIES = [
    Query(7),
    Query(7, "ann"),
    Query(3, "ann", oldest_first=True),
    Query(7, "ann", "bob"),
    Query(7, "ann", colour=Colour.BLACK),
    Query(7, "ann", "bob", colour=Colour.WHITE, rated=True),
    Query(7, "ann", result=game_pb2.GAME_RESULT_LOST),
    Query(7, "ann", result=game_pb2.GAME_RESULT_DRAWN, variant="atomic"),
    Query(7, "bob", result=game_pb2.GAME_RESULT_WON, ended=True),
    Query(7, variant="atomic", result=game_pb2.GAME_RESULT_WON),
    Query(50, "ann", from_ms=START_MS + 10, until_ms=START_MS + 40),
    Query(7, "nobody"),
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
async def test_all_that_fits_is_found_once_and_in_order(engine: AsyncEngine, query: Query) -> None:
    rows = list(mixed_games())
    async with transaction(engine) as connection:
        await connection.execute(sa.insert(table), rows)
    expected = sorted(
        (row for row in rows if fits(row, query)),
        key=lambda row: (row["created_ms"], row["id"]),
        reverse=not query.oldest_first,
    )
    assert bool(expected) == (query.player_id != "nobody")
    assert await found(Search(engine, 200), query) == [row["id"] for row in expected]


async def test_rows_that_cannot_be_read_make_no_page_short_and_end_no_list(engine: AsyncEngine) -> None:
    rows = [FIXED | {"id": f"game{number:04}", "created_ms": START_MS + number} for number in range(9)]
    for number in (2, 3, 4, 5, 6):
        rows[number]["rule_set"] = b"\xff"
    async with transaction(engine) as connection:
        await connection.execute(sa.insert(table), rows)
    assert await found(Search(engine, 200), Query(2, "ann")) == ["game0008", "game0007", "game0001", "game0000"]


async def test_a_page_after_a_game_that_is_not_there_is_refused(engine: AsyncEngine) -> None:
    page = await Search(engine, 200).page(Query(2, "ann", after="nowhere1"))
    assert isinstance(page, Refusal)
    assert (page.code, page.at) == ("not_found", "after_game_id")


async def test_games_that_go_on_are_all_there_once(engine: AsyncEngine) -> None:
    rows = list(mixed_games())
    async with transaction(engine) as connection:
        await connection.execute(sa.insert(table), rows)
    games = await Search(engine, 200).ongoing("ann")
    expected = sorted(
        row["id"] for row in rows if "ann" in (row["white_id"], row["black_id"]) and not row["end_reason"]
    )
    assert sorted(game.terms.id for game in games) == expected


class Servicer(SearchServicer):
    """With a clock that stands."""

    def __init__(self, engine: AsyncEngine, **settings: int) -> None:
        chosen = GameSettings.model_validate(settings)
        beats: Any = SimpleNamespace(now_ms=lambda: START_MS + 1_000, outages=Outages())
        super().__init__(Search(engine, chosen.games_ongoing_max), NOTHING_OVERDUE, beats, chosen.limits(), chosen)


async def test_own_games_that_go_on_are_all_listed_by_turn_whatever_a_page_has(engine: AsyncEngine) -> None:
    rows = [
        FIXED
        | {
            "id": f"game{number:04}",
            "created_ms": START_MS,
            "ply": 2,
            "turn": int(BLACK if number % 2 else WHITE),
            "turn_started_ms": START_MS - number,
            "end_reason": int(MATE) if number == 8 else 0,
        }
        for number in range(9)
    ]
    async with transaction(engine) as connection:
        await connection.execute(sa.insert(table), rows)
    servicer: Any = Servicer(engine, list_games_max=3)

    async def listed(**asked: Any) -> list[int]:
        answer = await servicer.ListGames(game_pb2.ListGamesRequest(player_id="ann", **asked), None)
        return [int(game.info.id[4:]) for game in answer.games]

    assert await listed(ongoing=True) == [6, 4, 2, 0, 7, 5, 3, 1]
    assert await listed(ongoing=True, limit=2) == [6, 4]
    assert await listed() == [8, 7, 6]
    for nobody in ("", "Ann!"):
        assert not (await servicer.ListGames(game_pb2.ListGamesRequest(player_id=nobody, ongoing=True), None)).games


async def test_what_cannot_be_looked_for_is_named(engine: AsyncEngine) -> None:
    servicer: Any = Servicer(engine)
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"player_id": "no such name"}, "not_found", "player_id"),
        ({"player_id": "ann", "opponent_id": "\0"}, "not_found", "opponent_id"),
        ({"opponent_id": "bob"}, "malformed", "player_id"),
        ({"color": WHITE}, "malformed", "player_id"),
        ({"variant": "draughts"}, "unsupported_variant", "variant"),
        ({"result": 9}, "malformed", "result"),
        ({"after_game_id": "'; --"}, "not_found", "after_game_id"),
        ({"limit": -1}, "malformed", "limit"),
        ({"from_ms": -1}, "malformed", "limit"),
    ]
    for asked, code, at in wrong:
        refusal = (await servicer.SearchGames(game_pb2.SearchGamesRequest(**asked), None)).refusal
        assert (refusal.code, refusal.at) == (code, at), asked


MANY = 6_000
BUSY = [
    Query(20, "p7"),
    Query(20, "p7", oldest_first=True),
    Query(20, "p7", "p8"),
    Query(20, "p7", colour=Colour.BLACK, variant="standard"),
    Query(20, "p7", result=game_pb2.GAME_RESULT_WON, ended=True),
    Query(20),
    Query(20, variant="atomic"),
    Query(20, variant="atomic", oldest_first=True),
]


async def test_a_page_walks_an_index_and_looks_at_few_rows_however_deep_it_is(engine: AsyncEngine) -> None:
    made_of: dict[str, str] = {name: f"f.{name}" for name in FIXED} | {
        "id": "'g' || lpad(n::text, 7, '0')",
        "created_ms": f"{START_MS} + n",
        "white_id": "'p' || n % 100",
        "black_id": "'p' || (n + 1 + n / 100 % 3) % 100",
        "winner": "n % 3",
        "variant": "CASE WHEN n % 50 = 0 THEN 'atomic' ELSE 'standard' END",
    }
    fill = f"""INSERT INTO game ({", ".join(made_of)})
        SELECT {", ".join(made_of.values())} FROM game AS f, generate_series(1, {MANY}) AS n"""
    async with transaction(engine) as connection:
        await connection.execute(sa.insert(table), [FIXED | {"id": "template", "created_ms": START_MS}])
        await connection.execute(sa.text(fill.replace("::", "\\:\\:")))
    async with engine.connect() as connection:
        await (await connection.execution_options(isolation_level="AUTOCOMMIT")).execute(sa.text("ANALYZE game"))
    for query, after in itertools.product(BUSY, (None, Place(START_MS + MANY // 2, "g0003000"))):
        statement = page_statement(query, after, query.limit + 1)
        said = statement.compile(dialect=pg.dialect(), compile_kwargs={"literal_binds": True})  # type: ignore[no-untyped-call]
        async with transaction(engine) as connection:
            row = await connection.execute(sa.text(f"EXPLAIN (ANALYZE, FORMAT JSON) {said}".replace(":", "\\:")))
            plan = row.scalar_one()[0]["Plan"]
        scans = list(leaves(plan))
        assert all(scan["Node Type"] != "Seq Scan" for scan in scans), (query, after, scans)
        looked_at = sum(scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0) for scan in scans)
        # Of a player 120 games, of a variant 120; of everybody's 6,000 no more than the page.
        assert looked_at <= (150 if query.player_id or query.variant else 25), (query, after, scans)


def leaves(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The nodes that read the table."""
    for inner in plan.get("Plans", ()):
        yield from leaves(inner)
    if "Scan" in plan["Node Type"] and plan.get("Relation Name") == "game":
        yield plan
