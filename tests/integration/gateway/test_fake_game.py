"""The fake game service answers as the real one does: one set of tests, asked of both.

The real one is a whole game service on PostgreSQL, with the real rules. What is compared is what a gateway relies on:
codes of refusals, which fields an answer has, kinds and numbers of events.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import pytest

from services.channels import GameStubs
from services.domain.rule_set import CLAIMED, Takeback
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import rule_set_to_pb
from tests.integration.gateway.fake_game import CLOCK, FakeGame
from tests.integration.races.race_replicas import PATIENT, channel_to, racing

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
STARTED, ENDED = events_pb2.GAME_STATUS_STARTED, events_pb2.GAME_STATUS_ENDED
MOVES = ["e2e4", "e7e5", "g1f3", "b8c6"]
REPEATED = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
LAWS = replace(CLAIMED, takeback=Takeback.BY_CONSENT)


@dataclass
class Service:
    """A game service that is asked as a gateway asks."""

    stubs: GameStubs
    begin: Callable[[], Awaitable[str]]
    """A new game between `white` and `black`; its id."""
    tell: Callable[[str], Awaitable[None]]
    """Commit an event of a player."""
    claimable: Callable[[str], Awaitable[None]]
    """Play so that a threefold repetition may be claimed."""
    white: str = "anna"
    black: str = "bob"

    def __post_init__(self) -> None:
        self._ids = count()

    def command(self, game_id: str, player_id: str, command_id: str = "", **action: Any) -> pb.Command:
        """A command, with an id of its own unless one is given."""
        command_id = command_id or f"command{next(self._ids):08}"
        return pb.Command(game_id=game_id, player_id=player_id, command_id=command_id, **action)

    async def submit(self, *commands: pb.Command) -> list[pb.Reply]:
        """The answers to commands that come together."""
        return list((await self.stubs.games.Submit(pb.SubmitRequest(commands=commands))).replies)

    async def ask(self, game_id: str, player_id: str, **action: Any) -> pb.Reply:
        """The answer to one."""
        (reply,) = await self.submit(self.command(game_id, player_id, **action))
        return reply

    async def done(self, game_id: str, player_id: str, **action: Any) -> pb.Accepted:
        """The answer to one that is accepted."""
        reply = await self.ask(game_id, player_id, **action)
        assert reply.WhichOneof("result") == "accepted", reply
        return reply.accepted

    async def code(self, game_id: str, player_id: str, **action: Any) -> str:
        """The code of one that is refused."""
        reply = await self.ask(game_id, player_id, **action)
        assert reply.WhichOneof("result") == "refusal", reply
        assert reply.refusal.message, "a refusal has words"
        return reply.refusal.code

    async def play(self, game_id: str, number: int) -> pb.Accepted | None:
        """Play the first moves; the last answer."""
        accepted = None
        for ply, text in enumerate(MOVES[:number]):
            accepted = await self.done(game_id, (self.white, self.black)[ply % 2], move=pb.Move(text=text))
        return accepted

    async def fetch(self, game_id: str, since: int = 0) -> pb.Fetched:
        """One game, as far as it is newer."""
        item = pb.FetchItem(game_id=game_id, since_version=since)
        (fetched,) = (await self.stubs.games.Fetch(pb.FetchRequest(items=[item]))).results
        return fetched


@asynccontextmanager
async def the_fake() -> AsyncIterator[Service]:
    game, numbers = FakeGame(), count(1)
    game.sign_up("anna", "bob", "carl")

    async def begin() -> str:
        game_id = f"game{next(numbers):04}"
        game.new_game(game_id)
        return game_id

    async def tell(player_id: str) -> None:
        game.tell(player_id)

    async def claimable(game_id: str) -> None:
        game.play(game_id, len(REPEATED))
        game.claim(game_id)

    yield Service(GameStubs(channel_to(game)), begin, tell, claimable)


@asynccontextmanager
async def the_real_one(database_url: str, redis_url: str) -> AsyncIterator[Service]:
    async with racing(database_url, redis_url, 1, **PATIENT) as world:
        stubs = GameStubs(channel_to(world.first.servicer))

        async def begin() -> str:
            return await world.game(rule_set=LAWS)

        async def tell(player_id: str) -> None:
            request = pb.CreateChallengeRequest(
                challenger_id="anna" if player_id != "anna" else "bert",
                dest_id=player_id,
                variant="standard",
                rule_set=rule_set_to_pb(CLAIMED),
                time_control=CLOCK,
            )
            answer = await stubs.invitations.CreateChallenge(request)
            assert answer.HasField("challenge"), answer

        async def claimable(game_id: str) -> None:
            for ply, text in enumerate(REPEATED):
                await real.done(game_id, ("anna", "bert")[ply % 2], move=pb.Move(text=text))

        real = Service(stubs, begin, tell, claimable, black="bert")
        yield real


@pytest.fixture(params=["fake", "real"])
async def service(request: pytest.FixtureRequest, redis_url: str) -> AsyncIterator[Service]:
    if request.param == "fake":
        async with the_fake() as made:
            yield made
    else:
        async with the_real_one(request.getfixturevalue("database_url"), redis_url) as made:
            yield made


async def test_a_game_is_fetched_whole_or_from_a_version_on(service: Service) -> None:
    game_id = await service.begin()
    whole = (await service.fetch(game_id)).snapshot
    assert (whole.info.id, whole.info.variant, whole.info.source) == (game_id, "standard", "friend")
    assert (whole.info.white.id, whole.info.black.id) == (service.white, service.black)
    assert whole.info.time_control.WhichOneof("kind") == "clock"
    assert (whole.state.version, whole.state.status, whole.state.turn) == (1, STARTED, WHITE)
    assert (whole.state.ply, whole.state.running, bool(whole.state.legal), len(whole.moves)) == (0, False, True, 0)

    await service.play(game_id, 3)
    events = (await service.fetch(game_id, since=1)).events.events
    assert [event.state.version for event in events] == [2, 3, 4]
    assert [(event.kind, event.by) for event in events] == [
        (events_pb2.GAME_EVENT_KIND_MOVE, side) for side in (WHITE, BLACK, WHITE)
    ]
    assert all(event.state.last_uci and event.state.last_san for event in events)
    newest = await service.fetch(game_id, since=4)
    assert (newest.WhichOneof("result"), newest.up_to_date.version) == ("up_to_date", 4)
    again = (await service.fetch(game_id)).snapshot
    assert (again.state.version, again.state.ply, again.state.turn, len(again.moves)) == (4, 3, BLACK, 3)
    assert all(move.uci and move.san and move.at_ms for move in again.moves)


async def test_a_game_that_is_not_there_is_not_found(service: Service) -> None:
    fetched = await service.fetch("nowhere1")
    assert (fetched.WhichOneof("result"), fetched.refusal.code) == ("refusal", "not_found")
    assert await service.code("nowhere1", service.white, move=pb.Move(text="e2e4")) == "not_found"


async def test_a_move_is_answered_with_its_version_its_event_and_the_mode(service: Service) -> None:
    game_id = await service.begin()
    accepted = await service.done(game_id, service.white, move=pb.Move(text="e2e4", ply=0))
    assert (accepted.version, accepted.mode, accepted.repeated) == (2, "clock", False)
    assert (accepted.state.version, accepted.state.ply, accepted.state.turn) == (2, 1, BLACK)
    assert (accepted.event.kind, accepted.event.by) == (events_pb2.GAME_EVENT_KIND_MOVE, WHITE)
    assert not accepted.event.HasField("state"), "it is beside it"
    (event,) = (await service.fetch(game_id, since=1)).events.events
    assert (event.state.version, event.kind, event.by) == (2, accepted.event.kind, accepted.event.by)


async def test_a_command_that_comes_again_is_answered_again_and_changes_nothing(service: Service) -> None:
    game_id = await service.begin()
    command = service.command(game_id, service.white, move=pb.Move(text="e2e4", ply=0))
    (first,) = await service.submit(command)
    await service.done(game_id, service.black, move=pb.Move(text="e7e5"))
    (again,) = await service.submit(command)
    assert (again.accepted.version, again.accepted.repeated) == (first.accepted.version, True)
    assert again.accepted.state.version == 2
    assert (await service.fetch(game_id, since=3)).up_to_date.version == 3


async def test_refusals_have_the_same_codes_and_change_nothing(service: Service) -> None:
    game_id = await service.begin()
    await service.play(game_id, 2)
    move = pb.Move(text="g1f3")
    assert await service.code(game_id, service.black, move=move) == "not_your_turn"
    assert await service.code(game_id, "carl", move=move) == "not_a_player"
    assert await service.code(game_id, "carl", resign=pb.Resign()) == "not_a_player"
    assert await service.code(game_id, service.white, move=pb.Move(text="g1f3", ply=1)) == "stale_version"
    assert await service.code(game_id, service.white, claim_draw=pb.ClaimDraw()) == "not_allowed"
    assert await service.code(game_id, service.white, claim_win=pb.ClaimWin()) == "not_allowed"
    assert (await service.fetch(game_id, since=3)).up_to_date.version == 3


async def test_a_resignation_ends_the_game_and_nothing_is_possible_after_it(service: Service) -> None:
    game_id = await service.begin()
    await service.play(game_id, 2)
    state = (await service.done(game_id, service.black, resign=pb.Resign())).state
    assert (state.status, state.running, state.legal) == (ENDED, False, "")
    assert (state.outcome.winner, state.outcome.reason) == (WHITE, common_pb2.END_REASON_RESIGNATION)
    (event,) = (await service.fetch(game_id, since=3)).events.events
    assert (event.kind, event.by, event.state.status) == (events_pb2.GAME_EVENT_KIND_ENDED, BLACK, ENDED)
    assert await service.code(game_id, service.white, move=pb.Move(text="g1f3")) == "game_over"
    assert await service.code(game_id, service.white, resign=pb.Resign()) == "game_over"


async def test_a_due_draw_is_claimed(service: Service) -> None:
    game_id = await service.begin()
    await service.claimable(game_id)
    assert list((await service.fetch(game_id)).snapshot.state.claims) == [common_pb2.CLAIM_THREEFOLD]
    state = (await service.done(game_id, service.black, claim_draw=pb.ClaimDraw())).state
    assert (state.status, state.ply) == (ENDED, len(REPEATED))
    assert (state.outcome.winner, state.outcome.reason) == (0, common_pb2.END_REASON_REPETITION)


async def test_a_takeback_is_asked_for_and_refused(service: Service) -> None:
    game_id = await service.begin()
    await service.play(game_id, 2)
    asked = await service.done(game_id, service.white, offer_takeback=pb.OfferTakeback())
    assert (asked.event.kind, asked.event.by) == (events_pb2.GAME_EVENT_KIND_TAKEBACK_OFFERED, WHITE)
    assert (asked.state.takeback_offer, asked.state.ply) == (WHITE, 2)
    closed = await service.done(game_id, service.black, close_takeback=pb.CloseTakeback())
    assert (closed.event.kind, closed.event.by) == (events_pb2.GAME_EVENT_KIND_TAKEBACK_CLOSED, BLACK)
    assert (closed.state.takeback_offer, closed.version) == (0, asked.version + 1)


async def test_time_is_given_to_the_other_side(service: Service) -> None:
    game_id = await service.begin()
    await service.play(game_id, 2)
    before = (await service.fetch(game_id)).snapshot.state
    given = await service.done(game_id, service.white, give_time=pb.GiveTime(ms=15_000))
    assert (given.event.kind, given.event.by) == (events_pb2.GAME_EVENT_KIND_TIME_GIVEN, WHITE)
    assert given.state.black_ms == before.black_ms + 15_000


async def test_commands_and_games_that_come_together_are_answered_in_order(service: Service) -> None:
    one, two = await service.begin(), await service.begin()
    replies = await service.submit(
        service.command(one, service.white, move=pb.Move(text="e2e4")),
        service.command(two, service.black, move=pb.Move(text="e7e5")),
        service.command(two, service.white, move=pb.Move(text="d2d4")),
    )
    assert [reply.WhichOneof("result") for reply in replies] == ["accepted", "refusal", "accepted"]
    assert [replies[0].accepted.state.game_id, replies[2].accepted.state.game_id] == [one, two]
    items = [pb.FetchItem(game_id=game_id) for game_id in (two, "nowhere1", one)]
    results = (await service.stubs.games.Fetch(pb.FetchRequest(items=items))).results
    assert [each.WhichOneof("result") for each in results] == ["snapshot", "refusal", "snapshot"]
    assert [results[0].snapshot.info.id, results[2].snapshot.info.id] == [two, one]


async def test_a_beat_is_accepted_and_says_nothing(service: Service) -> None:
    (reply,) = await service.submit(pb.Command(beat=pb.Beat()))
    assert reply.WhichOneof("result") == "accepted"
    assert not reply.accepted.HasField("state")


async def test_games_that_go_on_are_listed_until_they_end(service: Service) -> None:
    one, two = await service.begin(), await service.begin()

    async def listed() -> set[str]:
        answer = await service.stubs.search.ListGames(pb.ListGamesRequest(player_id=service.white, ongoing=True))
        assert all(game.state.status == STARTED and game.state.game_id == game.info.id for game in answer.games)
        return {game.info.id for game in answer.games}

    assert await listed() == {one, two}
    await service.done(one, service.white, resign=pb.Resign())
    assert await listed() == {two}


async def test_games_are_found_page_by_page_and_each_once(service: Service) -> None:
    made = [await service.begin() for _ in range(3)]
    await service.done(made[1], service.white, resign=pb.Resign())

    async def page(after: str = "", **asked: Any) -> tuple[list[str], bool]:
        request = pb.SearchGamesRequest(player_id=service.white, after_game_id=after, limit=2, **asked)
        games = (await service.stubs.search.SearchGames(request)).games
        return [game.info.id for game in games.games], games.more

    first, more = await page()
    assert (len(first), more) == (2, True)
    rest, more = await page(first[-1])
    assert (set(first) | set(rest), len(rest), more) == (set(made), 1, False)
    assert await page(ended=True) == ([made[1]], False)


async def test_a_late_game_is_as_it_was_and_one_that_is_over_is_told_whole(service: Service) -> None:
    game_id, over = await service.begin(), await service.begin()
    await service.play(game_id, 3)
    await service.done(over, service.white, resign=pb.Resign())
    items = [pb.FetchItem(game_id=each) for each in (game_id, over, "nowhere1")]
    request = pb.FetchLateRequest(items=items, late_ms=600_000)
    late, ended, nowhere = (await service.stubs.games.FetchLate(request)).results
    assert (late.snapshot.state.version, late.snapshot.state.ply, len(late.snapshot.moves)) == (1, 0, 0)
    assert (ended.snapshot.state.version, ended.snapshot.state.status) == (2, ENDED)
    assert nowhere.refusal.code == "not_found"


async def test_a_line_of_chat_is_answered_and_listed_in_its_room(service: Service) -> None:
    game_id = await service.begin()
    room = events_pb2.CHAT_ROOM_PLAYER
    request = pb.PostChatRequest(game_id=game_id, player_id=service.white, room=room, text="Good luck")
    line = (await service.stubs.chat.PostChat(request)).line
    assert (line.game_id, line.room, line.player_id, line.text) == (game_id, room, service.white, "Good luck")
    assert line.player_name
    assert line.at_ms
    for asked, expected in ((room, ["Good luck"]), (events_pb2.CHAT_ROOM_SPECTATOR, [])):
        answer = await service.stubs.chat.ListChat(pb.ListChatRequest(game_id=game_id, room=asked))
        assert [listed.text for listed in answer.lines] == expected


async def test_a_new_account_has_a_token_that_is_resolved_and_others_are_nobodys(service: Service) -> None:
    request = pb.CreateAccountRequest(username="Dora", password="correct horse")
    made = (await service.stubs.players.CreateAccount(request)).credential
    assert (made.player.id, made.player.name) == ("dora", "Dora")
    again = (await service.stubs.players.LogIn(pb.LogInRequest(username="Dora", password="correct horse"))).credential
    assert again.player.id == "dora"
    guest = (await service.stubs.players.CreateGuest(pb.CreateGuestRequest())).credential
    tokens = [made.token, "nobody", guest.token]
    holders = (await service.stubs.players.ResolveTokens(pb.ResolveTokensRequest(tokens=tokens))).holders
    assert [holder.player.id for holder in holders] == ["dora", "", guest.player.id]
    assert [holder.HasField("player") for holder in holders] == [True, False, True]
    assert "board:play" in holders[0].scopes


async def test_players_are_found_in_any_number_and_who_is_not_there_is_left_out(service: Service) -> None:
    asked = pb.GetPlayersRequest(ids=[service.white, "nobody", service.black])
    accounts = (await service.stubs.players.GetPlayers(asked)).accounts
    assert {account.player.id for account in accounts} == {service.white, service.black}
    assert len(accounts) == 2


async def test_events_of_a_player_have_numbers_without_a_gap(service: Service) -> None:
    before = (await events_of(service, service.white, 0)).last_seq
    for _ in range(2):
        await service.tell(service.white)
    answer = await events_of(service, service.white, before)
    assert [event.seq for event in answer.events] == [before + 1, before + 2]
    assert {event.player_id for event in answer.events} == {service.white}
    assert all(event.HasField("challenge") for event in answer.events)
    assert answer.last_seq == before + 2
    assert [event.seq for event in (await events_of(service, service.white, before + 1)).events] == [before + 2]
    newest = await events_of(service, service.white, before + 2)
    assert (len(newest.events), newest.last_seq) == (0, before + 2)

    asked = [
        pb.ListPlayerEventsRequest(player_id=service.white, since_seq=before + 1),
        pb.ListPlayerEventsRequest(player_id="nobody", since_seq=0),
    ]
    both = (await service.stubs.players.ListEventsOfPlayers(pb.ListEventsOfPlayersRequest(players=asked))).results
    assert [[event.seq for event in each.events] for each in both] == [[before + 2], []]
    assert [each.last_seq for each in both] == [before + 2, 0]


async def events_of(service: Service, player_id: str, since: int) -> pb.ListPlayerEventsResponse:
    request = pb.ListPlayerEventsRequest(player_id=player_id, since_seq=since)
    return await service.stubs.players.ListPlayerEvents(request)


async def test_hints_are_given_only_against_the_computer(service: Service) -> None:
    game_id = await service.begin()
    answer = await service.stubs.computer.AskHint(pb.AskHintRequest(game_id=game_id, player_id=service.white))
    assert (answer.WhichOneof("result"), answer.refusal.code) == ("refusal", "not_allowed")
