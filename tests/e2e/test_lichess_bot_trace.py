"""What the bridge `lichess-bot` was seen to call while it plays, call by call, with its own time limits.

The bridge is not a package; this repeats its requests: bodies as forms, streams that give up after 15 s without a byte,
everything else after 2 s. What it raises on (a KeyError, a line that is no JSON) fails here, too.
"""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import chess
import chess.variant
import httpx
import orjson
import pytest

from tests.conftest import MakeFlagfall
from tests.stack.running import RunningFlagfall

A = TypeVar("A", bound="Account")

CALL = httpx.Timeout(2)
STREAM = httpx.Timeout(2, read=15)
WITHIN_S = 60.0

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
"""The start position for the third time."""


class Account:
    """Somebody who calls the API as the bridge does."""

    def __init__(self, flagfall: RunningFlagfall, name: str) -> None:
        made = httpx.post(
            f"{flagfall.address}/api/flagfall/accounts", json={"username": name, "password": "correct horse"}
        )
        assert made.status_code == 201, made.text
        self.name, self.token = name, str(made.json()["token"])
        self.client = httpx.Client(
            base_url=flagfall.address, timeout=CALL, headers={"Authorization": f"Bearer {self.token}"}
        )

    def get(self, path: str, **params: Any) -> Any:
        answer = self.client.get(path, params=params)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, **options: Any) -> Any:
        answer = self.client.post(path, **options)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    @contextmanager
    def lines(self, path: str) -> Iterator[Iterator[str]]:
        """A stream's lines; empty ones are the bridge's clock."""
        with self.client.stream("GET", path, timeout=STREAM) as stream:
            assert stream.status_code == 200, stream.read()
            yield stream.iter_lines()


@dataclass(slots=True)
class Played:
    """What the bot saw of one game."""

    full: dict[str, Any]
    states: list[dict[str, Any]] = field(default_factory=list)
    pgn: str = ""


class Bot(Account):
    """The bridge with one game at a time, and moves that were written down before."""

    def start(self) -> None:
        """Make the account a bot's, then do what the bridge does before it listens."""
        self.post("/api/bot/account/upgrade")
        tested = self.client.post("/api/token/test", content=self.token.encode()).json()[self.token]
        assert "bot:play" in tested["scopes"].split(",")
        profile = self.get("/api/account")
        assert (profile["username"], profile["title"]) == (self.name, "BOT")
        self.client.headers["User-Agent"] = f"lichess-bot/2026 user:{profile['username']}"
        assert self.get("/api/account/playing")["nowPlaying"] == []
        assert self.get("/api/users/status", ids=profile["id"])[0]["online"] is True

    def serve(self, games: list[list[str]], ready: threading.Event) -> list[Played]:
        """Accept and play so many games, one after the other, from one event stream."""
        waiting = iter(games)
        played: list[Played] = []
        with self.lines("/api/stream/event") as events:
            ready.set()
            for text in events:
                if not text:
                    continue
                event = orjson.loads(text)
                if event["type"] == "challenge":
                    self._answer(event["challenge"])
                elif event["type"] == "gameStart":
                    played.append(self.play(event["game"]["gameId"], next(waiting)))
                    if len(played) == len(games):
                        return played
        raise AssertionError("the event stream has ended")

    def _answer(self, challenge: dict[str, Any]) -> None:
        """Read what decides whether the bridge accepts."""
        assert challenge["variant"]["key"] == "standard"
        assert {"rated", "speed", "perf", "color", "finalColor", "id"} <= challenge.keys()
        assert challenge["challenger"]["name"] != self.name
        control = challenge["timeControl"]
        assert (control["limit"], control["increment"]) == (180, 1)
        self.get("/api/account/playing")
        self.post(f"/api/challenge/{challenge['id']}/accept")

    def play(self, game_id: str, moves: list[str]) -> Played:
        """Follow a game to the end of its stream; the stream's end is what frees the bridge for the next."""
        with self.lines(f"/api/bot/game/stream/{game_id}") as lines:
            played = Played(orjson.loads(next(lines)))  # an empty first line would not be JSON
            full = played.full
            assert chess.variant.find_variant(full["variant"]["name"]) is chess.Board
            mine = chess.WHITE if full["white"]["name"].lower() == self.name.lower() else chess.BLACK
            assert full["initialFen"] == "startpos"
            assert {"createdAt", "speed", "rated", "perf", "clock", "black"} <= full.keys()
            self._greet(game_id, "Hi!")
            updates = (orjson.loads(text) for text in lines if text)
            for update in itertools.chain([full["state"]], updates):
                if update["type"] != "gameState":
                    assert update["type"] == "chatLine"
                    assert update["text"][0]
                    continue
                if played.states and played.states[-1]["moves"] == update["moves"] and update["status"] == "started":
                    continue
                played.states.append(update)
                board = chess.Board()
                for uci in update["moves"].split():
                    board.push_uci(uci)
                assert {"wtime", "btime", "winc", "binc"} <= update.keys()
                if update["status"] == "started" and board.turn == mine and board.ply() < len(moves):
                    self.post(f"/api/bot/game/{game_id}/move/{moves[board.ply()]}", params={"offeringDraw": "false"})
        self._greet(game_id, "Good game!")
        played.pgn = self.client.get(f"/game/export/{game_id}").text
        return played

    def _greet(self, game_id: str, text: str) -> None:
        for room in ("player", "spectator"):
            self.post(f"/api/bot/game/{game_id}/chat", data={"room": room, "text": text})


