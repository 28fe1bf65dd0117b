"""Lines that the bench plays are legal games with the properties that it claims."""

import chess

from bench.lines import Line, alike, open_line, quiet_line


def test_an_open_line_is_a_legal_game_to_its_end_or_its_limit() -> None:
    for seed in range(6):
        line = open_line(seed, 120)
        board = chess.Board()
        for uci, legal in zip(line.moves, line.legal, strict=True):
            assert board.legal_moves.count() == legal
            board.push(chess.Move.from_uci(uci))
        assert board.is_valid()
        assert line.over == board.is_game_over()
        assert line.over or len(line.moves) == 120


def test_a_quiet_line_takes_nothing_and_keeps_many_positions_repeatable() -> None:
    line = quiet_line(3, 320)
    board = chess.Board()
    irreversible = 0
    for uci, repeatable in zip(line.moves, line.repeatable, strict=True):
        move = chess.Move.from_uci(uci)
        assert move in board.legal_moves
        assert repeatable == board.halfmove_clock + 1
        irreversible += board.is_zeroing(move)
        board.push(move)
    assert len(line.moves) == 320
    assert not board.is_game_over()
    assert chess.popcount(board.occupied) >= 28
    assert irreversible < 20
    assert max(line.repeatable) >= 90


def test_the_same_seed_is_the_same_line() -> None:
    assert open_line(7, 60) == open_line(7, 60) != open_line(8, 60)


def test_alike_lines_are_the_nearest_in_mobility_where_they_are_measured() -> None:
    def line(early: int, late: int) -> Line:
        return Line(("e2e4",) * 200, (early,) * 100 + (late,) * 100, (1,) * 200, over=False)

    lines = [line(20, 40), line(27, 20), line(35, 28), line(27, 35)]
    assert alike(lines, 2, 0, 27.0) == [lines[1], lines[3]]
    assert alike(lines, 1, 100, 27.0) == [lines[2]]
