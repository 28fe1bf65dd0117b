"""Imported and exported games to and from their messages. Variations are processed with lists, not by recursion."""

from collections.abc import Sequence

from services.domain.pgn import PgnLine
from services.domain.refusal import RefusalCode
from services.domain.text import say
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.pgn.pgn_lines import RawLine, RawMove, frozen
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.rules.refused import Rejected
from services.rules.wire import standing_to_pb
from services.runtime import wire


def pgn_options_from_pb(request: pb.ReadPgnRequest) -> PgnOptions:
    """The options of a request to read PGN."""
    if request.games_max < 0:
        raise Rejected(RefusalCode.MALFORMED, say("rules.pgn_games_negative", given=request.games_max), "games_max")
    return PgnOptions(request.with_variations, request.with_comments, request.games_max or None)


def pgn_games_to_pb(games: Sequence[PgnGame]) -> pb.PgnGames:
    """Games to protobuf, after reading PGN."""
    message = pb.PgnGames()
    for game in games:
        to = message.games.add(
            tags=[common_pb2.PgnTag(name=name, value=value) for name, value in game.tags],
            variant=game.variant,
            initial_fen=game.initial_fen,
            comment=game.line.comment,
            result=game.result,
            outcome=None if game.outcome is None else wire.outcome_to_pb(game.outcome),
            final=None if game.final is None else standing_to_pb(game.final),
            line=game.first_line,
        )
        _add_moves(game.line, to)
    return message


def pgn_games_from_pb(messages: Sequence[pb.PgnGame]) -> list[PgnGame]:
    """Games from protobuf, to be written as PGN."""
    return [_game(index, message) for index, message in enumerate(messages)]


def _game(index: int, message: pb.PgnGame) -> PgnGame:
    outcome = None
    if message.HasField("outcome"):
        try:
            outcome = wire.outcome_from_pb(message.outcome)
        except ValueError as error:
            text = say("rules.pgn_game", game=index + 1, problem=say("rules.pgn_outcome"))
            raise Rejected(RefusalCode.MALFORMED, text, f"games[{index}].outcome") from error
    return PgnGame(
        tags=tuple((tag.name, tag.value) for tag in message.tags),
        variant=message.variant,
        initial_fen=message.initial_fen,
        line=_line(message),
        result=message.result,
        outcome=outcome,
    )


def _add_moves(line: PgnLine, to: pb.PgnGame | pb.PgnLine) -> None:
    waiting = [(line, to)]
    while waiting:
        line, to = waiting.pop()
        for move in line.moves:
            added = to.moves.add(
                uci=move.uci, san=move.san, clock_ms=move.clock_ms, nags=move.nags, comment=move.comment
            )
            waiting.extend((side, added.variations.add(comment=side.comment)) for side in move.variations)


def _line(message: pb.PgnGame) -> PgnLine:
    lines = [RawLine(comments=[message.comment])]
    waiting: list[tuple[pb.PgnGame | pb.PgnLine, RawLine]] = [(message, lines[0])]
    for told, line in waiting:
        for move in told.moves:
            sides = [RawLine(comments=[side.comment]) for side in move.variations]
            line.moves.append(
                RawMove(
                    text="",
                    clock_ms=move.clock_ms if move.HasField("clock_ms") else None,
                    nags=list(move.nags),
                    comments=[move.comment],
                    lines=sides,
                    uci=move.uci,
                    san=move.san,
                )
            )
            lines += sides
            waiting += zip(move.variations, sides, strict=True)
    return frozen(lines)