class Person(Account):
    """Somebody at a board who challenges the bot."""

    def challenge(self, bot: str, **terms: Any) -> str:
        fields = {"rated": False, "clock.limit": 180, "clock.increment": 1, "color": "white", "days": None, **terms}
        return str(self.post(f"/api/challenge/{bot}", json=fields)["id"])

    def play(self, game_id: str, moves: list[str]) -> str:
        """Play White's half of these moves, then resign if nothing has ended the game; the last status."""
        status = "started"
        with self.lines(f"/api/board/game/stream/{game_id}") as lines:
            for update in (orjson.loads(text) for text in lines if text):
                state = update["state"] if update["type"] == "gameFull" else update
                if state["type"] != "gameState":
                    continue
                status, done = state["status"], state["moves"].split()
                if status == "started" and len(done) % 2 == 0:
                    if len(done) < len(moves):
                        self.post(f"/api/board/game/{game_id}/move/{moves[len(done)]}")
                    else:
                        self.post(f"/api/board/game/{game_id}/resign")
        return status


class Makes(Protocol):
    """Makes accounts that are closed at the end of the test."""

    def __call__(self, kind: type[A], flagfall: RunningFlagfall, name: str) -> A:
        """A new account."""


@pytest.fixture
def make() -> Iterator[Makes]:
    """See Makes."""
    made: list[Account] = []

    def new(kind: type[A], flagfall: RunningFlagfall, name: str) -> A:
        account = kind(flagfall, name)
        made.append(account)
        return account

    yield new
    for account in made:
        account.client.close()


@contextmanager
def serving(bot: Bot, games: list[list[str]]) -> Iterator[list[Played]]:
    """The bot at work in a thread; after the body, what it saw."""
    seen: list[Played] = []
    ready = threading.Event()
    thread = threading.Thread(target=lambda: seen.extend(bot.serve(games, ready)), daemon=True)
    thread.start()
    assert ready.wait(WITHIN_S)
    yield seen
    thread.join(WITHIN_S)
    assert not thread.is_alive(), "the bot still waits for a game's stream to end"


def wait_until_playing(person: Person, game_id: str) -> None:
    """Return once the challenge has become a game."""
    with person.lines("/api/stream/event") as events:
        for event in (orjson.loads(text) for text in events if text):
            if event["type"] == "gameStart" and event["game"]["gameId"] == game_id:
                return


def test_three_games_in_a_row_one_at_a_time(make: Makes, flagfall: RunningFlagfall) -> None:
    bot, anna = make(Bot, flagfall, "trace-bot"), make(Person, flagfall, "trace-anna")
    bot.start()
    # Each ends in another way: by a move of the bot's, by a repetition that nobody claims (case G08), by resignation.
    games = [(FOOLS_MATE, {}), (SHUFFLE, {"ruleSet": "automatic"}), (["e2e4", "c7c5"], {})]
    with serving(bot, [moves for moves, _ in games]) as seen:
        ends = []
        for moves, terms in games:
            game_id = anna.challenge(bot.name, **terms)
            wait_until_playing(anna, game_id)
            ends.append(anna.play(game_id, moves))
            late = anna.client.post(f"/api/board/game/{game_id}/move/a2a3")
            assert (late.status_code, late.json()["code"]) == (400, "game_over")
    assert ends == ["mate", "draw", "resign"]
    lasts = [played.states[-1] for played in seen]
    # The line that the bot sees last tells the end: it never starts to think in a game that is over.
    assert [last["status"] for last in lasts] == ["mate", "draw", "resign"]
    assert [last.get("winner") for last in lasts] == ["black", None, "black"]
    assert [last["moves"] for last in lasts] == [" ".join(moves) for moves, _ in games]
    assert all(played.pgn.rstrip().endswith(("0-1", "1/2-1/2")) for played in seen)
    assert bot.get("/api/account/playing")["nowPlaying"] == []


