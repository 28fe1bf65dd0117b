"""Races over what a game may become besides moves, met by several replicas on a real PostgreSQL.

Takebacks, undos, claims of who waits, pauses and draws, each against what makes it void; and twenty writers at once who
do anything. Whatever comes of it is one history without gaps, and its moves, played again, make the position.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
import sqlalchemy as sa
from prometheus_client import REGISTRY
from sqlalchemy.dialects import postgresql as pg

from services.domain.refusal import RefusalCode
from services.domain.rule_set import CLAIMED, FRIENDLY, PARTY, Takeback
from services.domain.time_control import ClockControl, Unlimited
from services.game.play.game import Both, Extra, Standing, computer_seat
from services.game.play.question import Start
from services.game.store import sql_store
from services.game.wire.extra_bytes import extra_to_bytes
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import PATIENT, World, new_chance, player_of, racing, rounds_until, uci

GAMES = 120
"""Games of each race in a round."""
CONSENT = replace(CLAIMED, takeback=Takeback.BY_CONSENT)
LONG = ClockControl(10_800_000, 0)
DAY_MS = 86_400_000

KINDS = {value: name.removeprefix("GAME_EVENT_KIND_") for name, value in events_pb2.GameEventKind.items()}
MOVE, TAKEBACK, UNDO = pb.Command(move=uci("g1f3")), pb.Command(offer_takeback=pb.OfferTakeback()), pb.Command()
UNDO.undo.SetInParent()
DRAW, NO_DRAW = pb.Command(offer_draw=pb.OfferDraw()), pb.Command(close_draw=pb.CloseDraw())
CLAIM, GO_ON = pb.Command(claim_win=pb.ClaimWin()), pb.Command(go_on=pb.GoOn())


def move(text: str, **fields: int) -> pb.Command:
    return pb.Command(move=uci(text, **fields))


@dataclass(frozen=True)
class Writer:
    """Who asks for what: `w`, `b`, the computer `c`, or the clock `-`."""

    who: str
    command: pb.Command
    name: str


async def with_history(world: World, template: str, count: int, **columns: object) -> list[str]:
    """Clones that have all the events of their template, so that moves can be taken back."""
    ((level,),) = await world.rows("SELECT black_level FROM game WHERE id = :id", id=template)
    if level:
        columns["black_id"] = "computer"
    games = await world.clones(template, count, **columns)
    statement = sa.text("""
        INSERT INTO game_event (game_id, version, payload, uci, san, ply, by_computer, clock_ms, at_ms)
        SELECT clone, version, payload, uci, san, ply, by_computer, clock_ms, at_ms
        FROM game_event, unnest(CAST(:ids AS text[])) AS clone WHERE game_id = :template AND version > 1
    """).bindparams(sa.bindparam("ids", type_=pg.ARRAY(sa.Text)))
    async with world.first.engine.begin() as connection:
        await connection.execute(statement, {"ids": games, "template": template})
    return games


async def race(
    world: World,
    template: str,
    writers: Sequence[Writer],
    chance: random.Random,
    at_ms: int | None = None,
    columns: Mapping[str, object] | None = None,
) -> tuple[list[str], list[dict[str, pb.Reply]], list[list[events_pb2.GameEvent]]]:
    """All writers at once in every clone: the games, the replies by writer, and what was committed, in order."""
    version = await world.version(template)
    games = await with_history(world, template, GAMES, **(columns or {}))

    async def write(place: int, game_id: str, writer: Writer) -> pb.Reply:
        command = pb.Command(game_id=game_id)
        command.MergeFrom(writer.command)
        if writer.who == "c":
            command.player_id = "computer"
        elif writer.who != "-":
            command.player_id = player_of(place, writer.who == "w")
        if writer.who != "-":
            command.command_id = writer.name.replace(" ", "-")
        return await chance.choice(world.replicas).ask(command, at_ms)

    asked = [(place, game_id, writer) for place, game_id in enumerate(games) for writer in writers]
    chance.shuffle(asked)
    replies = await asyncio.gather(*(write(*one) for one in asked))
    by_game: list[dict[str, pb.Reply]] = [{} for _ in games]
    for (place, _, writer), reply in zip(asked, replies, strict=True):
        assert reply.refusal.code != RefusalCode.UNAVAILABLE, reply
        by_game[place][writer.name] = reply
    await world.one_history(games, version)
    rows = await world.rows(
        "SELECT game_id, payload FROM game_event WHERE game_id = ANY(:ids) AND version > :first ORDER BY version",
        ids=games,
        first=version,
    )
    histories: dict[str, list[events_pb2.GameEvent]] = {game_id: [] for game_id in games}
    for game_id, payload in rows:
        histories[game_id].append(events_pb2.GameEvent.FromString(payload))
    for place, game_id in enumerate(games):
        versions = sorted(
            reply.accepted.version
            for reply in by_game[place].values()
            if reply.HasField("accepted") and not reply.accepted.repeated
        )
        assert versions == [event.state.version for event in histories[game_id]], "each accepted command is a version"
    await _position_is_the_moves(world, games)
    return games, by_game, [histories[game_id] for game_id in games]


async def _position_is_the_moves(world: World, games: list[str]) -> None:
    """Assert that every row is what the moves make that count, and that no clock is below zero."""
    rows = await world.rows(
        "SELECT id, fen, ply, keys, white_ms, black_ms, variant FROM game WHERE id = ANY(:ids)", ids=games
    )
    async with world.first.engine.connect() as connection:
        pasts = await sql_store.pasts(connection, {row[0]: row[2] for row in rows})
    loaded = await world.first.sweep._games.load(games)
    questions = []
    for row in rows:
        game = loaded[row[0]]
        assert game is not None
        terms = game.terms
        questions.append(Start(terms.variant, terms.rule_set, terms.initial_fen, moves=pasts[row[0]].moves))
    verdicts = await world.first.path._rules.judge(questions)
    for (game_id, fen, ply, keys, white_ms, black_ms, _), verdict in zip(rows, verdicts, strict=True):
        assert isinstance(verdict, Standing), verdict
        assert (verdict.fen, verdict.keys) == (fen, bytes(keys)), (game_id, ply)
        assert min(white_ms, black_ms) >= 0


def stories(histories: list[list[events_pb2.GameEvent]]) -> Counter[str]:
    """How often what was committed in which order."""
    return Counter(" ".join(KINDS[event.kind] for event in history) for history in histories)


def races_lost() -> float:
    return REGISTRY.get_sample_value("flagfall_races_lost_total") or 0.0


async def test_a_takeback_is_accepted_or_a_move_was_first(database_url: str, redis_url: str) -> None:
    """White has asked to take 3.Bc4 back; Black accepts on one device and moves on another."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")), control=LONG, rule_set=CONSENT)
        asked = await world.first.ask(pb.Command(game_id=template, player_id="anna", offer_takeback=pb.OfferTakeback()))
        assert asked.HasField("accepted")
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        writers = [Writer("b", TAKEBACK, "accept"), Writer("b", move("g8f6", ply=5), "move")]
        for _ in rounds_until(2, lambda: len(seen) >= 2 and races_lost() > lost):
            _, replies, histories = await race(world, template, writers, chance)
            seen.update(stories(histories))
            for reply, history in zip(replies, histories, strict=True):
                if history[0].kind == events_pb2.GAME_EVENT_KIND_TAKEN_BACK:
                    assert reply["move"].refusal.code in {RefusalCode.STALE_VERSION, RefusalCode.NOT_YOUR_TURN}
                    assert (history[-1].state.ply, history[-1].state.takebacks) == (4, 1)
                else:  # Black's answer, too late, is a wish of Black's own
                    assert history[-1].state.takeback_offer == common_pb2.COLOR_BLACK
                    assert history[-1].state.ply == 6
        assert set(seen) == {"TAKEN_BACK", "MOVE TAKEBACK_OFFERED"}, seen
        assert races_lost() > lost


