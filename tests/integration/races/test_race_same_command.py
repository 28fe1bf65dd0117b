"""The same command sent twice, at once and later, to one replica and to both: one effect and one answer."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from services.domain.refusal import RefusalCode
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import (
    World,
    codes,
    new_chance,
    plain,
    player_of,
    racing,
    rounds,
    start_replica,
    uci,
)

HOUR_MS = 3_600_000
ROUNDS = 120
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
"""After these the first position stands for the third time."""


@dataclass(frozen=True)
class Kind:
    """A kind of command that carries an id: the game it is asked in, by whom, and what the same id must not do."""

    moves: tuple[pb.Move, ...]
    white: bool
    command: pb.Command
    other: pb.Command


def _moves(*texts: str, offer: bool = False) -> tuple[pb.Move, ...]:
    """Moves, the last with a draw offer if so told."""
    moves = [uci(text) for text in texts]
    moves[-1:] = [uci(text, offer_draw=offer) for text in texts[-1:]]
    return tuple(moves)


MOVE, RESIGN = pb.Command(move=uci("e2e4")), pb.Command(resign=pb.Resign())
OFFER, CLOSE = pb.Command(offer_draw=pb.OfferDraw()), pb.Command(close_draw=pb.CloseDraw())
KINDS = {
    "move": Kind((), True, MOVE, pb.Command(move=uci("d2d4"))),
    "move for a ply": Kind((), True, pb.Command(move=uci("e2e4", ply=0)), MOVE),
    "move with an offer": Kind((), True, pb.Command(move=uci("e2e4", offer_draw=True)), MOVE),
    "mate": Kind(_moves("f2f3", "e7e5", "g2g4"), False, pb.Command(move=uci("d8h4")), RESIGN),
    "resign": Kind(_moves("e2e4", "e7e5"), True, RESIGN, OFFER),
    "abort": Kind((), True, pb.Command(abort=pb.Abort()), RESIGN),
    "offer": Kind(_moves("e2e4", "e7e5"), False, OFFER, CLOSE),
    "accept": Kind(_moves("e2e4", "e7e5", offer=True), True, OFFER, CLOSE),
    "accept with a move": Kind(
        _moves("e2e4", "e7e5", offer=True), True, pb.Command(move=uci("g1f3", offer_draw=True)), OFFER
    ),
    "claim": Kind(_moves(*SHUFFLE), True, OFFER, RESIGN),
    "decline": Kind(_moves("e2e4", "e7e5", offer=True), True, CLOSE, OFFER),
    "withdraw": Kind(_moves("e2e4", "e7e5", offer=True), False, CLOSE, OFFER),
}


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url) as world:
        yield world


def _commands(kind: Kind, games: list[str], what: pb.Command) -> list[pb.Command]:
    """A command for each game, of the player whose it is, with the id that all commands of these tests have."""
    commands = []
    for place, game_id in enumerate(games):
        command = pb.Command(game_id=game_id, player_id=player_of(place, kind.white), command_id="same")
        command.MergeFrom(what)
        commands.append(command)
    return commands


async def _sent(
    world: World, chance: random.Random, commands: list[pb.Command], copies: int, later_ms: int = 0
) -> list[list[pb.Reply]]:
    """Each command so many times at once, each copy to some replica; the replies by command."""
    order = [place for place in range(len(commands)) for _ in range(copies)]
    chance.shuffle(order)
    replies: list[list[pb.Reply]] = [[] for _ in commands]

    async def one(place: int) -> None:
        replica = chance.choice(world.replicas)
        replies[place].append(await replica.ask(commands[place], replica.beats.now_ms() + later_ms))

    await asyncio.gather(*map(one, order))
    return replies


async def test_the_same_command_has_one_effect_and_one_answer(world: World) -> None:
    chance = new_chance()
    games: dict[str, list[str]] = {}
    versions: dict[str, int] = {}
    answers: dict[str, list[list[pb.Reply]]] = {}
    for name, kind in KINDS.items():
        template = await world.game(*kind.moves)
        version = versions[name] = await world.version(template)
        games[name] = await world.clones(template, rounds(ROUNDS))
        answers[name] = await _sent(world, chance, _commands(kind, games[name], kind.command), copies=3)
        for replies in answers[name]:
            assert len({plain(reply) for reply in replies}) == 1, name
            assert {reply.accepted.version for reply in replies} == {version + 1}, name
            assert sum(not reply.accepted.repeated for reply in replies) == 1, name
        await world.one_history(games[name], version)

    # An hour later: one replica has forgotten everything, the other is a new process; the clock would have fallen.
    for replica in world.replicas:
        await replica.path.drained()
    await world.replicas[1].abandon()
    world.replicas[1] = await start_replica(world.database_url, world.redis_url)
    for name, kind in KINDS.items():
        for game_id in games[name]:
            world.first.path.forget(game_id)
        later = await _sent(world, chance, _commands(kind, games[name], kind.command), copies=1, later_ms=HOUR_MS)
        for first, again in zip(answers[name], later, strict=True):
            assert plain(again[0]) == plain(first[0]), name
            assert again[0].accepted.repeated, name
        refused = await _sent(world, chance, _commands(kind, games[name], kind.other), copies=1)
        assert {reply.refusal.code for replies in refused for reply in replies} == {RefusalCode.COMMAND_CONFLICT}, name
        found = await world.rows("SELECT DISTINCT version FROM game WHERE id = ANY(:ids)", ids=games[name])
        assert found == [(versions[name] + 1,)], name
        await world.one_history(games[name], versions[name])


async def test_two_commands_of_one_id_at_once_have_one_effect_and_one_conflict(world: World) -> None:
    chance = new_chance()
    for name, kind in KINDS.items():
        template = await world.game(*kind.moves)
        games = await world.clones(template, rounds(ROUNDS // 2))
        commands = zip(_commands(kind, games, kind.command), _commands(kind, games, kind.other), strict=True)
        answers = await asyncio.gather(
            *(
                asyncio.gather(*(r.ask(c) for r, c in zip(world.replicas, chance.sample(pair, 2), strict=True)))
                for pair in commands
            )
        )
        for replies in answers:
            accepted = [reply for reply in replies if reply.HasField("accepted")]
            assert len(accepted) == 1, (name, replies)
            assert not accepted[0].accepted.repeated, name
            assert codes(replies) == {RefusalCode.COMMAND_CONFLICT}, name
        await world.one_history(games, await world.version(template))


async def test_a_command_that_is_repeated_after_many_others_is_still_the_old_one(world: World) -> None:
    """The moves of a whole line, each repeated when the game has gone on: the id alone tells that it is old."""
    chance = new_chance()
    games = await world.clones(await world.game(), rounds(60))
    played: list[list[tuple[pb.Command, pb.Reply]]] = [[] for _ in games]
    for ply, text in enumerate(SHUFFLE):

        async def play(place: int, game_id: str, ply: int = ply, text: str = text) -> None:
            player = player_of(place, ply % 2 == 0)
            command = pb.Command(game_id=game_id, player_id=player, command_id=f"c{ply}", move=uci(text))
            reply = await chance.choice(world.replicas).ask(command)
            assert (reply.accepted.version, reply.accepted.repeated) == (ply + 2, False), reply
            for old, answer in chance.sample(played[place], min(2, ply)):
                again = await chance.choice(world.replicas).ask(old)
                assert again.accepted.repeated
                assert plain(again) == plain(answer)
            played[place].append((command, reply))

        await asyncio.gather(*(play(place, game_id) for place, game_id in enumerate(games)))
    await world.one_history(games, 1)
    assert await world.rows("SELECT DISTINCT ply FROM game WHERE id = ANY(:ids)", ids=games) == [(8,)]
