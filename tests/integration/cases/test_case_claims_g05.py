"""Case G05: claiming a draw before the move, after the move, falsely, and with a move that mates; by the real rules."""

from collections.abc import AsyncIterator

import pytest

from services.domain.refusal import RefusalCode
from services.domain.rule_set import EVERYDAY, FIDE
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import World, racing, uci

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
NINETY_NINE = "7k/8/5KQ1/8/8/8/8/8 w - - 99 80"
"""Qg7 mates, and any other move of the queen's completes the fiftieth move of both."""
REPETITION, MOVE_COUNT = common_pb2.END_REASON_REPETITION, common_pb2.END_REASON_MOVE_COUNT
CHECKMATE = common_pb2.END_REASON_CHECKMATE


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, count=1, outage_gap_ms=30_000) as world:
        yield world


async def claim(world: World, game_id: str, player: str, move: str = "") -> pb.Reply:
    command = pb.Command(game_id=game_id, player_id=player, command_id=f"c{move}", claim_draw=pb.ClaimDraw(move=move))
    return await world.first.ask(command)


async def test_black_names_the_move_that_repeats_and_it_is_not_played(world: World) -> None:
    game_id = await world.game(*map(uci, (SHUFFLE * 2)[:7]), rule_set=FIDE)
    state = (await claim(world, game_id, "bert", "Ng8")).accepted.state
    assert (state.outcome.reason, state.outcome.winner, state.ply, state.last_uci) == (REPETITION, 0, 7, "f3g1")
    again = (await claim(world, game_id, "bert", "Ng8")).accepted
    assert (again.repeated, again.state.outcome.reason) == (True, REPETITION)


@pytest.mark.parametrize("player", ["anna", "bert"])
async def test_either_claims_while_the_position_stands(world: World, player: str) -> None:
    game_id = await world.game(*map(uci, SHUFFLE * 2), rule_set=FIDE)
    assert (await claim(world, game_id, player)).accepted.state.outcome.reason == REPETITION


async def test_a_false_claim_makes_no_version_and_loses_no_offer(world: World) -> None:
    game_id = await world.game(*map(uci, (SHUFFLE * 2)[:4]), rule_set=FIDE)
    offer = pb.Command(game_id=game_id, player_id="anna", command_id="o", offer_draw=pb.OfferDraw())
    assert (await world.first.ask(offer)).accepted.version == 6
    for player, move, code in (
        ("anna", "", RefusalCode.NOT_ALLOWED),
        ("bert", "", RefusalCode.NOT_ALLOWED),
        ("anna", "Nf3", RefusalCode.NOT_ALLOWED),
        ("anna", "Nf6", RefusalCode.ILLEGAL_MOVE),
        ("bert", "Nf6", RefusalCode.NOT_YOUR_TURN),
    ):
        refusal = (await claim(world, game_id, player, move)).refusal
        assert refusal.code == code
        assert refusal.message
    assert await world.rows("SELECT version, draw_offer FROM game WHERE id = :id", id=game_id) == [(6, 1)]


async def test_where_draws_come_by_themselves_the_third_occurrence_is_one(world: World) -> None:
    game_id = await world.game(*map(uci, (SHUFFLE * 2)[:7]), rule_set=EVERYDAY)
    # The move that makes the draw ends the game here, claimed or played.
    assert "by itself" in (await claim(world, game_id, "bert")).refusal.message
    move = pb.Command(game_id=game_id, player_id="bert", move=uci("Ng8"))
    assert (await world.first.ask(move)).accepted.state.outcome.reason == REPETITION


async def test_a_move_that_mates_is_played_and_wins_and_another_may_be_claimed_with(world: World) -> None:
    game_id = await world.game(fen=NINETY_NINE, rule_set=FIDE)
    assert "Play it" in (await claim(world, game_id, "anna", "Qg7#")).refusal.message
    assert (await claim(world, game_id, "anna")).refusal.code == RefusalCode.NOT_ALLOWED
    other = await world.game(fen=NINETY_NINE, rule_set=FIDE)
    state = (await claim(world, other, "anna", "Qh5+")).accepted.state
    assert (state.outcome.reason, state.fen) == (MOVE_COUNT, NINETY_NINE)
    move = pb.Command(game_id=game_id, player_id="anna", move=uci("g6g7"))
    assert (await world.first.ask(move)).accepted.state.outcome.reason == CHECKMATE
