"""Games between two levels of the computer: openings, play by the workers' own `Mover`, the end by the rules."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.rule_set import AUTOMATIC
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.limits import LIMITS
from services.rules.seen import Seen
from services.rules.server import answer
from services.runtime.wire import colour_from_pb, outcome_from_pb, rule_set_to_pb
from services.workers.levels import Level
from services.workers.mover import Mover
from services.workers.turn import Position

OPENING_PLIES = 4
RULES = rule_set_to_pb(AUTOMATIC)
"""A third repetition and fifty moves are draws here without a claim, as between engines everywhere."""
SEEN_MAX = 4
"""Positions that the rules remember: that of the move before is enough."""
Opening = tuple[str, ...]


@dataclass(slots=True)
class Player:
    """One level at the board, and what its moves took."""

    level: Level
    mover: Mover
    moves: int = 0
    spent_s: float = 0.0
    longest_s: float = 0.0

    async def move(self, position: Position) -> str:
        """The level's move, as a worker would find it."""
        started_s = time.perf_counter()
        move = await self.mover.choose(position, self.level)
        took_s = time.perf_counter() - started_s
        self.moves += 1
        self.spent_s += took_s
        self.longest_s = max(self.longest_s, took_s)
        return move

    @property
    def mean_ms(self) -> float:
        """Milliseconds a move, in the mean."""
        return 1000 * self.spent_s / max(1, self.moves)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: how it ended (None: not within its limit of half-moves) and its moves in UCI, the opening's included."""

    outcome: Outcome | None
    moves: tuple[str, ...]


def openings(chance: random.Random, plies: int = OPENING_PLIES) -> Iterator[Opening]:
    """Random beginnings of standard games that leave a game to play, without end, none twice."""
    known: set[Opening] = set()
    while True:
        standing = _array()
        moves: list[str] = []
        while standing.legal and len(moves) < plies:
            moves.append(chance.choice(standing.legal.split()))
            standing = _after(standing, moves[-1])
        opening = tuple(moves)
        if standing.legal and opening not in known:
            known.add(opening)
            yield opening


async def play_game(white: Player, black: Player, opening: Opening, plies_max: int) -> Played:
    """A game from an opening to its end, or to `plies_max` half-moves."""
    seen, standing = Seen(SEEN_MAX), _array()
    moves: list[str] = []
    for move in opening:
        moves.append(move)
        standing = _after(standing, move, seen)
    while standing.legal and len(moves) < plies_max:
        player = white if colour_from_pb(standing.turn) is Colour.WHITE else black
        position = Position(Variant.STANDARD, "", tuple(moves), standing.position.fen, tuple(standing.legal.split()))
        moves.append(await player.move(position))
        standing = _after(standing, moves[-1], seen)
    return Played(outcome_from_pb(standing.outcome) if standing.HasField("outcome") else None, tuple(moves))


def _array() -> pb.Standing:
    return answer(
        pb.Question(rule_set=RULES, start=pb.Start(variant=Variant.STANDARD)), "start", LIMITS
    ).started.standing


def _after(standing: pb.Standing, move: str, seen: Seen | None = None) -> pb.Standing:
    question = pb.Question(rule_set=RULES, play=pb.Play(position=standing.position, move=move))
    verdict = answer(question, "play", LIMITS, seen)
    if not verdict.HasField("played"):
        raise ValueError(f"{move} in {standing.position.fen}: {verdict.refusal.message}")
    return verdict.played.standing