async def test_wishes_that_cross_agree_and_so_do_offers(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3")), control=LONG, rule_set=CONSENT)
        chance = new_chance()
        _, _, histories = await race(
            world, template, [Writer("w", TAKEBACK, "white"), Writer("b", TAKEBACK, "black")], chance
        )
        assert set(stories(histories)) == {"TAKEBACK_OFFERED TAKEN_BACK"}
        plies = Counter((history[0].by, history[1].state.ply) for history in histories)
        assert set(plies) == {(common_pb2.COLOR_WHITE, 2), (common_pb2.COLOR_BLACK, 1)}, "the first wish is the one"
        _, _, histories = await race(world, template, [Writer("w", DRAW, "white"), Writer("b", DRAW, "black")], chance)
        assert set(stories(histories)) == {"DRAW_OFFERED ENDED"}


async def test_an_undo_meets_the_engines_answer(database_url: str, redis_url: str) -> None:
    """Whichever is first, it is White's second move again; and no answer to the undone move is ever played."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3")), control=LONG, black=computer_seat(3))
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        answer = Writer("c", move("b8c6", ply=3, takebacks=0), "turn-3-0")
        writers = [Writer("w", UNDO, "undo"), answer, Writer("w", move("d2d4", ply=2), "again")]
        for _ in rounds_until(2, lambda: len(seen) >= 3 and races_lost() > lost):
            _, replies, histories = await race(world, template, writers, chance)
            seen.update(stories(histories))
            for reply, history in zip(replies, histories, strict=True):
                last = history[-1].state
                assert reply["undo"].HasField("accepted")
                if reply["turn-3-0"].HasField("accepted"):
                    assert history[0].kind == events_pb2.GAME_EVENT_KIND_MOVE, "the answer was before the undo"
                if reply["again"].HasField("accepted"):
                    assert (last.ply, last.last_uci, last.takebacks) == (3, "d2d4", 1)
                    assert last.computer_turn_level == 3
                else:
                    assert (last.ply, last.takebacks) == (2, 1)
        assert {"TAKEN_BACK", "MOVE TAKEN_BACK", "TAKEN_BACK MOVE", "MOVE TAKEN_BACK MOVE"} >= set(seen), seen
        assert len(seen) >= 3
        assert races_lost() > lost


async def test_an_undo_after_the_end_reopens_it_once(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5")), control=LONG, black=computer_seat(3))
        resigned = await world.first.ask(pb.Command(game_id=template, player_id="anna", resign=pb.Resign()))
        assert resigned.HasField("accepted")
        writers = [Writer("w", UNDO, "undo"), Writer("w", UNDO, "again"), Writer("w", UNDO, "thrice")]
        games, replies, histories = await race(world, template, writers, new_chance())
        assert set(stories(histories)) == {"TAKEN_BACK"}
        assert all(sum(one.HasField("refusal") for one in reply.values()) == 2 for reply in replies)
        told = Counter[str]()
        for (payload,) in await world.rows("SELECT payload FROM player_event"):
            event = events_pb2.PlayerEvent.FromString(payload)
            if event.HasField("game_start"):
                told[event.game_start.info.id] += 1
        assert {told[game_id] for game_id in games} == {1}


async def test_a_claim_meets_the_move_it_was_waiting_for(database_url: str, redis_url: str) -> None:
    """An untimed game, idle for two weeks: the claim wins, or the move was first and nothing is to be claimed."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        created_ms = world.first.beats.now_ms() - 14 * DAY_MS
        template = await world.game(*map(uci, ("e2e4", "e7e5")), control=Unlimited(), created_ms=created_ms)
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        writers = [Writer("b", CLAIM, "claim"), Writer("w", MOVE, "move")]
        for _ in rounds_until(2, lambda: len(seen) >= 2 and races_lost() > lost):
            _, replies, histories = await race(world, template, writers, chance)
            seen.update(stories(histories))
            for reply, history in zip(replies, histories, strict=True):
                state = history[0].state
                if state.status == events_pb2.GAME_STATUS_ENDED:
                    assert (state.outcome.reason, state.outcome.winner) == (
                        common_pb2.END_REASON_EXPIRY,
                        common_pb2.COLOR_BLACK,
                    )
                    assert reply["move"].refusal.code == RefusalCode.GAME_OVER
                else:
                    assert reply["claim"].refusal.code == RefusalCode.NOT_ALLOWED
        assert set(seen) == {"ENDED", "MOVE"}, seen
        assert races_lost() > lost


async def test_a_pause_has_one_end(database_url: str, redis_url: str) -> None:
    """White's flag has fallen and Black has offered to go on: both decide at once, each in every way."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        begun_ms = world.first.beats.now_ms() - 90_000
        template = await world.game(
            *map(uci, ("e2e4", "e7e5")), control=ClockControl(60_000, 0), rule_set=FRIENDLY, created_ms=begun_ms
        )
        grace_ms = world.first.settings.flag_grace_ms
        fell_ms = begun_ms + 60_000 + grace_ms
        flag = pb.Command(game_id=template, flag=pb.Flag(version=3))
        assert (await world.first.ask(flag, fell_ms)).accepted.state.HasField("pause")
        offer = pb.Command(game_id=template, player_id="bert", go_on=pb.GoOn())
        assert (await world.first.ask(offer, fell_ms + 1)).accepted.state.pause.going_on_offered
        resign = pb.Command(resign=pb.Resign())
        writers = [
            *(Writer("b", CLAIM, "claim"), Writer("w", GO_ON, "go on"), Writer("w", resign, "white resigns")),
            *(Writer("b", resign, "black resigns"), Writer("-", pb.Command(flag=pb.Flag(version=5)), "early flag")),
        ]
        chance, seen = new_chance(), Counter[tuple[str, int, int]]()
        for _ in rounds_until(1, lambda: len(seen) >= 4):
            _, replies, histories = await race(world, template, writers, chance, fell_ms + 2)
            for reply, history in zip(replies, histories, strict=True):
                first = history[0]
                outcome = first.state.outcome
                seen[KINDS[first.kind], outcome.reason, outcome.winner] += 1
                assert reply["early flag"].HasField("refusal")
                if first.kind == events_pb2.GAME_EVENT_KIND_ENDED:
                    assert len(history) == 1
                else:  # it went on: somebody may still resign, once
                    assert reply["claim"].refusal.code in {RefusalCode.NOT_ALLOWED, RefusalCode.GAME_OVER}
                    assert (first.state.without_clock, first.state.deadline_ms) == (True, 0)
                    assert len(history) == 2
        white, black = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
        assert set(seen) == {
            ("ENDED", common_pb2.END_REASON_FLAG, black),
            ("ENDED", common_pb2.END_REASON_RESIGNATION, white),
            ("ENDED", common_pb2.END_REASON_RESIGNATION, black),
            ("WENT_ON", 0, 0),
        }, seen


async def test_a_player_who_is_back_meets_the_move_of_the_computer_that_sat_in(
    database_url: str, redis_url: str
) -> None:
    """Black's seat is held and Black is to move: the computer's move counts unless Black was back before."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3")), control=Unlimited(), rule_set=PARTY)
        held = {"extra": f"\\x{extra_to_bytes(Extra(held=Both(0, 5))).hex()}", "computer_turn_level": 5}
        writers = [
            Writer("b", pb.Command(return_seat=pb.ReturnSeat()), "back"),
            Writer("c", move("b8c6", ply=3, takebacks=0), "turn-3-0"),
            Writer("b", move("g8f6", ply=3), "own"),
        ]
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        for _ in rounds_until(2, lambda: len(seen) >= 2 and races_lost() > lost):
            _, replies, histories = await race(world, template, writers, chance, columns=held)
            for reply, history in zip(replies, histories, strict=True):
                last = history[-1].state
                (made,) = (event for event in history if event.kind == events_pb2.GAME_EVENT_KIND_MOVE)
                seen["computer" if made.by_computer else "person"] += 1
                assert (made.state.last_uci == "b8c6") is made.by_computer is reply["turn-3-0"].HasField("accepted")
                assert (last.ply, last.black_held_level, last.computer_turn_level) == (4, 0, 0)
                if history[0].kind == events_pb2.GAME_EVENT_KIND_SEAT_RETURNED:
                    assert not made.by_computer, "the move that was under way is void"
        assert set(seen) == {"computer", "person"}, seen
        assert races_lost() > lost


