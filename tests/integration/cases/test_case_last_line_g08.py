"""Case G08: whatever ends a game, both players' streams tell it in their last line and are closed behind it.

Every kind of end by the real rules: the line with the move that ends a game has the final status.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from services.domain.rule_set import AUTOMATIC, CLAIMED, FIDE, RuleSet
from services.domain.time_control import ClockControl
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.game_in_memory import eventually
from tests.integration.gateway.whole_api import ApiPlayer, Lines, WholeApi, closed, whole_api
from tests.integration.races.race_replicas import PATIENT, racing

CONTROL = ClockControl(600_000, 0)
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
STATUSES = {"mate", "resign", "stalemate", "timeout", "draw", "outoftime", "aborted", "variantEnd"}
"""The published names of what is over (`lichess_api_subset`: cheat, noStart and unknownFinish never happen here)."""


@dataclass(frozen=True)
class End:
    """A game, the request behind its moves that ends it (none: the last move does), and what the last line says."""

    status: str
    winner: str | None
    moves: tuple[str, ...]
    request: str = ""
    by_white: bool = True
    fen: str = ""
    rule_set: RuleSet = CLAIMED
    variant: str = "standard"


ENDS = {
    "mate": End("mate", "black", ("f2f3", "e7e5", "g2g4", "d8h4")),
    "mate on the fiftieth move": End("mate", "white", ("g5h5",), fen="7k/5K2/8/6R1/8/8/8/8 w - - 99 95"),
    "third repetition": End("draw", None, SHUFFLE * 2, rule_set=AUTOMATIC),
    "fifth repetition": End("draw", None, SHUFFLE * 4, rule_set=FIDE),
    "fifty moves": End("draw", None, ("g5g6",), fen="7k/5K2/8/6R1/8/8/8/8 w - - 99 95", rule_set=AUTOMATIC),
    "75 moves": End("draw", None, ("g5g6",), fen="7k/5K2/8/6R1/8/8/8/8 w - - 149 120", rule_set=FIDE),
    "stalemate": End("stalemate", None, ("b5b6",), fen="k7/8/8/1Q6/8/8/8/K7 w - - 0 1"),
    "dead position": End("draw", None, ("h8g7",), fen="7k/6R1/8/8/8/8/8/K7 b - - 0 1"),
    "hill": End("variantEnd", "white", ("e3e4",), fen="7k/8/8/8/8/4K3/8/8 w - - 0 1", variant="kingOfTheHill"),
    "explosion": End(
        "variantEnd", "white", ("d1d7",), fen="rnbqkbnr/pppppppp/8/8/8/8/8/K2Q4 w kq - 0 1", variant="atomic"
    ),
    "bare king": End("variantEnd", "white", ("b1b6",), fen="k7/8/1p6/8/8/8/8/KR6 w - - 0 1", variant="shatranj"),
    "resignation": End("resign", "black", ("e2e4", "e7e5"), "resign"),
    "resignation where the other cannot win": End(
        "draw", None, ("a2a3", "h8g8"), "resign", fen="7k/8/8/8/8/8/Q7/K7 w - - 0 1", rule_set=FIDE
    ),
    "claim": End("draw", None, SHUFFLE * 2, "claim-draw"),
    "abort": End("aborted", None, ("e2e4",), "abort", by_white=False),
    "flag": End("outoftime", "black", ("e2e4", "e7e5"), "flag"),
    "flag where the other cannot win": End(
        "outoftime", None, ("a2a3", "h8g8"), "flag", fen="7k/8/8/8/8/8/Q7/K7 w - - 0 1", rule_set=FIDE
    ),
}


@pytest.fixture
async def api(database_url: str, redis_url: str) -> AsyncIterator[WholeApi]:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world, whole_api(world) as api:
        yield api


async def _end(api: WholeApi, end: End, white: ApiPlayer, black: ApiPlayer, game_id: str) -> None:
    """Play to the end of it."""
    white_moves = " b " not in end.fen
    for number, move in enumerate(end.moves):
        mover = white if (number % 2 == 0) is white_moves else black
        await mover.post(f"/api/board/game/{game_id}/move/{move}")
    if end.request == "flag":
        rows = await api.world.rows("SELECT version, deadline_ms FROM game WHERE id = :id", id=game_id)
        ((version, deadline_ms),) = rows
        flag = pb.Command(game_id=game_id, flag=pb.Flag(version=version))
        assert (await api.world.first.ask(flag, deadline_ms + 100)).HasField("accepted")
    elif end.request:
        await (white if end.by_white else black).post(f"/api/board/game/{game_id}/{end.request}")


@pytest.mark.parametrize("names", [list(ENDS)[::2], list(ENDS)[1::2]], ids=["some", "others"])
async def test_the_last_line_of_both_streams_tells_the_end(api: WholeApi, names: list[str]) -> None:
    for name, end in ((name, ENDS[name]) for name in names):
        white, black = await api.guest(), await api.guest()
        game_id = await api.world.game(
            control=CONTROL,
            fen=end.fen,
            variant=end.variant,
            rule_set=end.rule_set,
            white=white.seat,
            black=black.seat,
        )
        async with (
            white.listening("/api/stream/event") as events,
            white.game(game_id) as one,
            black.game(game_id) as other,
        ):
            await _end(api, end, white, black, game_id)
            await closed(one, other)
            for stream in (one, other):
                _tells(stream, name, end)
            late = await white.post(f"/api/board/game/{game_id}/move/a2a3", 400)
            assert late["code"] == "game_over"
            assert late["error"]
            await eventually(lambda: events.told[-1]["type"] == "gameFinish", f"gameFinish: {name}")
            finish = events.told[-1]["game"]
            assert (finish["gameId"], finish["status"]["name"]) == (game_id, end.status), name
            assert finish.get("winner") == end.winner, name


def _tells(stream: Lines, name: str, end: End) -> None:
    *before, last = stream.states
    assert (last["status"], last.get("winner"), "winner" in last) == (end.status, end.winner, bool(end.winner)), name
    assert last["moves"] == " ".join(end.moves), name
    assert last["status"] in STATUSES
    assert {state["status"] for state in before} == {"started"}
    if not end.request:
        assert all(state["moves"] != last["moves"] for state in before), "told once, and as over"