def test_a_lost_stream_goes_on_with_all_moves(make: Makes, flagfall: RunningFlagfall) -> None:
    bot, anna = make(Bot, flagfall, "lost-bot"), make(Person, flagfall, "lost-anna")
    bot.start()
    game_id = anna.challenge(bot.name)
    bot.post(f"/api/challenge/{game_id}/accept")
    with bot.lines(f"/api/bot/game/stream/{game_id}") as lines:
        assert orjson.loads(next(lines))["state"]["moves"] == ""
        anna.post(f"/api/board/game/{game_id}/move/f2f3")
        assert orjson.loads(next(filter(None, lines)))["moves"] == "f2f3"
    # The connection is gone. What happens meanwhile is told when the stream opens again.
    bot.post(f"/api/bot/game/{game_id}/move/e7e5")
    anna.post(f"/api/board/game/{game_id}/move/g2g4")
    with bot.lines(f"/api/bot/game/stream/{game_id}") as lines:
        full = orjson.loads(next(lines))
        assert (full["type"], full["state"]["moves"]) == ("gameFull", "f2f3 e7e5 g2g4")
        bot.post(f"/api/bot/game/{game_id}/move/d8h4")
        last = orjson.loads(next(filter(None, lines)))
        assert (last["status"], last["winner"]) == ("mate", "black")
        assert list(lines) == [], "the stream ends with the game"


def test_a_draw_is_claimed_where_it_is_due_and_offered_nowhere_else(make: Makes, flagfall: RunningFlagfall) -> None:
    bot, anna = make(Bot, flagfall, "claim-bot"), make(Person, flagfall, "claim-anna")
    bot.start()
    game_id = anna.challenge(bot.name)
    bot.post(f"/api/challenge/{game_id}/accept")
    claim = f"game/{game_id}/claim-draw"
    for ply, move in enumerate(SHUFFLE):
        early = anna.client.post(f"/api/board/{claim}")
        assert (early.status_code, early.json()["code"]) == (400, "not_allowed")
        mover, api = ((anna, "board"), (bot, "bot"))[ply % 2]
        mover.post(f"/api/{api}/game/{game_id}/move/{move}")
    with anna.lines(f"/api/board/game/stream/{game_id}") as lines:
        state = orjson.loads(next(lines))["state"]
        assert (state["status"], "wdraw" in state) == ("started", False)
        # The position is there for the third time, and Anna is to move.
        anna.post(f"/api/board/{claim}")
        last = orjson.loads(next(filter(None, lines)))
        assert (last["status"], "winner" in last) == ("draw", False)
        assert list(lines) == []
    late = bot.client.post(f"/api/bot/{claim}")
    assert (late.status_code, late.json()["code"]) == (400, "game_over")


@pytest.mark.parametrize("path", ["/api/stream/event", "/api/bot/game/stream/{game_id}"])
def test_a_second_stream_ends_the_first(make: Makes, flagfall: RunningFlagfall, path: str) -> None:
    kind = "event" if path.endswith("event") else "game"
    bot, anna = make(Bot, flagfall, f"second-bot-{kind}"), make(Person, flagfall, f"second-anna-{kind}")
    bot.start()
    game_id = anna.challenge(bot.name)
    bot.post(f"/api/challenge/{game_id}/accept")
    path = path.format(game_id=game_id)
    with bot.lines(path) as first:
        assert next(first), "the first line is never empty"
        with bot.lines(path) as second:
            assert next(second)
            # It ends at once: no keep-alive comes any more.
            assert list(first) == []
            bot.post(f"/api/bot/game/{game_id}/resign")
            told = orjson.loads(next(filter(None, second)))
            assert told["type"] == ("gameFinish" if kind == "event" else "gameState")


def next_state(lines: Iterator[str]) -> dict[str, Any]:
    """The next `gameState` of a stream. Lines about an absent opponent can come before it."""
    return next(line for line in map(orjson.loads, filter(None, lines)) if line["type"] == "gameState")