@pytest.mark.parametrize("against", ["move", "withdrawal"])
async def test_a_draw_is_agreed_or_what_ends_the_offer_was_first(
    database_url: str, redis_url: str, against: str
) -> None:
    """White's offer is open on Black's turn: Black accepts while White withdraws, or Black moves on another device."""
    async with racing(database_url, redis_url, **PATIENT) as world:
        moves = [uci("e2e4"), uci("e7e5"), uci("g1f3", offer_draw=True)]
        template = await world.game(*moves, control=LONG)
        other = Writer("b", move("b8c6"), "other") if against == "move" else Writer("w", NO_DRAW, "other")
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        for _ in rounds_until(2, lambda: len(seen) >= 2 and races_lost() > lost):
            _, replies, histories = await race(world, template, [Writer("b", DRAW, "accept"), other], chance)
            seen.update(stories(histories))
            for reply, history in zip(replies, histories, strict=True):
                if history[0].kind == events_pb2.GAME_EVENT_KIND_ENDED:
                    assert reply["other"].refusal.code == RefusalCode.GAME_OVER
                    assert history[0].state.outcome.reason == common_pb2.END_REASON_AGREEMENT
                else:  # the acceptance, too late, is an offer of Black's own
                    assert history[-1].state.draw_offer == common_pb2.COLOR_BLACK
        first = "MOVE" if against == "move" else "DRAW_CLOSED"
        assert set(seen) == {"ENDED", f"{first} DRAW_OFFERED"}, seen
        assert races_lost() > lost


