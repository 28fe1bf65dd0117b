"""Processor time of one judged move, from FEN and carried keys to a classified position, by ply.

    python -m bench.rules [--repeat N]

Plays a long game once through the rules core and then judges each stretch of it again and again, in process: question
message in, verdict message out, no network. Prints the median over moves of each move's best time. The bars (a 2-core
machine): at most 110 us a move, and at ply 300 at most 1.2 times the cost at ply 1 for positions of like mobility,
which the figure for one legal move shows.
"""

import argparse
import random
import statistics
import time

import chess

from services.domain.rule_set import CLAIMED
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.limits import LIMITS
from services.rules.server import answer
from services.runtime.wire import rule_set_to_pb

STRETCHES = ((0, 20), (20, 60), (140, 160), (280, 300))
SEED = 6


def long_game(plies: int) -> list[pb.Question]:
    """Questions of a random game that takes nothing and moves few pawns, so that histories grow long."""
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
            question = pb.Question(rule_set=rule_set_to_pb(CLAIMED), play=pb.Play(position=position, move=move.uci()))
            verdict = answer(question, "play", LIMITS)
            if verdict.played.standing.HasField("outcome"):
                break
            questions.append(question)
            position = verdict.played.standing.position
            board.push(move)
        else:
            return questions


def best_us(question: pb.Question, repeat: int) -> float:
    """The least processor time of judging a message, in microseconds, of `repeat` tries."""
    data = question.SerializeToString()
    best_s = 1.0
    for _ in range(repeat):
        started_s = time.process_time()
        parsed = pb.Question.FromString(data)
        answer(parsed, parsed.WhichOneof("ask"), LIMITS).SerializeToString()
        best_s = min(best_s, time.process_time() - started_s)
    return best_s * 1e6


def main() -> None:
    """Print a line for each stretch of the game."""
    parser = argparse.ArgumentParser(description="Processor time of one judged move.")
    parser.add_argument("--repeat", type=int, default=50)
    repeat = parser.parse_args().repeat
    questions = long_game(300)
    print(f"{'plies':>9} {'median us':>10} {'max us':>8} {'us a legal move':>16} {'keys':>5}")
    for first, last in STRETCHES:
        chosen = questions[first:last]
        times = [best_us(question, repeat) for question in chosen]
        replies = [max(1, len(answer(q, "play", LIMITS).played.standing.legal.split())) for q in chosen]
        shares = [spent / count for spent, count in zip(times, replies, strict=True)]
        keys = max(len(question.play.position.keys) // 8 for question in chosen)
        print(
            f"{f'{first}-{last}':>9} {statistics.median(times):>10.1f} {max(times):>8.1f} "
            f"{statistics.median(shares):>16.2f} {keys:>5}"
        )


if __name__ == "__main__":
    main()
