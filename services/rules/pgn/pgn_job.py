"""Reading and writing PGN as calls: request in, response out. It may take seconds, so it runs in a side process."""

from functools import lru_cache

from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.pgn.pgn_read import read_pgn
from services.rules.pgn.pgn_wire import pgn_games_from_pb, pgn_games_to_pb, pgn_options_from_pb
from services.rules.pgn.pgn_write import write_pgn
from services.rules.refused import Rejected
from services.rules.settings import RulesSettings
from services.rules.wire import options_from_pb
from services.runtime import wire
from services.runtime.settings import load

READ, WRITE = b"r", b"w"
"""The first byte of a question."""


def read_response(request: pb.ReadPgnRequest, settings: RulesSettings) -> pb.ReadPgnResponse:
    """The games of a PGN, or the refusal."""
    try:
        rule_set, options = options_from_pb(request.rule_set), pgn_options_from_pb(request)
        games = read_pgn(request.pgn, rule_set, options, settings.limits(), settings.pgn_limits())
        return pb.ReadPgnResponse(games=pgn_games_to_pb(games))
    except Rejected as refused:
        return pb.ReadPgnResponse(refusal=wire.refusal_to_pb(refused.refusal))


def write_response(request: pb.WritePgnRequest, settings: RulesSettings) -> pb.WritePgnResponse:
    """The PGN of games, or the refusal."""
    try:
        rule_set, games = options_from_pb(request.rule_set), pgn_games_from_pb(request.games)
        return pb.WritePgnResponse(pgn=write_pgn(games, rule_set, settings.limits(), settings.pgn_limits()))
    except Rejected as refused:
        return pb.WritePgnResponse(refusal=wire.refusal_to_pb(refused.refusal))


def answer(question: bytes, left_ms: int) -> bytes:
    """The job of a side process. The PGN limits bound the work, so it ignores `left_ms`."""
    kind, data = question[:1], question[1:]
    if kind == READ:
        return read_response(pb.ReadPgnRequest.FromString(data), _settings()).SerializeToString()
    return write_response(pb.WritePgnRequest.FromString(data), _settings()).SerializeToString()


@lru_cache(maxsize=1)
def _settings() -> RulesSettings:
    return load(RulesSettings)