def test_a_game_outlives_its_servers_and_a_legal_move_is_never_refused_because_of_load(
    make: Makes, make_flagfall: MakeFlagfall
) -> None:
    """Case G13: 503 while the game service is away, within the bridge's 2 s, and the same request works after."""
    flagfall = make_flagfall({"FLAGFALL_CHALLENGES_PER_MINUTE": "2"})
    bot, anna = make(Bot, flagfall, "busy-bot"), make(Person, flagfall, "busy-anna")
    bot.start()
    game_id = anna.challenge(bot.name)
    bot.post(f"/api/challenge/{game_id}/accept")
    with anna.lines(f"/api/board/game/stream/{game_id}") as lines:
        assert orjson.loads(next(lines))["type"] == "gameFull"
        flagfall.down("game")
        away = anna.client.post(f"/api/board/game/{game_id}/move/e2e4")
        assert (away.status_code, away.json()["code"]) == (503, "unavailable")
        assert int(away.headers["Retry-After"]) >= 1
        flagfall.up("game")
        anna.post(f"/api/board/game/{game_id}/move/e2e4")
        assert next_state(lines)["moves"] == "e2e4", "the stream has lived on"
    # The gateway dies and comes back: the stream's reader opens it again and has everything.
    before = flagfall.pid("gateway")
    flagfall.kill("gateway")
    flagfall.wait_ready("gateway", other_than=before)
    with bot.lines(f"/api/bot/game/stream/{game_id}") as lines:
        assert orjson.loads(next(lines))["state"]["moves"] == "e2e4"
        bot.post(f"/api/bot/game/{game_id}/move/e7e5")
        assert next_state(lines)["moves"] == "e2e4 e7e5"
    # What may be limited says how long to wait.
    answers = [anna.client.post(f"/api/challenge/{bot.name}", json={"days": 1}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert answers[-1].json()["error"]


def test_a_challenge_holds_while_its_maker_listens(make: Makes, flagfall: RunningFlagfall) -> None:
    bot, anna = make(Bot, flagfall, "held-bot"), make(Person, flagfall, "held-anna")
    path = f"/api/challenge/{bot.name}"
    fields = {"rated": "False", "clock.limit": 60, "clock.increment": 0, "keepAliveStream": "True"}
    with anna.client.stream("POST", path, data=fields, timeout=STREAM) as stream:
        lines = stream.iter_lines()
        accepted = orjson.loads(next(lines))
        bot.post(f"/api/challenge/{accepted['id']}/accept")
        assert [orjson.loads(text) for text in lines if text] == [{"done": "accepted"}]
    with bot.lines("/api/stream/event") as events:
        told = (orjson.loads(text) for text in events if text)
        with anna.client.stream("POST", path, data=fields, timeout=STREAM) as stream:
            left = orjson.loads(next(stream.iter_lines()))
            asked = next(event for event in told if event["type"] == "challenge")
            assert asked["challenge"]["id"] == left["id"]
        # Nobody listens any more: it is taken back, and the bot frees the place.
        canceled = next(event for event in told if event["type"] == "challengeCanceled")
        assert canceled["challenge"]["id"] == left["id"]
    assert bot.client.post(f"/api/challenge/{left['id']}/accept").status_code == 404


def test_errors_are_json_on_streams_too(make: Makes, flagfall: RunningFlagfall) -> None:
    bot, anna = make(Bot, flagfall, "error-bot"), make(Person, flagfall, "error-anna")
    game_id = anna.challenge(bot.name)
    bot.post(f"/api/challenge/{game_id}/accept")
    other = make(Account, flagfall, "error-other")
    scoped = other.post("/api/flagfall/tokens", json={"scopes": "board:play", "description": "board only"})["token"]
    stream = f"/api/bot/game/stream/{game_id}"
    cases = {
        (stream, other.token): 404,
        (stream, "no-such-token"): 401,
        (stream, None): 401,
        (stream, scoped): 403,
        ("/api/bot/game/stream/nogame00", other.token): 404,
        ("/api/stream/event", "no_such_token"): 401,
        ("/api/board/game/stream/" + "x" * 300, other.token): 404,
    }
    for (path, token), status in cases.items():
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.get(f"{flagfall.address}{path}", headers=headers, timeout=CALL)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), path
        assert answer.json()["error"]