ANYTHING = [
    *(Writer(who, command, name) for who in "wb" for command, name in ((TAKEBACK, "take"), (DRAW, "draw"))),
    *(Writer(who, pb.Command(close_takeback=pb.CloseTakeback()), "no takeback") for who in "wb"),
    *(Writer(who, NO_DRAW, "no draw") for who in "wb"),
    *(Writer(who, pb.Command(give_time=pb.GiveTime(ms=15_000)), "time") for who in "wb"),
    *(Writer("w", move(text), text) for text in ("d2d4", "b1c3", "a2a3")),
    *(Writer("b", move(text), text) for text in ("g8f6", "a7a6", "d7d6")),
]


async def test_twenty_writers_who_do_anything_make_one_history(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3", "b8c6")), control=LONG, rule_set=CONSENT)
        chance, seen, lost = new_chance(), Counter[str](), races_lost()
        for _ in rounds_until(1, lambda: seen["MOVE"] > 0 and races_lost() > lost):
            chosen = chance.choices(ANYTHING, k=20)
            writers = [replace(writer, name=f"{writer.name}-{number}") for number, writer in enumerate(chosen)]
            _, _, histories = await race(world, template, writers, chance)
            for history in histories:
                seen.update(KINDS[event.kind] for event in history)
                for event in history:
                    gifts = 15_000 * 20
                    assert event.state.white_ms <= LONG.initial_ms + gifts
                    assert event.state.black_ms <= LONG.initial_ms + gifts
        assert seen["MOVE"] > 0
        assert races_lost() > lost, seen
