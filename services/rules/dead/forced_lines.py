"""Small trees of forced play: a proof that tries every move, where there are few.

A position is settled if the game is over there, or if its material or its structure rules out a mate. The structure is
checked where it may have changed: at the start, and after an irreversible move. Positions that are not settled are
played on, as long as the side to move has few moves and few positions have been seen.
"""

import chess

from services.domain.colour import Colour
from services.rules.dead.possible_mate import CanMate
from services.rules.dead.structure import Structure, worth_a_look
from services.rules.dead.transposition import name
from services.rules.families.material import cannot_win
from services.rules.moves import apply_move

MOVES_MAX = 3
"""The most legal moves of a position that is played on."""
POSITIONS_MAX = 12
"""The most positions seen."""
STRUCTURES_MAX = 2
"""The most positions whose structure is checked."""


def follow(board: chess.Board, side: Colour, structure: Structure) -> CanMate:
    """Whether `side` can mate, by the ends of all forced lines from here. `structure` is the board's own."""
    white = side is Colour.WHITE
    seen = {name(board)}
    todo: list[tuple[chess.Board, bool]] = [(board, True)]
    structures = 0
    while todo:
        position, changed = todo.pop()
        if cannot_win(position, side):
            continue
        moves = _few_moves(position)
        if not moves:
            if position.is_check() and position.turn is not white:
                return CanMate.YES
            continue
        if changed and worth_a_look(position, white):
            structures += 1
            if structures > STRUCTURES_MAX:
                return CanMate.UNKNOWN
            if (structure if position is board else Structure(position)).rules_out(side):
                continue
        if len(moves) > MOVES_MAX:
            return CanMate.UNKNOWN
        for move in moves:
            after = position.copy(stack=False)
            irreversible = apply_move(after, move)
            if (reached := name(after)) not in seen:
                if len(seen) == POSITIONS_MAX:
                    return CanMate.UNKNOWN
                seen.add(reached)
                todo.append((after, irreversible))
    return CanMate.NO


def few_moves(board: chess.Board) -> int:
    """The number of legal moves, counted up to MOVES_MAX + 1."""
    return len(_few_moves(board))


def _few_moves(board: chess.Board) -> list[chess.Move]:
    """The legal moves, at most MOVES_MAX + 1."""
    found: list[chess.Move] = []
    for move in board.generate_legal_moves():
        found.append(move)
        if len(found) > MOVES_MAX:
            break
    return found
