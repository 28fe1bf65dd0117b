"""Games to judge: random ones in every variant, and a long quiet one whose history grows."""

import random

import chess

from services.domain.rule_set import FIDE
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.limits import LIMITS
from services.rules.server import answer
from services.runtime.wire import rule_set_to_pb

SEED = 6
RULES = rule_set_to_pb(FIDE)
STANDARD_ARRAY = 518


def random_games(variant: Variant, plies: int) -> list[pb.Question]:
    """The moves of random games, one game after the other, until there are `plies`."""
    chance = random.Random(SEED)
    questions: list[pb.Question] = []
    number = STANDARD_ARRAY if variant is Variant.CHESS960 else None
    start = pb.Question(rule_set=RULES, start=pb.Start(variant=variant, number=number))
    while len(questions) < plies:
        standing = answer(start, "start", LIMITS).started.standing
        while standing.legal and len(questions) < plies:
            move = chance.choice(standing.legal.split())
            question = pb.Question(rule_set=RULES, play=pb.Play(position=standing.position, move=move))
            questions.append(question)
            standing = answer(question, "play", LIMITS).played.standing
    return questions


def long_game(plies: int) -> list[pb.Question]:
    """A game of standard chess that takes nothing and moves few pawns, so that its history grows long."""
    chance = random.Random(SEED)
    while True:
        board = chess.Board()
        questions: list[pb.Question] = []
        position = pb.Position(variant="standard", fen=board.fen())
        while len(questions) < plies:
            quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
            pawn = [move for move in board.legal_moves if not board.is_capture(move) and board.is_zeroing(move)]
            if not quiet or (board.halfmove_clock > 100 and not pawn):
                break
            move = chance.choice(pawn if board.halfmove_clock > 100 else quiet)
            question = pb.Question(rule_set=RULES, play=pb.Play(position=position, move=move.uci()))
            verdict = answer(question, "play", LIMITS)
            if verdict.played.standing.HasField("outcome"):
                break
            questions.append(question)
            position = verdict.played.standing.position
            board.push(move)
        else:
            return questions
