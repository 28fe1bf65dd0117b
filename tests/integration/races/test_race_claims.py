"""A claim against the reply (case G05), over two replicas on a real PostgreSQL: whichever is committed first decides.

Black has just moved, and the position stands for the third time. Black claims while White replies; or White claims with
the move that it intends, while another device of White's plays.
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass

from prometheus_client import REGISTRY

from services.domain.refusal import RefusalCode
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import PATIENT, World, new_chance, player_of, racing, rounds_until, uci

GAMES = 100
"""Games of each kind in a round."""
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
"""Played twice, the first position stands for the third time; and so does the next one, if White goes on with it."""
VERSION = 9

MOVED, ENDED = events_pb2.GAME_EVENT_KIND_MOVE, events_pb2.GAME_EVENT_KIND_ENDED
REPETITION = common_pb2.END_REASON_REPETITION


@dataclass(frozen=True)
class Kind:
    """Who claims how, what is played against it, and what comes of the claim when the move is first."""

    name: str
    claim: pb.Command
    claimed_by_white: bool
    reply: str
    then: RefusalCode | None
    """The claim's refusal; None: the position after the reply stands for the third time, too."""


CLAIM = pb.Command(claim_draw=pb.ClaimDraw())
KINDS = (
    Kind("after the own move", CLAIM, False, "e2e4", RefusalCode.NOT_ALLOWED),
    Kind("by whoever is to move", CLAIM, True, "e2e4", RefusalCode.NOT_ALLOWED),
    Kind("by an offer", pb.Command(offer_draw=pb.OfferDraw()), True, "g1f3", None),
    Kind("after a reply that repeats, too", CLAIM, False, "g1f3", None),
    Kind("with a move", pb.Command(claim_draw=pb.ClaimDraw(move="Nf3")), True, "e2e4", RefusalCode.NOT_YOUR_TURN),
)


async def test_whichever_of_claim_and_reply_is_committed_first_decides(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*(uci(move) for move in SHUFFLE * 2))
        rows = await world.rows("SELECT version, claims FROM game WHERE id = :id", id=template)
        assert rows == [(VERSION, 1)]
        chance, stories, lost = new_chance(), Counter[tuple[str, str]](), _races_lost()
        for _ in rounds_until(1, lambda: len(stories) >= 2 * len(KINDS) and _races_lost() > lost):
            for kind in KINDS:
                stories.update((kind.name, story) for story in await _race(world, template, kind, chance))
        assert set(stories) == {(kind.name, story) for kind in KINDS for story in ("claim", "reply")}, stories
        assert _races_lost() > lost, "no race was ever lost at the save"


def _races_lost() -> float:
    return REGISTRY.get_sample_value("flagfall_races_lost_total") or 0.0


async def _race(world: World, template: str, kind: Kind, chance: random.Random) -> list[str]:
    """Claim and move at once in many games; which was first in each, after the proof that all the rest fits."""
    games = await world.clones(template, GAMES)

    async def ask(place: int, game_id: str) -> tuple[pb.Reply, pb.Reply]:
        claim = pb.Command(game_id=game_id, player_id=player_of(place, kind.claimed_by_white), command_id="claim")
        claim.MergeFrom(kind.claim)
        move = pb.Command(game_id=game_id, player_id=player_of(place, True), command_id="move", move=uci(kind.reply))
        asked = [(0, claim), (1, move)]
        chance.shuffle(asked)
        replies = await asyncio.gather(*(chance.choice(world.replicas).ask(command) for _, command in asked))
        claimed, moved = (reply for _, reply in sorted(zip((number for number, _ in asked), replies, strict=True)))
        return claimed, moved

    answers = await asyncio.gather(*(ask(place, game_id) for place, game_id in enumerate(games)))
    await world.one_history(games, VERSION)
    rows = await world.rows(
        "SELECT game_id, payload FROM game_event WHERE game_id = ANY(:ids) AND version > :first ORDER BY version",
        ids=games,
        first=VERSION,
    )
    histories: dict[str, list[events_pb2.GameEvent]] = {game_id: [] for game_id in games}
    for game_id, payload in rows:
        histories[game_id].append(events_pb2.GameEvent.FromString(payload))
    return [_story(kind, histories[game_id], *answer) for game_id, answer in zip(games, answers, strict=True)]


def _story(kind: Kind, history: list[events_pb2.GameEvent], claimed: pb.Reply, moved: pb.Reply) -> str:
    """Assert that what was committed and what both were told is one of the two stories, and say which."""
    ends = [event.state.outcome for event in history if event.kind == ENDED]
    if history[0].kind == ENDED:
        assert len(history) == 1
        assert (claimed.accepted.version, moved.refusal.code) == (VERSION + 1, RefusalCode.GAME_OVER)
        assert (ends[0].reason, ends[0].winner, history[0].state.ply) == (REPETITION, 0, 8)
        return "claim"
    assert (history[0].kind, moved.accepted.version) == (MOVED, VERSION + 1)
    if kind.then is None:
        assert (claimed.accepted.version, len(history)) == (VERSION + 2, 2)
        assert (ends[0].reason, ends[0].winner, history[1].state.ply) == (REPETITION, 0, 9)
    else:
        assert (claimed.refusal.code, len(history)) == (kind.then, 1)
        assert history[0].state.status == events_pb2.GAME_STATUS_STARTED
    return "reply"
