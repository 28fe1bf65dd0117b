"""The life of one game on two game services, reckoned anew from its events after each step.

Moves, clocks, deadlines, ends, what follows from ends, what replicas remember and show: whatever happened, all of it
must fit. What happens is drawn by chance (`step`) or told (`play`).
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from services.domain.arrays import is_array
from services.domain.refusal import RefusalCode
from services.domain.time_control import Correspondence
from services.game.play.command import Command
from services.game.play.commands.clocks import Rest
from services.game.play.commands.flags import Abandon
from services.game.play.game import NO_EXTRA, Game, Standing
from services.game.play.question import Start
from services.game.store.rows import readable
from services.game.store.schema import game as game_table
from services.game.wire.messages import status_of
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.wire import outcome_to_pb
from tests.integration.game.life_book import KINDS, Book
from tests.integration.game.random_life import ACTIONS, Absences, LifeTerms, draw_command, draw_moment
from tests.integration.races.race_replicas import Replica, World, channel_to, plain
from tests.stack.replies import reply_message


@dataclass
class Seen:
    """What all lives together have met."""

    kinds: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    repeated: int = 0
    reopened: int = 0
    steps: int = 0

    def enough(self) -> bool:
        """Whether random lives have met what most of them meet: less is a sign that they are hardly lived."""
        return (
            {kind for kind, _ in self.codes} >= {kind for kind, weight in ACTIONS.items() if weight > 2}
            and set(self.kinds) >= {"CREATED", "MOVE", "ENDED", "TAKEN_BACK", "DRAW_OFFERED"}
            and self.repeated > 0
            and len(self.ends) > 2
        )


class Life:
    """One game, and what is known of it."""

    def __init__(self, world: World, absences: Absences, terms: LifeTerms, game: Game, seed: int, seen: Seen) -> None:
        self.world, self.absences, self.terms, self.seen = world, absences, terms, seen
        self.chance = random.Random(seed)
        self.game = game
        self.book = Book.of(game)
        self.now_ms = game.terms.created_ms
        self.gifts_ms: dict[int, int] = {}
        self.used: list[tuple[pb.Command, pb.Reply]] = []
        self.trail: list[str] = []
        self.expected = 0
        """The version that the replies of a step make; 0 where a search may add to them."""
        self._asked = 0
        self.id = game.terms.id

    def __str__(self) -> str:
        return f"{self.id} {self.terms}\n" + "\n".join(self.trail)

    async def row(self) -> Game:
        """The game as the database has it."""
        async with self.world.first.engine.connect() as connection:
            row = (await connection.execute(sa.select(game_table).where(game_table.c.id == self.id))).mappings().one()
        game = readable(row)
        assert game is not None
        return game

    async def step(self) -> None:
        """Something happens, or several things at once; then everything is checked."""
        self.seen.steps += 1
        before, chance, self.expected = self.game, self.chance, 0
        if chance.random() < 0.12 and self.used:
            await self._repeat()
        elif chance.random() < 0.04:
            await self._by_the_server()
        else:
            await self._ask(chance.choices((1, 2, 3), (75, 15, 10))[0])
        await self._agrees(before)
        if chance.random() < 0.3:
            await self._check_shown()

    async def play(self, command: pb.Command, at_ms: int) -> pb.Reply:
        """One command at a steered moment, of the replicas in turn; then everything is checked."""
        before, self.seen.steps = self.game, self.seen.steps + 1
        reply = await self._next_replica().ask(command, at_ms)
        self._note(command, at_ms, reply)
        self.expected = before.version + (reply.HasField("accepted") and not reply.accepted.repeated)
        await self._agrees(before)
        await self._check_shown()
        return reply

    async def abandon(self, at_ms: int) -> None:
        """The server finds that both players are gone for good; then everything is checked."""
        before = self.game
        command = Command(self.id, "", "", Abandon(before.version), b"", at_ms)
        self._note(pb.Command(), at_ms, reply_message(await self._next_replica().path.submit(command)), "abandon")
        self.expected = before.version + 1
        await self._agrees(before)
        await self._check_shown()

    async def repeat_all(self) -> None:
        """Every id that was used, once more, with the same content and with another."""
        for command, reply in tuple(self.used):
            before = self.game
            await self._repeat_same(command, reply, self._next_replica())
            await self._repeat_other(command, self._next_replica())
            self.expected = before.version
            await self._agrees(before)

    def _next_replica(self) -> Replica:
        self._asked += 1
        return self.world.replicas[self._asked % len(self.world.replicas)]

    async def _agrees(self, before: Game) -> None:
        await self._searched()
        self.game = await self.row()
        assert self.expected in (0, self.game.version), self.expected
        await self._hear(before)
        if self.game.version != before.version:
            await self._check_position()
        else:
            assert self.game == before, "a refused command changed the game"
        self._check_end()
        self._check_memory()

    async def _ask(self, count: int) -> None:
        line = list(self.book.line)
        commands = [draw_command(self.game, line, self.terms.shuffling, self.chance) for _ in range(count)]
        if count > 1 and self.chance.random() < 0.3:
            commands[1].CopyFrom(commands[0])
        kind = commands[0].WhichOneof("action") or ""
        if self.chance.random() < 0.15 or kind in ("take_seat", "claim_win"):
            self.absences.draw(self.id, kind, self.chance)
        moment = draw_moment(self.game, kind, self.now_ms, self.world.first.path.limits, self.chance)
        moments = [moment + self.chance.choice((0, 0, 1, -1, 40)) * (place > 0) for place in range(count)]
        askers = [self.chance.choice(self.world.replicas) for _ in range(count)]
        version = self.game.version
        asked = zip(askers, commands, moments, strict=True)
        replies = await asyncio.gather(*(replica.ask(command, at_ms) for replica, command, at_ms in asked))
        for command, at_ms, reply in zip(commands, moments, replies, strict=True):
            self._note(command, at_ms, reply)
        fresh = [reply for reply in replies if reply.HasField("accepted") and not reply.accepted.repeated]
        versions = sorted(reply.accepted.version for reply in fresh)
        if not any(reply.searching for reply in replies):
            assert versions == list(range(version + 1, version + 1 + len(fresh))), versions
            self.expected = version + len(fresh)
        if count > 1 and commands[0] == commands[1] and commands[0].command_id:
            twins = [reply.HasField("accepted") and not reply.accepted.repeated for reply in replies[:2]]
            assert sum(twins) <= 1, "one command of two with the same id"
        refused = replies[0].HasField("refusal") and not replies[0].searching
        if count == 1 and refused and self.chance.random() < 0.4:
            await self._same_refusal(askers[0], commands[0], moments[0], replies[0])

    async def _same_refusal(self, asked: Replica, command: pb.Command, at_ms: int, reply: pb.Reply) -> None:
        other = next(replica for replica in self.world.replicas if replica is not asked)
        again = await other.ask(command, at_ms)
        assert (again.refusal.code, again.refusal.message) == (reply.refusal.code, reply.refusal.message)

    async def _repeat(self) -> None:
        """An id that was used before: with the same content, and with another."""
        command, reply = self.chance.choice(self.used)
        replica = self.chance.choice(self.world.replicas)
        if self.chance.random() < 0.6:
            await self._repeat_same(command, reply, replica)
        else:
            await self._repeat_other(command, replica)
        self.seen.repeated += 1
        self.expected = self.game.version

    async def _repeat_same(self, command: pb.Command, reply: pb.Reply, replica: Replica) -> None:
        again = await replica.ask(command, self.now_ms)
        assert again.accepted.repeated, (command, again)
        assert plain(again) == plain(reply)

    async def _repeat_other(self, command: pb.Command, replica: Replica) -> None:
        other = pb.Command(game_id=self.id, player_id=command.player_id, command_id=command.command_id)
        other.move.text = "a1a1"
        again = await replica.ask(other, self.now_ms)
        assert again.refusal.code == RefusalCode.COMMAND_CONFLICT, (command, again)

    async def _by_the_server(self) -> None:
        """What no gateway can send: a vacation that begins, or both players gone for good."""
        player, version = self.game.terms.seat(self.game.turn).player_id, self.game.version
        until_ms = self.now_ms + self.chance.randint(1, 3 * 86_400_000)
        rest = isinstance(self.game.clock.control, Correspondence)
        action = Rest(until_ms) if rest else Abandon(version)
        command = Command(self.id, player if rest else "", "", action, b"", self.now_ms)
        reply = reply_message(await self.chance.choice(self.world.replicas).path.submit(command))
        self._note(pb.Command(player_id=command.player_id), self.now_ms, reply, type(action).__name__.lower())

    def _note(self, command: pb.Command, at_ms: int, reply: pb.Reply, name: str = "") -> None:
        kind = name or command.WhichOneof("action") or ""
        answer = f"v{reply.accepted.version}" if reply.HasField("accepted") else reply.refusal.code
        self.trail.append(f"{at_ms} {command.player_id or '-'} {kind} {answer} {str(command)!r}")
        self.seen.codes[kind, "accepted" if reply.HasField("accepted") else reply.refusal.code] += 1
        if not reply.HasField("accepted"):
            assert reply.searching or reply.refusal.code != RefusalCode.UNAVAILABLE, reply
            return
        self.now_ms = max(self.now_ms, at_ms)
        self.gifts_ms[reply.accepted.version] = command.give_time.ms
        if command.command_id and not reply.accepted.repeated:
            self.used.append((command, reply))

    async def _searched(self) -> None:
        """Wait until no forfeit is being searched for: those commands come back by themselves."""
        async with asyncio.timeout(60):
            while any(replica.path._adjudications._searches for replica in self.world.replicas):
                await asyncio.sleep(0.002)

    async def _hear(self, before: Game) -> None:
        rows = await self.world.rows(
            "SELECT version, payload FROM game_event WHERE game_id = :id AND version > :since ORDER BY version",
            id=self.id,
            since=self.book.version,
        )
        for _, payload in rows:
            event = events_pb2.GameEvent.FromString(bytes(payload))
            reopens = self.book.over
            self.book.hear(event, self.game, self.gifts_ms)
            self.seen.kinds[KINDS[event.kind]] += 1
            self.seen.reopened += reopens
        self.book.agrees(self.game, self.world.first.path.limits)
        if before.outcome is not None and self.game.version != before.version:
            assert before.terms.against_computer
            assert self.game.extra.takebacks > before.extra.takebacks

    async def _check_position(self) -> None:
        """The moves that count, played again by the rules, are the position of the row."""
        terms, row = self.game.terms, self.game
        question = Start(terms.variant, terms.rule_set, terms.initial_fen, moves=tuple(self.book.line))
        (verdict,) = await self.world.first.path._rules.judge([question])
        assert isinstance(verdict, Standing), verdict
        assert replace(verdict, outcome=None) == row.standing
        if verdict.outcome is not None:
            assert row.outcome == verdict.outcome
        elif row.outcome is None:
            assert row.standing.legal, "it goes on without a legal move"

    def _check_end(self) -> None:
        game = self.game
        if game.outcome is not None:
            extra = game.extra
            assert game.ended_ms is not None
            assert game.ended_ms >= game.clock.turn_started_ms
            assert (game.draw_offer, extra.takeback_offer, extra.pause) == (None, None, None)
        assert not (game.extra.held.white and game.extra.held.black)
        if game.extra is not NO_EXTRA and game.extra.takebacks and game.terms.rated:
            assert not game.rated

    def _check_memory(self) -> None:
        """What a replica remembers of this version is what the database has."""
        for replica in self.world.replicas:
            kept = replica.path._memory.get(self.id)
            if kept is not None and kept.version == self.game.version:
                assert replace(kept, standing=replace(kept.standing, outcome=None)) == self.game

    async def _check_shown(self) -> None:
        service = GameServiceStub(channel_to(self.chance.choice(self.world.replicas).servicer))
        since = self.chance.choice((0, max(1, self.game.version - 3)))
        items = [pb.FetchItem(game_id=self.id), pb.FetchItem(game_id=self.id, since_version=since)]
        whole, missed = (await service.Fetch(pb.FetchRequest(items=items))).results
        state = whole.snapshot.state
        assert [move.uci for move in whole.snapshot.moves] == self.book.line
        assert (state.version, state.fen, state.status) == (
            self.game.version,
            self.game.standing.fen,
            status_of(self.game),
        )
        shows_legal = self.game.outcome is None and self.game.extra.pause is None
        assert state.legal == (self.game.standing.legal if shows_legal else "")
        if self.game.outcome is not None:
            assert state.outcome == outcome_to_pb(self.game.outcome)
        if missed.HasField("events"):
            versions = [event.state.version for event in missed.events.events]
            assert versions == list(range(since + 1, self.game.version + 1))

    async def check_followed(self) -> None:
        """What follows from ends: events of the players, ratings, progress."""
        game = self.game
        if game.outcome is not None:
            self.seen.ends[game.outcome.reason.value] += 1
        people = [seat.player_id for seat in (game.terms.white, game.terms.black) if not seat.computer_level]
        payloads = await self.world.rows("SELECT payload FROM player_event WHERE player_id = ANY(:ids)", ids=people)
        heard: Counter[tuple[str, str]] = Counter()
        for (payload,) in payloads:
            event = events_pb2.PlayerEvent.FromString(bytes(payload))
            kind = event.WhichOneof("content") or ""
            if getattr(event, kind).info.id == self.id:
                heard[event.player_id, kind] += 1
        expected = Counter({(who, "game_start"): self.book.begins for who in people})
        expected += Counter({(who, "game_finish"): self.book.ends for who in people})
        assert heard == expected
        won = await self.world.rows("SELECT player_id, level, helped FROM computer_win WHERE game_id = :id", id=self.id)
        winner = None if game.outcome is None or game.outcome.winner is None else game.outcome.winner
        from_array = is_array(game.terms.variant, game.terms.rule_set, game.terms.initial_fen)
        against_computer = game.terms.against_computer and from_array
        if winner is not None and against_computer and not game.terms.seat(winner).computer_level:
            level = game.terms.seat(winner.other).computer_level
            assert won == [(game.terms.seat(winner).player_id, level, game.extra.helped)]
        else:
            assert won == []
        points = await self.world.rows("SELECT player_id FROM rating_point WHERE game_id = :id", id=self.id)
        counts = game.rated and game.outcome is not None and not game.outcome.reason.aborts
        leaves = winner is None and game.terms.rule_set.rated_draw.value == "leavesRatings"
        assert len(points) == (2 if counts and not leaves else 0)
        assert (game.extra.rating_diff is not None) == counts
        if leaves and counts:
            assert game.extra.rating_diff is not None
            assert (game.extra.rating_diff.white, game.extra.rating_diff.black) == (0, 0)


async def begun(world: World, absences: Absences, terms: LifeTerms, seen: Seen, seed: int = 0) -> Life:
    """A game of these terms; what is drawn in its life is drawn with the seed."""
    game_id = await world.game(
        control=terms.control,
        rule_set=terms.rule_set,
        variant=terms.variant,
        fen=terms.fen,
        rated=terms.rated,
        white=terms.white,
        black=terms.black,
        created_ms=world.first.beats.now_ms(),
    )
    async with world.first.engine.connect() as connection:
        row = (await connection.execute(sa.select(game_table).where(game_table.c.id == game_id))).mappings().one()
    game = readable(row)
    assert game is not None
    return Life(world, absences, terms, game, seed, seen)
