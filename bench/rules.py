"""`make bench-rules`: what judging a move costs, in processor time, and how that compares.

    python -m bench.rules [--repeat 8] [--plies 300] [--only costs,perft,requests]

Random games of 300 half-moves in each variant, judged again and again:

from_fen    question message in, verdict message out, nothing remembered: FEN and carried keys read, the move read, made
            and written, what arises classified, and FEN, keys and all legal moves written
live_whole  the same with values in and out and the position remembered from the move before, as in play
live        the move made on a live board with carried keys, and what arises classified; nothing read or written

Beside each in the same run, turn by turn: python-chess alone doing as much of it as it can (`rules_beside`); then perft
of the native engine, requests through gRPC. The bars: from FEN 110 us (Atomic 150), live 40 us (Atomic 60), ply 300 at
most 1.2 times ply 1 for positions of like mobility. Each figure is the median over moves of each move's best processor
time, so that neither a cold start nor a busy machine counts. The last line is one JSON object.
"""

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from bench import rules_perft, rules_requests
from bench.rules_beside import BOARDS, from_fen_alone, live_alone, live_whole_alone
from bench.rules_games import long_game, random_games
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.families.variants import family_of
from services.rules.judge import judge, read_position
from services.rules.limits import LIMITS
from services.rules.notation.notation_in import read_move
from services.rules.seen import Seen
from services.rules.server import answer
from services.rules.standing import advance
from services.rules.wire import position_from_pb, question_from_pb, rule_set_from_pb

PLIES = 300
STRETCH = 20
IN_A_ROW, TURNS = 8, 8
SECTIONS = ("costs", "perft", "requests")
FIGURES = (
    "from_fen_us", "live_us", "live_whole_us",
    "chess_from_fen_us", "chess_live_us", "chess_live_whole_us",
)  # fmt: skip
Work = Callable[[], object]
Ready = Callable[[], Work]
"""Makes ready, and gives the work that is timed."""


def best_us(work: Work, repeat: int) -> float:
    """The least processor time of `work`, in microseconds, of `repeat` tries."""
    best_s = 1.0
    for _ in range(repeat):
        started_s = time.process_time()
        work()
        best_s = min(best_s, time.process_time() - started_s)
    return best_s * 1e6


class Kind:
    """One kind of work, done for each of many moves."""

    def __init__(self, moves: Sequence[Ready]) -> None:
        self._moves = moves
        self._best_us = [math.inf] * len(moves)

    def take_turn(self) -> None:
        """Try each move some times in a row; the first try finds the processor's caches filled by others."""
        for number, ready in enumerate(self._moves):
            tries_us = (best_us(ready(), 1) for _ in range(IN_A_ROW))
            self._best_us[number] = min(self._best_us[number], *tries_us)

    @property
    def median_us(self) -> float:
        """The median over moves of each move's best time."""
        return round(statistics.median(self._best_us), 1)


def from_fen(question: pb.Question) -> Work:
    """Judging a message without any cache."""
    data = question.SerializeToString()

    def judged() -> bytes:
        parsed = pb.Question.FromString(data)
        return answer(parsed, parsed.WhichOneof("ask"), LIMITS).SerializeToString()

    return judged


def live_whole(question: pb.Question, seen: Seen) -> Work:
    """Judging a question whose position is cached."""
    rule_set, asked = rule_set_from_pb(question.rule_set), question_from_pb(question, "play")
    return lambda: judge(asked, rule_set, LIMITS, seen)


def live(question: pb.Question) -> Ready:
    """Making the move on a live board and classifying the new position."""
    rule_set = rule_set_from_pb(question.rule_set)
    family = family_of(question.play.position.variant, rule_set)
    before, keys = read_position(position_from_pb(question.play.position), family, LIMITS)
    move = read_move(before, question.play.move, LIMITS, family)

    def ready() -> Work:
        board = before.copy(stack=False)
        return lambda: advance(board, move, family, keys, rule_set, LIMITS)

    return ready


def kinds_of(variant: Variant, plies: int) -> dict[str, Kind]:
    """The kinds of work with a variant's games, by the names of their figures."""
    questions = random_games(variant, plies)
    seen = Seen(10 * plies)
    for question in questions:
        answer(question, "play", LIMITS, seen)
    # A position is remembered when it was judged before: not the first of a game.
    known = [question for question in questions if " 0 1" not in question.play.position.fen]
    kinds = {
        "from_fen_us": Kind([partial(from_fen, question) for question in questions]),
        "live_us": Kind([live(question) for question in questions]),
        "live_whole_us": Kind([partial(live_whole, question, seen) for question in known]),
    }
    if variant in BOARDS:
        kinds["chess_from_fen_us"] = Kind([partial(from_fen_alone, question) for question in questions])
        kinds["chess_live_us"] = Kind([live_alone(question) for question in questions])
        kinds["chess_live_whole_us"] = Kind([live_whole_alone(question) for question in known])
    return kinds


def costs(repeat: int, plies: int) -> dict[str, dict[str, float | None]]:
    """The six medians of each variant; None where there is no python-chess to compare with.

    All kinds of all variants take turns, so that a slow while of the machine falls on all alike.
    """
    of_all = {str(variant): kinds_of(variant, plies) for variant in Variant}
    for _ in range(repeat):
        for kinds in of_all.values():
            for kind in kinds.values():
                kind.take_turn()
    figures: dict[str, dict[str, float | None]] = {}
    for variant, kinds in of_all.items():
        figures[variant] = {name: kinds[name].median_us if name in kinds else None for name in FIGURES}
        shown = "  ".join(f"{name} {'-' if us is None else us}" for name, us in figures[variant].items())
        print(f"{variant:>14}  {shown}", flush=True)
    return figures


def late_over_early(repeat: int) -> float:
    """Cost of a legal move's share at ply 300 over that at ply 1, in one long game whose history grows."""
    questions = long_game(PLIES)
    shares = []
    for chosen in (questions[:STRETCH], questions[-STRETCH:]):
        share = []
        for question in chosen:
            replies = len(answer(question, "play", LIMITS).played.standing.legal.split())
            share.append(best_us(from_fen(question), repeat) / max(1, replies))
        shares.append(statistics.median(share))
    return shares[1] / shares[0]


def main() -> None:
    """Print each section, then all figures."""
    parser = argparse.ArgumentParser(description="What judging a move costs.")
    parser.add_argument(
        "--repeat", type=int, default=TURNS, help=f"turns, in each of which a move has {IN_A_ROW} tries"
    )
    parser.add_argument("--plies", type=int, default=PLIES, help="half-moves of each variant's games")
    parser.add_argument("--only", default=",".join(SECTIONS))
    arguments = parser.parse_args()
    sections = set(arguments.only.split(","))
    if unknown := sections - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    figures: dict[str, object] = {}
    if "costs" in sections:
        figures["variants"] = costs(arguments.repeat, arguments.plies)
        figures["ply300_over_ply1"] = round(late_over_early(arguments.repeat), 2)
        print(f"ply 300 over ply 1, for each legal move: {figures['ply300_over_ply1']}", flush=True)
    if "perft" in sections:
        figures["perft_nodes_per_s"] = rules_perft.measure()
    if "requests" in sections:
        figures["requests_per_s_a_core"] = rules_requests.measure()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
