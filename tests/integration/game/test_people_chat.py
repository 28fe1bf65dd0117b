"""Chat beside games on a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.game.chat.chat import Chat
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.people import People, people

PLAYERS, WATCHERS = events.CHAT_ROOM_PLAYER, events.CHAT_ROOM_SPECTATOR


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


async def game(house: People) -> str:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob)
    await house.accept(challenge.id, bob)
    return challenge.id


async def post(house: People, game_id: str, player: str, room: events.ChatRoom, text: str) -> pb.PostChatResponse:
    request = pb.PostChatRequest(game_id=game_id, player_id=player, room=room, text=text)
    response = await house.server.PostChat(request, None)
    assert isinstance(response, pb.PostChatResponse)
    return response


async def texts(house: People, game_id: str, room: events.ChatRoom) -> list[str]:
    response = await house.server.ListChat(pb.ListChatRequest(game_id=game_id, room=room), None)
    return [line.text for line in response.lines]


async def test_a_line_is_kept_and_published(house: People) -> None:
    game_id = await game(house)
    line = (await post(house, game_id, "ann", PLAYERS, "  Good luck! ")).line
    assert (line.player_id, line.player_name, line.text) == ("ann", "Ann", "Good luck!")
    assert house.heard.chat == [line]
    await post(house, game_id, "bob", PLAYERS, "You too")
    assert await texts(house, game_id, PLAYERS) == ["Good luck!", "You too"]
    assert await texts(house, game_id, WATCHERS) == []


async def test_the_players_room_is_theirs_and_anybody_may_write_to_the_other(house: People) -> None:
    game_id, guest = await game(house), await house.guest()
    assert (await post(house, game_id, guest, PLAYERS, "hello")).refusal.code == "not_a_player"
    for player in (guest, "ann"):
        assert (await post(house, game_id, player, WATCHERS, f"from {player}")).HasField("line")
    assert await texts(house, game_id, WATCHERS) == [f"from {guest}", "from ann"]


@pytest.mark.parametrize("text", ["", "   ", "x" * 141, "two\nlines", "nul\0", "bell\a", "turned \u202e round"])
async def test_a_text_that_cannot_be_a_line_is_refused(house: People, text: str) -> None:
    game_id = await game(house)
    response = await post(house, game_id, "ann", PLAYERS, text)
    assert (response.refusal.code, response.refusal.at) == ("malformed", "text")
    assert await texts(house, game_id, PLAYERS) == []
    assert house.heard.chat == []


@pytest.mark.parametrize("text", ["x" * 140, "🧑‍🚀 ♞", "שלום", "<b>&amp;"])
async def test_any_other_text_is_kept_as_it_is(house: People, text: str) -> None:
    game_id = await game(house)
    assert (await post(house, game_id, "ann", PLAYERS, text)).line.text == text
    assert await texts(house, game_id, PLAYERS) == [text]


async def test_a_wrong_game_player_or_room_is_named(house: People) -> None:
    game_id = await game(house)
    wrong = [
        ("unknown1", "ann", WATCHERS, "not_found", "game_id"),
        ("nul\0", "ann", WATCHERS, "not_found", "game_id"),
        (game_id, "nobody1", WATCHERS, "not_found", "player_id"),
        (game_id, "", WATCHERS, "not_found", "player_id"),
        (game_id, "ann", events.CHAT_ROOM_UNSPECIFIED, "malformed", "room"),
    ]
    for game_asked, player, room, code, at in wrong:
        refusal = (await post(house, game_asked, player, room, "hello")).refusal
        assert (refusal.code, refusal.at) == (code, at)
    assert await texts(house, "nul\0", PLAYERS) == []
    assert await texts(house, game_id, events.CHAT_ROOM_UNSPECIFIED) == []


async def test_a_room_keeps_its_newest_lines_only(database_url: str) -> None:
    async with people(database_url, chat_lines_max=5) as house:
        game_id = await game(house)
        for number in range(8):
            await post(house, game_id, "ann", PLAYERS, f"line {number}")
        await post(house, game_id, "ann", WATCHERS, "elsewhere")
        assert await texts(house, game_id, PLAYERS) == [f"line {number}" for number in range(3, 8)]
        assert await texts(house, game_id, WATCHERS) == ["elsewhere"]
        await asyncio.gather(*(post(house, game_id, "bob", PLAYERS, f"at once {number}") for number in range(20)))
        assert len(await texts(house, game_id, PLAYERS)) == 5


async def test_without_redis_a_line_is_kept_all_the_same(house: People, caplog: pytest.LogCaptureFixture) -> None:
    game_id = await game(house)
    house.heard.redis_away = True
    assert (await post(house, game_id, "ann", PLAYERS, "still here")).HasField("line")
    assert await texts(house, game_id, PLAYERS) == ["still here"]
    assert "not published" in caplog.text


async def _two_games(house: People) -> list[str]:
    games = [await game(house)]
    challenge = await house.challenge("ann", "bob")
    await house.accept(challenge.id, "bob")
    return [*games, challenge.id]


async def _said_at_once(house: People, who: str, places: list[tuple[str, events.ChatRoom]]) -> list[bool]:
    answers = await asyncio.gather(*(post(house, id, who, room, f"line {n}") for n, (id, room) in enumerate(places)))
    refused = {answer.refusal.code for answer in answers if not answer.HasField("line")}
    assert refused <= {"limit_reached"}
    return [answer.HasField("line") for answer in answers]


async def test_a_player_is_bounded_in_each_room_of_the_own_games_also_at_once(database_url: str) -> None:
    async with people(database_url, chat_lines_at_once=4, chat_span_ms=10_000) as house:
        rooms = [(game_id, room) for game_id in await _two_games(house) for room in (PLAYERS, WATCHERS)]
        assert await _said_at_once(house, "ann", rooms) == [True] * 4
        assert sum(await _said_at_once(house, "ann", rooms * 5)) == 3 * 4
        assert len(house.heard.chat) == 16
        assert (await post(house, rooms[0][0], "bob", PLAYERS, "I have said nothing yet")).HasField("line")
        house.clock.ms += 10_000
        assert (await post(house, rooms[0][0], "ann", PLAYERS, "after a while")).HasField("line")


async def test_a_spectator_is_bounded_over_all_games_together(database_url: str) -> None:
    async with people(database_url, chat_lines_at_once=4, chat_span_ms=10_000) as house:
        games = await _two_games(house)
        await house.account("eve")
        assert sum(await _said_at_once(house, "eve", [(game_id, WATCHERS) for game_id in games] * 5)) == 4


@pytest.mark.parametrize(
    ("rooms", "open_rooms"), [("", []), ("player", [PLAYERS]), (" spectator , player", [PLAYERS, WATCHERS])]
)
async def test_rooms_are_closed_by_a_setting(database_url: str, rooms: str, open_rooms: list[events.ChatRoom]) -> None:
    async with people(database_url) as house:
        game_id = await game(house)
        for room in (PLAYERS, WATCHERS):
            await post(house, game_id, "ann", room, "before")
        settings = house.settings.model_copy(update={"chat_rooms": rooms})
        house.servicers["ChatService"]._chat = Chat(house.engine, house.heard, settings)
        for room in (PLAYERS, WATCHERS):
            answer = await post(house, game_id, "ann", room, "hello")
            if room in open_rooms:
                assert answer.HasField("line")
                assert await texts(house, game_id, room) == ["before", "hello"]
            else:
                assert (answer.refusal.code, answer.refusal.at) == ("not_allowed", "room")
                assert await texts(house, game_id, room) == []


def test_a_room_that_there_is_not_fails_the_start() -> None:
    with pytest.raises(ValueError, match="'players'"):
        GameSettings(chat_rooms="players,spectator")
