"""Conditional moves of correspondence games.

They are stored outside the game, and an answer is committed together with the move that it answers. Only their player
can read them. A move that no line predicts, a takeback and the end of the

game delete them.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from google.protobuf.message import DecodeError
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import Correspondence
from services.game.commit.ports import Rules
from services.game.play.game import Game
from services.game.play.moment import Answers
from services.game.play.question import Play, Played
from services.game.play.refusals import NOT_A_PLAYER
from services.game.store.schema import conditional_moves
from services.pb.flagfall.v1 import game_pb2 as pb

LINES_MAX = 20
LINE_MOVES_MAX = 20
"""The half-moves of one line."""


def answers_to_pb(answers: Answers) -> pb.ConditionalLines:
    """Lines as a message."""
    lines = [pb.ConditionalLine(moves=line) for line in answers.lines]
    return pb.ConditionalLines(ply=answers.ply, lines=lines)


def _answers_of(ply: int, data: bytes) -> Answers | None:
    """Stored lines; None if a newer replica wrote them and they cannot be read."""
    try:
        message = pb.ConditionalLines.FromString(data)
    except DecodeError:
        return None
    lines = tuple(tuple(line.moves) for line in message.lines)
    return Answers(ply, lines) if all(len(line) >= 2 for line in lines) else None


async def load(connection: AsyncConnection, wanted: Mapping[str, str]) -> dict[str, Answers]:
    """The lines of one player in each of these games, by game id."""
    table = conditional_moves
    statement = sa.select(table).where(sa.tuple_(table.c.game_id, table.c.player_id).in_(list(wanted.items())))
    found = {}
    for row in await connection.execute(statement):
        answers = _answers_of(row.ply, row.lines)
        if answers is not None:
            found[row.game_id] = answers
    return found


async def keep(connection: AsyncConnection, game_id: str, player_id: str, answers: Answers) -> None:
    """Store these lines in place of the earlier ones; no lines deletes them."""
    if not answers.lines:
        await forget(connection, [(game_id, player_id)])
        return
    values = {"ply": answers.ply, "lines": answers_to_pb(answers).SerializeToString(deterministic=True)}
    statement = pg.insert(conditional_moves).values(game_id=game_id, player_id=player_id, **values)
    await connection.execute(statement.on_conflict_do_update(index_elements=["game_id", "player_id"], set_=values))


async def forget(connection: AsyncConnection, owned: Sequence[tuple[str, str]]) -> None:
    """Delete the lines of these pairs of game and player."""
    table = conditional_moves
    await connection.execute(sa.delete(table).where(sa.tuple_(table.c.game_id, table.c.player_id).in_(list(owned))))


async def forget_all(connection: AsyncConnection, game_ids: Sequence[str]) -> None:
    """Delete both players' lines: the game is over, or moves were taken back."""
    await connection.execute(sa.delete(conditional_moves).where(conditional_moves.c.game_id.in_(game_ids)))


def refuse(game: Game, player_id: str) -> Refusal | None:
    """Why this player cannot set lines now, or None."""
    side = game.terms.side_of(player_id)
    if side is None:
        return NOT_A_PLAYER
    if not isinstance(game.terms.control, Correspondence):
        return Refusal(RefusalCode.NOT_ALLOWED, say("correspondence.needs_correspondence"))
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, say("play.game_over"))
    if side is game.turn:
        return Refusal(RefusalCode.NOT_ALLOWED, say("correspondence.play_it"))
    return None


def refuse_lines(lines: Sequence[Sequence[str]]) -> Refusal | None:
    """What is wrong with the number and length of the lines, or None. It does not check their moves."""
    if len(lines) > LINES_MAX:
        return Refusal(RefusalCode.LIMIT_REACHED, say("correspondence.lines_max", most=LINES_MAX), "lines")
    for number, line in enumerate(lines):
        at = f"lines[{number}]"
        if not line or len(line) % 2:
            return Refusal(RefusalCode.MALFORMED, say("correspondence.pairs"), at)
        if len(line) > LINE_MOVES_MAX:
            return Refusal(RefusalCode.LIMIT_REACHED, say("correspondence.line_length", most=LINE_MOVES_MAX), at)
    return None


async def checked(game: Game, lines: Sequence[Sequence[str]], rules: Rules) -> Answers | Refusal:
    """The lines in UCI, or a refusal if one cannot be played from here or a move has two answers.

    Raises RulesUnavailable.
    """
    standings = [game.standing] * len(lines)
    found: list[list[str]] = [[] for _ in lines]
    for depth in range(max(map(len, lines), default=0)):
        open_lines = [number for number, line in enumerate(lines) if len(line) > depth]
        questions = [
            Play(game.terms.variant, game.terms.rule_set, standings[n].fen, standings[n].keys, lines[n][depth])
            for n in open_lines
        ]
        for number, verdict in zip(open_lines, await rules.judge(questions), strict=True):
            at = f"lines[{number}].moves[{depth}]"
            if isinstance(verdict, Refusal):
                return Refusal(verdict.code, verdict.text, at)
            assert isinstance(verdict, Played), "a move is played or refused"
            if verdict.standing.outcome is not None and depth + 1 < len(lines[number]):
                return Refusal(RefusalCode.ILLEGAL_MOVE, say("correspondence.over_with", move=verdict.san), at)
            found[number].append(verdict.uci)
            standings[number] = verdict.standing
    answers: dict[tuple[str, ...], str] = {}
    for number, moves in enumerate(found):
        for place in range(1, len(moves), 2):
            before = tuple(moves[:place])
            if answers.setdefault(before, moves[place]) != moves[place]:
                at = f"lines[{number}].moves[{place}]"
                return Refusal(RefusalCode.MALFORMED, say("correspondence.other_answer"), at)
    return Answers(game.ply, tuple(tuple(moves) for moves in found))
