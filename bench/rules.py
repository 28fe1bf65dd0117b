"""`make bench-rules`: what judging a move costs, in processor time, and how that compares.

    python -m bench.rules [--repeat 20] [--plies 300] [--only costs,perft,requests]

Random games of 300 half-moves in each variant, judged again and again: from FEN and carried keys (question message in,
verdict message out, nothing remembered), and live (values in and out, the position remembered from the move before).
Beside them in the same run: python-chess alone doing as much, perft of the native engine, requests through gRPC. The
bars: from FEN 110 us (Atomic 150), live 40 us (Atomic 60), ply 300 at most 1.2 times ply 1 for positions of like
mobility. Each figure is the median over moves of each move's best time. The last line is one JSON object.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

from bench import rules_perft, rules_requests
from bench.rules_beside import from_fen_alone, live_alone
from bench.rules_games import long_game, random_games
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.judge import judge
from services.rules.limits import LIMITS
from services.rules.seen import Seen
from services.rules.server import answer
from services.rules.wire import question_from_pb, rule_set_from_pb

PLIES = 300
STRETCH = 20
SECTIONS = ("costs", "perft", "requests")
Figures = dict[str, float | int | None]


def best_us(work: Callable[[], object], repeat: int) -> float:
    """The least processor time of `work`, in microseconds, of `repeat` tries."""
    best_s = 1.0
    for _ in range(repeat):
        started_s = time.process_time()
        work()
        best_s = min(best_s, time.process_time() - started_s)
    return best_s * 1e6


def from_fen(question: pb.Question) -> Callable[[], object]:
    """Judging a message without anything remembered."""
    data = question.SerializeToString()

    def judged() -> bytes:
        parsed = pb.Question.FromString(data)
        return answer(parsed, parsed.WhichOneof("ask"), LIMITS).SerializeToString()

    return judged


def live(question: pb.Question, seen: Seen) -> Callable[[], object]:
    """Judging a question whose position is remembered."""
    rule_set, asked = rule_set_from_pb(question.rule_set), question_from_pb(question, "play")
    return lambda: judge(asked, rule_set, LIMITS, seen)


def costs(variant: Variant, repeat: int, plies: int) -> Figures:
    """The four medians of a variant, printed as they are found."""
    questions = random_games(variant, plies)
    seen = Seen(10 * plies)
    for question in questions:
        answer(question, "play", LIMITS, seen)
    # A question is live when its position was judged before: not the first of a game.
    known = [question for question in questions if " 0 1" not in question.play.position.fen]
    figures: Figures = {
        "from_fen_us": statistics.median(best_us(from_fen(question), repeat) for question in questions),
        "live_us": statistics.median(best_us(live(question, seen), repeat) for question in known),
        "chess_from_fen_us": None,
        "chess_live_us": None,
    }
    if variant not in (Variant.SHATRANJ, Variant.CHATURANGA):
        figures["chess_from_fen_us"] = statistics.median(best_us(from_fen_alone(q), repeat) for q in questions)
        figures["chess_live_us"] = statistics.median(best_us(live_alone(q), repeat) for q in questions)
    shown = "  ".join(f"{name} {'-' if us is None else f'{us:.1f}'}" for name, us in figures.items())
    print(f"{variant:>14}  {shown}", flush=True)
    return {name: None if us is None else round(us, 1) for name, us in figures.items()}


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
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--plies", type=int, default=PLIES, help="half-moves of each variant's games")
    parser.add_argument("--only", default=",".join(SECTIONS))
    arguments = parser.parse_args()
    sections = set(arguments.only.split(","))
    if unknown := sections - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    figures: dict[str, object] = {}
    if "costs" in sections:
        figures["variants"] = {str(variant): costs(variant, arguments.repeat, arguments.plies) for variant in Variant}
        figures["ply300_over_ply1"] = round(late_over_early(arguments.repeat), 2)
        print(f"ply 300 over ply 1, for each legal move: {figures['ply300_over_ply1']}", flush=True)
    if "perft" in sections:
        figures["perft_nodes_per_s"] = rules_perft.measure()
    if "requests" in sections:
        figures["requests_per_s_a_core"] = rules_requests.measure()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
