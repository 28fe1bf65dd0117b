"""The calls of the rules service that ask about one position, a PGN or an adjudication, over real gRPC."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import grpc
import pytest
import pytest_asyncio

from services.domain.rule_set import CLAIMED, FIDE
from services.domain.variant import Variant
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub
from services.runtime.wire import rule_set_to_pb
from tests.integration.rules.test_rules_server import rules_process

if TYPE_CHECKING:
    from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceAsyncStub

pytestmark = [pytest.mark.timeout(60), pytest.mark.asyncio(loop_scope="module")]
RULES = rule_set_to_pb(FIDE)
PAWN_MATES = "4k3/8/8/8/8/8/3P4/4KB2 w - - 0 1"
"""White can mate, which takes a search to find; Black cannot."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rules() -> AsyncIterator["RulesServiceAsyncStub"]:
    async with rules_process() as running, grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        yield RulesServiceStub(channel)


def position(fen: str, variant: str = "standard", keys: bytes = b"") -> pb.Position:
    return pb.Position(variant=variant, fen=fen, keys=keys)


async def test_legal_moves_in_every_notation(rules: "RulesServiceAsyncStub") -> None:
    asked = pb.LegalRequest(rule_set=RULES, position=position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    legal = (await rules.Legal(asked)).legal
    moves = {move.uci: move for move in legal.moves}
    assert list(moves) == legal.standing.legal.split()
    castling = moves["e1g1"]
    assert (castling.uci_960, castling.san, castling.check, castling.capture) == ("e1h1", "O-O", False, False)
    assert (moves["h1h8"].san, moves["h1h8"].check, moves["h1h8"].wins) == ("Rh8+", True, False)


async def test_a_winning_move_is_told(rules: "RulesServiceAsyncStub") -> None:
    asked = pb.LegalRequest(rule_set=RULES, position=position("8/8/8/8/8/3K4/8/k7 w - - 0 1", "kingOfTheHill"))
    moves = {move.uci: move for move in (await rules.Legal(asked)).legal.moves}
    assert [(move.uci, move.san) for move in moves.values() if move.wins] == [("d3d4", "Kd4#"), ("d3e4", "Ke4#")]


async def test_no_moves_when_the_game_is_over(rules: "RulesServiceAsyncStub") -> None:
    asked = pb.LegalRequest(rule_set=RULES, position=position("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"))
    legal = (await rules.Legal(asked)).legal
    assert list(legal.moves) == []
    assert legal.standing.outcome.reason == common_pb2.END_REASON_CHECKMATE


@pytest.mark.parametrize(
    ("variant", "fen", "text", "uci", "uci_960", "san"),
    [
        ("standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0-0", "e1c1", "e1a1", "O-O-O"),
        ("standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1", "e1h1", "O-O"),
        ("chess960", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1h1", "e1h1", "O-O"),
        ("standard", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Sf3", "g1f3", "g1f3", "Nf3"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "S@f3", "N@f3", "N@f3", "N@f3"),
        ("shatranj", "7k/P5p1/8/8/8/8/8/K5R1 w - - 0 1", "a8", "a7a8q", "a7a8q", "a8=Q"),
    ],
)
async def test_what_was_meant(
    rules: "RulesServiceAsyncStub", variant: str, fen: str, text: str, uci: str, uci_960: str, san: str
) -> None:
    move = (await rules.ParseMove(pb.ParseMoveRequest(position=position(fen, variant), text=text))).move
    assert (move.uci, move.uci_960, move.san.rstrip("+")) == (uci, uci_960, san)


async def test_what_is_no_move_is_refused_with_the_reason(rules: "RulesServiceAsyncStub") -> None:
    start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    refusal = (await rules.ParseMove(pb.ParseMoveRequest(position=start, text="--"))).refusal
    assert (refusal.code, refusal.at) == ("malformed", "move")
    elsewhere = pb.ParseMoveRequest(position=position("8/8/8/8/8/8/8/8 w - - 0 1"), text="e4")
    assert (await rules.ParseMove(elsewhere)).refusal.at == "fen.board"
    assert (await rules.Legal(pb.LegalRequest(position=start))).refusal.at == "rule_set.repetition"


async def test_start_positions(rules: "RulesServiceAsyncStub") -> None:
    fens: dict[str, str] = {}
    for variant in set(Variant) - {Variant.CHESS960}:
        started = (await rules.StartPosition(pb.StartPositionRequest(variant=variant))).start
        assert not started.HasField("number")
        fens[variant] = started.standing.position.fen.split("/")[0]
    assert fens["shatranj"] == "rnbkqbnr"
    assert fens["racingKings"] == "8"
    assert fens["chaturanga"] == fens["standard"] == "rnbqkbnr"
    numbered = (await rules.StartPosition(pb.StartPositionRequest(variant="chess960", number=0))).start
    assert (numbered.number, numbered.standing.position.fen.split("/")[0]) == (0, "bbqnnrkr")
    # among twenty random ones two at least differ, but for one chance in 10^56
    random = [(await rules.StartPosition(pb.StartPositionRequest(variant="chess960"))).start for _ in range(20)]
    assert len({start.number for start in random}) > 1
    for start in random:
        again = pb.StartPositionRequest(variant="chess960", number=start.number)
        assert (await rules.StartPosition(again)).start.standing.position == start.standing.position


@pytest.mark.parametrize(("variant", "number"), [("chess960", 960), ("chess960", -1), ("standard", 5)])
async def test_numbers_that_are_none(rules: "RulesServiceAsyncStub", variant: str, number: int) -> None:
    refused = await rules.StartPosition(pb.StartPositionRequest(variant=variant, number=number))
    assert (refused.refusal.code, refused.refusal.at) == ("malformed", "number")


@pytest.mark.parametrize("keys", [b"x" * 7, b"x" * 9, b"x" * 8 * 1025])
async def test_keys_that_are_none_are_refused(rules: "RulesServiceAsyncStub", keys: bytes) -> None:
    asked = position("6k1/8/8/8/8/8/8/K6R w - - 0 1", keys=keys)
    legal = await rules.Legal(pb.LegalRequest(rule_set=RULES, position=asked))
    meant = await rules.ParseMove(pb.ParseMoveRequest(position=asked, text="Rh2"))
    assert [(answer.refusal.code, answer.refusal.at) for answer in (legal, meant)] == [("malformed", "keys")] * 2


def flag(fen: str, loser: common_pb2.Color, rule_set: common_pb2.RuleSet = RULES) -> pb.Adjudication:
    forfeit = pb.Forfeit(position=position(fen), loser=loser, kind=pb.FORFEIT_KIND_FLAG)
    return pb.Adjudication(rule_set=rule_set, forfeit=forfeit)


async def test_adjudication_searches_where_the_rules_ask_for_it(rules: "RulesServiceAsyncStub") -> None:
    questions = [
        flag(PAWN_MATES, common_pb2.COLOR_BLACK),
        flag(PAWN_MATES, common_pb2.COLOR_BLACK, rule_set_to_pb(CLAIMED)),
        flag("6Rk/8/7K/8/8/8/8/8 b - - 0 1", common_pb2.COLOR_BLACK),
        flag("no position", common_pb2.COLOR_BLACK),
    ]
    asked = pb.AdjudicateTimeoutRequest(questions=questions)
    searched, by_material, dead, broken = (await rules.AdjudicateTimeout(asked)).verdicts
    assert searched.forfeited.outcome.winner == common_pb2.COLOR_WHITE
    assert (searched.forfeited.can_mate, searched.forfeited.undetermined) == (pb.CAN_MATE_YES, False)
    assert by_material.forfeited.outcome.winner == common_pb2.COLOR_WHITE
    assert by_material.forfeited.can_mate == pb.CAN_MATE_UNKNOWN
    assert dead.forfeited.outcome.winner == common_pb2.COLOR_UNSPECIFIED
    assert dead.forfeited.can_mate == pb.CAN_MATE_NO
    assert broken.refusal.code == "bad_position"


async def test_a_search_is_told_a_position_in_flagfalls_own_spelling(rules: "RulesServiceAsyncStub") -> None:
    spellings = [
        "r3k2r/pp6/8/8/8/8/PP6/R3K2R w kqKQ - 0 1",
        "r3k2r/pp6/8/8/8/8/PP6/R3K2R w KQkq\r- 0 1",
        "r3k2r/pp6/8/8/8/8/PP6/R3K2R\nw KQkq - 0 1",
    ]
    asked = [flag(fen, common_pb2.COLOR_WHITE) for fen in spellings]
    verdicts = (await rules.AdjudicateTimeout(pb.AdjudicateTimeoutRequest(questions=asked))).verdicts
    assert [verdict.forfeited.can_mate for verdict in verdicts] == [pb.CAN_MATE_YES] * 3


async def test_a_pgn_there_and_back(rules: "RulesServiceAsyncStub") -> None:
    text = b'[White "A"]\n[Black "B"]\n[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 {[%clk 0:01:00]} 1-0\n'
    games = (await rules.ReadPgn(pb.ReadPgnRequest(pgn=text))).games.games
    assert [move.uci for move in games[0].moves] == ["e2e4", "d7d5", "e4d5", "d8d5", "P@e4"]
    assert (games[0].variant, games[0].moves[-1].clock_ms, games[0].result) == ("crazyhouse", 60_000, "1-0")
    written = (await rules.WritePgn(pb.WritePgnRequest(games=games))).pgn
    again = (await rules.ReadPgn(pb.ReadPgnRequest(pgn=written.encode()))).games.games
    assert list(again[0].moves) == list(games[0].moves)
    refusal = (await rules.ReadPgn(pb.ReadPgnRequest(pgn=b"1. e4 e5 2. Ke3 *"))).refusal
    assert refusal.code == "illegal_move"
    assert refusal.at.startswith("games[0].line[1].move[2.")


async def test_a_pgn_of_seconds_delays_no_move(rules: "RulesServiceAsyncStub") -> None:
    """While one is read, moves are judged in their usual time: many, where a blocked service would judge none."""
    shuffle = "".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8 " for n in range(1, 4_000, 2))
    reading = asyncio.ensure_future(rules.ReadPgn(pb.ReadPgnRequest(pgn=f"{shuffle}*".encode())))
    start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    question = pb.Question(rule_set=RULES, play=pb.Play(position=start, move="e2e4"))
    judged, slowest_s = 0, 0.0
    while not reading.done():
        began_s = time.monotonic()
        await rules.Judge(pb.JudgeRequest(questions=[question]))
        slowest_s = max(slowest_s, time.monotonic() - began_s)
        judged += 1
    assert len((await reading).games.games[0].moves) == 8_000
    assert judged > 20, f"{judged} judged meanwhile, the slowest took {slowest_s:.3f} s"


async def test_a_side_process_that_dies_is_replaced_and_ends_with_its_server() -> None:
    async with rules_process() as running, grpc.aio.insecure_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        rules: RulesServiceAsyncStub = RulesServiceStub(channel)
        small = pb.ReadPgnRequest(pgn=b"1. e4 *")
        assert (await rules.ReadPgn(small)).HasField("games")
        (child,) = children(running.process.pid)
        os.kill(child, signal.SIGKILL)
        while alive(child):
            await asyncio.sleep(0.01)
        answers = [await rules.ReadPgn(small) for _ in range(2)]
        assert answers[1].HasField("games")
        (child,) = children(running.process.pid)
        running.process.kill()
        async with asyncio.timeout(20):
            while alive(child):
                await asyncio.sleep(0.02)


def children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(number) for number in file.read().split()]


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
