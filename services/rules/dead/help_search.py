"""A bounded search for a mate in which both sides cooperate (FIDE 5.1.2, 5.2.2, 6.9).

Move counts and repetition are ignored: other articles end a game by these.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import chess

from services.domain.colour import Colour
from services.rules.dead.distances import FAR
from services.rules.dead.mating_aims import Aims, Picture
from services.rules.dead.possible_mate import CanMate
from services.rules.dead.reach import Reach
from services.rules.dead.structure import KnownStructures
from services.rules.dead.transposition import name
from services.rules.families.material import cannot_win
from services.rules.moves import apply_move

_CENTRE_DISTANCE = tuple(
    max(abs(2 * chess.square_file(square) - 7), abs(2 * chess.square_rank(square) - 7)) // 2 for square in range(64)
)


AIM_NODES = 1_000
"""The number of positions before the search aims at pictures of mates (most mates are found before), or at new ones."""
AIMED_FROM = 200
"""The number of positions, those after the fewest moves, from which the search aims at a picture."""
_STEP_WEIGHT = 4
"""The weight of a step to a picture, compared with a move already made."""


def search(board: chess.Board, side: Colour, nodes_max: int, expired: Callable[[], bool]) -> CanMate:
    """Whether `side` can mate from this checked position, with a search of at most `nodes_max` positions.

    It is a best-first search: positions in which the other king has little space come first. It skips only positions
    that the material settles, so an exhausted search is a proof. The search calls `expired` from time to time; True
    ends it, as the bound does.
    """
    return _Search(board, side, nodes_max, expired).run()


@dataclass(slots=True)
class _Node:
    board: chess.Board
    number: int
    plies: int
    changed: bool
    """Whether the last move may have changed the structure."""
    done: bool = False


_Queue = list[tuple[int, int, _Node]]


class _Search:
    """Open positions are in the general queue; those that may lead to a picture are also in the picture's queue."""

    def __init__(self, board: chess.Board, side: Colour, nodes_max: int, expired: Callable[[], bool]) -> None:
        self._side = side
        self._white = side is Colour.WHITE
        self._nodes_max = nodes_max
        self._expired = expired
        self._start = board.copy(stack=False)
        self._seen = {name(self._start)}
        self._structures = KnownStructures(side)
        self._aims: Aims | None = None
        self._next_aim = AIM_NODES
        self._turn = 0
        self._general: _Queue = []
        self._aimed: list[tuple[Picture, _Queue]] = []
        self._push(_Node(self._start, 0, 0, False))

    def run(self) -> CanMate:
        """Use the queues in turn until a mate is found, the bound is reached or all queues are empty."""
        while (node := _next(self._general)) is not None:
            answer = self._expand(node, None)
            if answer is None and self._aimed:
                number = self._turn % len(self._aimed)
                self._turn += 1
                if (node := _next(self._aimed[number][1])) is not None:
                    answer = self._expand(node, number)
            if answer is not None:
                return answer
            if len(self._seen) > self._next_aim:
                self._take_aim()
        return CanMate.NO

    def _take_aim(self) -> None:
        """Aim at the next pictures of a mate, from positions early in the search."""
        self._next_aim += AIM_NODES
        if self._aims is None:
            self._aims = Aims(self._start, Reach(self._start), self._white)
        elif not self._aims.next():
            return
        self._aimed = [(picture, []) for picture in self._aims.pictures]
        waiting = (node for _, _, node in self._general if not node.done)
        for node in heapq.nsmallest(AIMED_FROM, waiting, key=lambda node: (node.plies, node.number)):
            for number in range(len(self._aimed)):
                self._push_aimed(node, number)

    def _push(self, node: _Node) -> None:
        heapq.heappush(self._general, (_distance(node.board, self._side), node.number, node))

    def _push_aimed(self, node: _Node, number: int) -> None:
        assert self._aims is not None
        picture, queue = self._aimed[number]
        steps = self._aims.distance(node.board, picture)
        if steps < FAR:
            heapq.heappush(queue, (_STEP_WEIGHT * steps + node.plies, node.number, node))

    def _expand(self, node: _Node, aimed: int | None) -> CanMate | None:
        """Play every move; `aimed` is the number of the picture's queue, if any. An answer ends the search."""
        position = node.board
        moves = list(position.generate_legal_moves())
        if not moves:
            mate = position.is_check() and position.turn is not self._white
            return CanMate.YES if mate else None
        if node.changed and self._structures.rule_out(position):
            return None
        if self._expired():
            return CanMate.UNKNOWN
        for move in moves:
            after = position.copy(stack=False)
            irreversible = apply_move(after, move)
            reached = name(after)
            if reached in self._seen or cannot_win(after, self._side):
                continue
            if len(self._seen) >= self._nodes_max:
                return CanMate.UNKNOWN
            child = _Node(after, len(self._seen), node.plies + 1, irreversible)
            self._seen.add(reached)
            self._push(child)
            if aimed is not None:
                self._push_aimed(child, aimed)
        return None


def _next(queue: _Queue) -> _Node | None:
    """The nearest node that was not taken from any queue yet."""
    while queue:
        _, _, node = heapq.heappop(queue)
        if not node.done:
            node.done = True
            return node
    return None


def _distance(board: chess.Board, side: Colour) -> int:
    """An estimate of how far `side` is from a mate; smaller is nearer. It only orders the search."""
    white = side is Colour.WHITE
    own, other = board.occupied_co[white], board.occupied_co[not white]
    king, own_king = board.king(not white), board.king(white)
    if king is None or own_king is None:
        raise ValueError("a checked position has both kings")
    around = chess.BB_KING_ATTACKS[king]
    near = [square for square in chess.scan_forward(around) if board.is_attacked_by(white, square)]
    attacked = sum(chess.BB_SQUARES[square] for square in near)
    flights = (around & ~other & ~attacked).bit_count()
    checked = board.is_attacked_by(white, king)
    force = (
        9 * (own & board.queens).bit_count()
        + 5 * (own & board.rooks).bit_count()
        + 3 * (own & (board.bishops | board.knights)).bit_count()
    )
    pawns = sum(
        chess.square_rank(square) if white else 7 - chess.square_rank(square)
        for square in chess.scan_forward(own & board.pawns)
    )
    return (
        6 * flights
        - 4 * checked
        - 2 * len(near)
        - 3 * _CENTRE_DISTANCE[king]
        + 2 * chess.square_distance(king, own_king)
        - force
        - pawns // 2
        + (other & ~board.pawns).bit_count()
    )
