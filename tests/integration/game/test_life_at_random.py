"""Lives of games drawn at random, on two real game services over one PostgreSQL, with steered time.

Anybody asks for anything at any moment, sometimes several at once, and after each step the game is reckoned anew from
its events: moves, clocks, deadlines, ends, and what follows from ends. A failure prints its seed; FLAGFALL_RACE_SEED
takes it back, FLAGFALL_RACE_ROUNDS multiplies the lives. The ends that few lives come to are told move by move in
test_life_of_each_end.py.
"""

import asyncio
import random
from collections import Counter

from services.domain.rating import START
from tests.integration.game.life import Seen, begun
from tests.integration.game.random_life import ACTIONS, Absences, draw_command, draw_terms
from tests.integration.races.race_replicas import PATIENT, World, new_chance, racing, rounds_until
from tests.unit.game import deciding

LIVES = 12
"""Lives of a round. They go on beside each other, so that their commands meet in batches."""
STEPS = 45
STEPS_AFTER_THE_END = 8


async def lived(world: World, absences: Absences, seed: int, seen: Seen) -> None:
    """A whole life; what fails tells the seed and all that happened."""
    life = await begun(world, absences, draw_terms(random.Random(seed)), seen, seed)
    after = 0
    try:
        for _ in range(STEPS):
            await life.step()
            after = after + 1 if life.game.outcome is not None else 0
            if after > STEPS_AFTER_THE_END:
                break
        await life.check_followed()
    except Exception as error:
        error.add_note(f"life {seed}: {life}")
        raise


async def check_everybody(world: World) -> None:
    """Events of each player are numbered without a gap, and a rating is its last point, counted from the first."""
    gaps = await world.rows("""
        SELECT player.id FROM player LEFT JOIN player_event ON player_event.player_id = player.id
        GROUP BY player.id HAVING count(seq) <> player.event_seq OR coalesce(max(seq), 0) <> player.event_seq
    """)
    assert gaps == []
    wrong = await world.rows(
        """
        SELECT rating.* FROM rating LEFT JOIN LATERAL (
            SELECT count(*) AS points, max(number) AS last, (array_agg(value ORDER BY number DESC))[1] AS value
            FROM rating_point AS p
            WHERE (p.player_id, p.variant, p.speed) = (rating.player_id, rating.variant, rating.speed)
        ) AS told ON true
        WHERE rating.games <> told.points OR coalesce(told.last, 0) <> rating.games
           OR rating.value <> coalesce(told.value, :start)
    """,
        start=START.value,
    )
    assert wrong == []


async def test_whatever_happens_a_game_is_what_its_events_make_it(database_url: str, redis_url: str) -> None:
    chance, seen, absences = new_chance(), Seen(), Absences()
    async with racing(database_url, redis_url, **PATIENT) as world:
        for replica in world.replicas:
            replica.path._gathering._presence = absences
        for _ in rounds_until(1, seen.enough):
            seeds = [chance.randrange(2**32) for _ in range(LIVES)]
            results = await asyncio.gather(*(lived(world, absences, s, seen) for s in seeds), return_exceptions=True)
            for failed in filter(None, results):
                raise failed
        await check_everybody(world)
    print(seen)
    assert seen.enough(), seen


def test_every_kind_of_command_is_drawn() -> None:
    """A kind that is never drawn would be a kind that is never tested."""
    chance, drawn = random.Random(1), Counter[str]()
    game = deciding.game(moves=2)
    for _ in range(3_000):
        drawn[draw_command(game, [], False, chance).WhichOneof("action") or ""] += 1
    assert set(drawn) == set(ACTIONS)
