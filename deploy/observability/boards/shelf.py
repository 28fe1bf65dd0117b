"""All boards, in the order of the documentation."""

from deploy.observability.boards import clock, game, gameplay, gateway, moves, overview, rollout, rules, stores, workers
from deploy.observability.boards.board import Board

BOARDS: tuple[Board, ...] = (
    overview.BOARD,
    moves.BOARD,
    gateway.BOARD,
    clock.BOARD,
    game.BOARD,
    rules.BOARD,
    workers.BOARD,
    stores.BOARD,
    rollout.BOARD,
    gameplay.BOARD,
)
