"""Whether a position is valid.

A position of a running game is checked only for what the rules code needs. A starting position is checked for all known
faults.
"""

import chess

from services.domain.text import say
from services.rules.families.family import PAWNS_MAX, PIECES_MAX, Family
from services.rules.moves import forget_idle_en_passant
from services.rules.notation.fen_pockets import pockets_of
from services.rules.refused import Rejected, bad_position
from services.rules.text.castling import castling_problem

FULL_MOVES_MAX = 99_999
"""The highest move number that a game may start at: far above any that the move count lets live."""


def check_position(board: chess.Board, family: Family) -> None:
    """Raise Rejected if legal moves cannot be found; then clear an en passant square without a capture (FIDE 9.2.3)."""
    _refuse_unplayable(board, family)
    forget_idle_en_passant(board)


def check_start(board: chess.Board, family: Family) -> None:
    """Raise Rejected if no game should start here. It checks more than `check_position`; call it before that."""
    _refuse_unplayable(board, family)
    _check_pieces(board, family)
    if family.one_move_checks:
        _check_checks(board, family)
    if board.fullmove_number > FULL_MOVES_MAX:
        text = say("rules.position_move_number", most=FULL_MOVES_MAX, given=board.fullmove_number)
        raise bad_position("fen.fullMoves", text)
    # All half-moves of the clock were played in this game, so the move number bounds it (PGN 16.1.3.5).
    played = 2 * (board.fullmove_number - 1) + (board.turn == chess.BLACK)
    if board.halfmove_clock > played:
        text = say("rules.position_half_moves", given=board.halfmove_clock, played=played)
        raise bad_position("fen.halfMoves", text)


def check_game_start(board: chess.Board, family: Family) -> None:
    """Raise Rejected if a position is valid but no game may start here. Call it before `check_start`."""
    if board.was_into_check() and not family.king_can_be_taken:
        raise _attacked_king()


def _attacked_king() -> Rejected:
    return bad_position("fen.turn", say("rules.position_in_check"))


def _refuse_unplayable(board: chess.Board, family: Family) -> None:
    for colour, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        allowed, pieces = family.pieces_of_side[colour], board.occupied_co[colour]
        kings = (board.kings & pieces).bit_count()
        if kings not in allowed.kings:
            if not kings:
                raise bad_position("fen.board", say("rules.position_no_king", side=side))
            if allowed.kings.stop == 1:
                raise bad_position("fen.board", say("rules.position_king_surplus", side=side))
            raise bad_position("fen.board", say("rules.position_kings", side=side))
        if board.pawns & pieces & allowed.no_pawns_on:
            raise bad_position("fen.board", say("rules.position_pawn_rank"))
    family.check_playable(board)
    if board.castling_rights and (problem := castling_problem(board, family.castling)):
        raise bad_position("fen.castling", problem)
    if board.ep_square is not None and not _just_passed(board, board.ep_square):
        raise bad_position("fen.enPassant", say("rules.position_en_passant"))
    if board.was_into_check() and not family.attacked_king_may_stand:
        raise _attacked_king()


def _check_checks(board: chess.Board, family: Family) -> None:
    """Raise Rejected for checks that no last move can have given: of two checks, one must be a discovered check.

    The library checks two attackers on one line with the king, and checks that a double step cannot give.
    """
    checkers = board.checkers_mask()
    if checkers.bit_count() > 2:
        raise bad_position("fen.board", say("rules.position_checks"))
    two_leapers = checkers & (checkers - 1) and not checkers & family.line_pieces(board)
    if two_leapers or board.status() & chess.STATUS_IMPOSSIBLE_CHECK:
        raise bad_position("fen.board", say("rules.position_check_impossible"))


def _check_pieces(board: chess.Board, family: Family) -> None:
    """At most eight pawns and sixteen pieces for each side; with pockets, twice that for both sides together."""
    if family.has_pockets:
        pockets = pockets_of(board)
        pawns = (board.pawns | board.promoted).bit_count() + sum(pocket.count(chess.PAWN) for pocket in pockets)
        if pawns > 2 * PAWNS_MAX:
            text = say("rules.position_pawns_with_pockets", given=pawns, most=2 * PAWNS_MAX)
            raise bad_position("fen.board", text)
        pieces = board.occupied.bit_count() + sum(len(pocket) for pocket in pockets)
        if pieces > 2 * PIECES_MAX:
            text = say("rules.position_pieces_with_pockets", given=pieces, most=2 * PIECES_MAX)
            raise bad_position("fen.board", text)
        return
    for colour, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        allowed, pieces_of_side = family.pieces_of_side[colour], board.occupied_co[colour]
        if (board.pawns & pieces_of_side).bit_count() > allowed.pawns_max:
            raise bad_position("fen.board", say("rules.position_pawns", side=side, most=allowed.pawns_max))
        if pieces_of_side.bit_count() > allowed.pieces_max:
            raise bad_position("fen.board", say("rules.position_pieces", side=side, most=allowed.pieces_max))


def _just_passed(board: chess.Board, square: chess.Square) -> bool:
    """Whether a double step of the side not to move can have passed `square`: its pawn is beyond the square, and the
    square and the one behind it are empty."""
    forward = -8 if board.turn else 8
    if chess.square_rank(square) != (5 if board.turn else 2):
        return False
    pawns = board.pawns & board.occupied_co[not board.turn]
    if not pawns & chess.BB_SQUARES[square + forward]:
        return False
    return not board.occupied & (chess.BB_SQUARES[square] | chess.BB_SQUARES[square - forward])
