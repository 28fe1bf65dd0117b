"""An unmodified berserk plays whole games here, as it would at the server that it was written for."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import berserk
import chess
import httpx
import pytest
from berserk.exceptions import ResponseError

from tests.stack.running import RunningFlagfall

WITHIN_S = 60.0
SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


@dataclass(slots=True)
class Person:
    """An account with its client."""

    id: str
    token: str
    client: Any


@contextmanager
def people(flagfall: RunningFlagfall, *names: str) -> Iterator[list[Person]]:
    """New accounts, each with a berserk client of its own."""
    made = []
    for name in names:
        answer = httpx.post(
            f"{flagfall.address}/api/flagfall/accounts", json={"username": name, "password": "correct horse"}
        )
        assert answer.status_code == 201, answer.text
        token = answer.json()["token"]
        session = berserk.TokenSession(token)
        made.append(Person(answer.json()["id"], token, berserk.Client(session, base_url=flagfall.address)))
    yield made
    for person in made:
        person.client.account._r.session.close()


def wait_for(stream: Iterator[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The next event of a type."""
    return next(event for event in stream if event["type"] == kind)


def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition."""
    deadline_s = time.monotonic() + WITHIN_S
    while not holds():
        assert time.monotonic() < deadline_s
        time.sleep(0.02)


def follow(person: Person, game_id: str, turn: Callable[[list[str]], None]) -> list[dict[str, Any]]:
    """Read a game's stream to its end, calling `turn` with the moves whenever they have changed; all lines."""
    lines: list[dict[str, Any]] = []
    seen = -1
    with closing(person.client.board.stream_game_state(game_id)) as stream:
        for entry in stream:
            lines.append(entry)
            state = entry["state"] if entry["type"] == "gameFull" else entry
            if entry["type"] == "chatLine" or state["status"] != "started":
                continue
            moves = state["moves"].split()
            if len(moves) > seen:
                seen = len(moves)
                turn(moves)
    return lines


def script(person: Person, game_id: str, moves: list[str], first: int) -> Callable[[list[str]], None]:
    """Play every other of these moves when it is their turn."""

    def turn(played: list[str]) -> None:
        if len(played) % 2 == first and len(played) < len(moves):
            person.client.board.make_move(game_id, moves[len(played)])

    return turn


def begin(white: Person, black: Person, **terms: Any) -> str:
    """A game that both have agreed on."""
    made = white.client.challenges.create(black.id, rated=False, color="white", **terms)
    black.client.challenges.accept(made["id"])
    return str(made["id"])


def test_two_people_play_to_mate(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-anna", "bk-bob") as (anna, bob), ThreadPoolExecutor() as pool:
        assert anna.client.account.get()["username"] == "bk-anna"
        assert anna.client.games.get_ongoing() == []
        with (
            closing(anna.client.board.stream_incoming_events()) as annas,
            closing(bob.client.board.stream_incoming_events()) as bobs,
        ):
            made = anna.client.challenges.create(
                "BK-Bob", rated=False, clock_limit=300, clock_increment=2, color="white"
            )
            game_id = made["id"]
            assert (made["status"], made["speed"], made["timeControl"]["show"]) == ("created", "blitz", "5+2")
            asked = wait_for(bobs, "challenge")["challenge"]
            assert (asked["id"], asked["direction"], asked["challenger"]["name"]) == (game_id, "in", "bk-anna")
            assert wait_for(annas, "challenge")["challenge"]["direction"] == "out"

            bob.client.challenges.accept(game_id)
            starts = [wait_for(annas, "gameStart")["game"], wait_for(bobs, "gameStart")["game"]]
            assert [(game["gameId"], game["color"], game["isMyTurn"]) for game in starts] == [
                (game_id, "white", True),
                (game_id, "black", False),
            ]
            assert starts[0]["opponent"]["username"] == "bk-bob"

            games = [
                pool.submit(follow, person, game_id, script(person, game_id, SCHOLARS_MATE, first))
                for first, person in enumerate((anna, bob))
            ]
            for lines in (game.result(WITHIN_S) for game in games):
                full, last = lines[0], lines[-1]
                assert (full["type"], full["initialFen"], full["white"]["name"]) == ("gameFull", "startpos", "bk-anna")
                assert full["clock"] == {"initial": 300_000, "increment": 2_000}
                assert last["moves"].split() == SCHOLARS_MATE
                assert (last["status"], last["winner"]) == ("mate", "white")
                # The first move of White costs nothing and earns the increment.
                assert timedelta() < last["wtime"] <= timedelta(seconds=300 + 2 * 4)
            finish = wait_for(bobs, "gameFinish")["game"]
            assert (finish["id"], finish["status"], finish["winner"]) == (game_id, {"id": 30, "name": "mate"}, "white")

        exported = anna.client.games.export(game_id)
        assert (exported["status"], exported["moves"]) == ("mate", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#")
        written = anna.client.games.export(game_id, as_pgn=True)
        assert '[Termination "Normal"]' in written
        assert "4. Qxf7# { [%clk " in written
        assert anna.client.games.get_ongoing() == []


def test_a_draw_is_offered_and_agreed_and_states_repeat_without_a_move(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-cleo", "bk-dan") as (cleo, dan), ThreadPoolExecutor() as pool:
        game_id = begin(cleo, dan, clock_limit=600, clock_increment=0)
        following = [pool.submit(follow, person, game_id, lambda moves: None) for person in (cleo, dan)]
        cleo.client.board.make_move(game_id, "d2d4")
        with pytest.raises(berserk.exceptions.ResponseError, match="after both sides have moved"):
            cleo.client.board.offer_draw(game_id)
        dan.client.board.make_move(game_id, "d7d5")
        cleo.client.board.offer_draw(game_id)
        dan.client.board.decline_draw(game_id)
        dan.client.board.post_message(game_id, "now?")
        dan.client.board.offer_draw(game_id)
        cleo.client.board.accept_draw(game_id)
        lines = following[0].result(WITHIN_S)
        assert (lines[-1]["status"], "winner" in lines[-1]) == ("draw", False)
        assert lines[-1]["moves"] == "d2d4 d7d5"
        assert [entry for entry in lines if entry["type"] == "chatLine"] == [
            {"type": "chatLine", "room": "player", "username": "bk-dan", "text": "now?"}
        ]
        assert following[1].result(WITHIN_S)[-1]["status"] == "draw"
        assert cleo.client.board.get_game_chat(game_id) == [{"text": "now?", "user": "bk-dan"}]


def play_computer(eve: Person, own: Callable[[chess.Board], str | None], **terms: Any) -> list[dict[str, Any]]:
    """A whole game as White; `own` says each move, or None to resign. All lines of its stream."""

    def turn(played: list[str]) -> None:
        board = chess.Board(terms.get("position", chess.STARTING_FEN))
        for uci in played:
            board.push_uci(uci)
        if board.turn == chess.WHITE and not board.is_game_over():
            move = own(board)
            if move is None:
                eve.client.board.resign_game(game_id)
            else:
                eve.client.board.make_move(game_id, move)

    with closing(eve.client.board.stream_incoming_events()) as events:
        made = eve.client.challenges.create_ai(clock_limit=600, clock_increment=5, color="white", **terms)
        game_id = str(made["id"])
        assert (made["source"], made["player"], made["status"]["name"]) == ("ai", "white", "started")
        assert wait_for(events, "gameStart")["game"]["opponent"]["ai"] == terms["level"]
        lines = follow(eve, game_id, turn)
        finish = wait_for(events, "gameFinish")["game"]
        assert (finish["id"], finish["status"]["name"]) == (game_id, lines[-1]["status"])
    assert lines[0]["black"]["aiLevel"] == terms["level"]
    assert eve.client.games.export(game_id)["players"]["black"] == {"aiLevel": terms["level"]}
    return lines


def test_the_computer_answers_until_one_resigns(flagfall: RunningFlagfall) -> None:
    chance = random.Random(7)

    def own(board: chess.Board) -> str | None:
        return chance.choice([move.uci() for move in board.legal_moves]) if board.ply() < 8 else None

    with people(flagfall, "bk-eve") as (eve,):
        last = play_computer(eve, own, level=3)[-1]
        assert (last["status"], last["winner"]) in (("resign", "black"), ("mate", "black"))
        assert len(last["moves"].split()) == 8 or last["status"] == "mate"


def test_the_computer_is_mated_from_a_position(flagfall: RunningFlagfall) -> None:
    """Two rooks mate in three moves whatever Black does."""
    ladder = ["a2a6", "b1b7", "a6a8"]

    with people(flagfall, "bk-amy") as (amy,):
        position = "8/7k/8/8/8/8/R7/1R5K w - - 0 1"
        lines = play_computer(amy, lambda board: ladder[board.ply() // 2], level=1, position=position)
        assert (lines[0]["variant"]["key"], lines[0]["initialFen"]) == ("fromPosition", position)
        assert (lines[-1]["status"], lines[-1]["winner"]) == ("mate", "white")
        assert lines[-1]["moves"].split()[::2] == ladder


def test_a_refused_move_says_why_and_changes_nothing(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-fay", "bk-gus", "bk-hal") as (fay, gus, hal):
        game_id = begin(fay, gus)

        def refusal(person: Person, move: str, of: str = game_id) -> tuple[int, str]:
            with pytest.raises(ResponseError) as caught:
                person.client.board.make_move(of, move)
            return caught.value.status_code, caught.value.cause["error"]

        answers = {
            "illegal": refusal(fay, "e2e5"),
            "turn": refusal(gus, "e7e5"),
            "unreadable": refusal(fay, "castle-please"),
            "not_mine": refusal(hal, "e2e4"),
            "unknown": refusal(fay, "e2e4", of="nogame00"),
        }
        gus.client.board.resign_game(game_id)
        answers["over"] = refusal(fay, "e2e4")
        codes = {name: status for name, (status, _) in answers.items()}
        assert codes == {"illegal": 400, "turn": 400, "unreadable": 400, "not_mine": 404, "unknown": 404, "over": 400}
        texts = [text for name, (status, text) in answers.items() if status == 400]
        assert len(set(texts)) == len(texts), texts
        exported = fay.client.games.export(game_id)
        assert (exported["status"], exported["winner"], exported["moves"]) == ("resign", "white", "")


def test_an_invitation_is_declined_another_withdrawn(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-ida", "bk-jon") as (ida, jon):
        with closing(ida.client.board.stream_incoming_events()) as idas:
            declined = ida.client.challenges.create("bk-jon", rated=False, days=3)
            assert wait_for(idas, "challenge")["challenge"]["id"] == declined["id"], "the stream opens when it is read"
            assert [waiting["id"] for waiting in jon.client.challenges.get_mine()["in"]] == [declined["id"]]
            jon.client.challenges.decline(declined["id"], reason="tooSlow")
            answer = wait_for(idas, "challengeDeclined")["challenge"]
            assert (answer["id"], answer["status"], answer["declineReasonKey"]) == (
                declined["id"],
                "declined",
                "tooslow",
            )
            withdrawn = ida.client.challenges.create("bk-jon", rated=False)
            ida.client.challenges.cancel(withdrawn["id"])
            assert wait_for(idas, "challengeCanceled")["challenge"]["id"] == withdrawn["id"]
        with pytest.raises(ResponseError) as caught:
            jon.client.challenges.accept(withdrawn["id"])
        assert caught.value.status_code == 404


def test_canceling_after_it_was_accepted_aborts_the_game(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-kim", "bk-lea") as (kim, lea):
        game_id = begin(kim, lea, clock_limit=60, clock_increment=0)
        kim.client.challenges.cancel(game_id)
        lines = follow(lea, game_id, lambda moves: None)
        assert [entry["type"] for entry in lines] == ["gameFull"], "a game that is over is told whole, then it closes"
        assert lines[0]["state"]["status"] == "aborted"


def test_a_silent_stream_shows_life(flagfall: RunningFlagfall) -> None:
    """Clients reconnect after 15 s without a byte; the spec asks for a line every 7 s."""
    with people(flagfall, "bk-max", "bk-nat") as (max_, nat):
        game_id = begin(max_, nat, clock_limit=600, clock_increment=0)
        headers = {"Authorization": f"Bearer {max_.token}"}
        url = f"{flagfall.address}/api/board/game/stream/{game_id}"
        with httpx.stream("GET", url, headers=headers, timeout=8) as stream:
            assert stream.headers["content-type"] == "application/x-ndjson"
            started_s = time.monotonic()
            chunks = stream.iter_raw()
            assert next(chunks).startswith(b'{"type":"gameFull"'), "never an empty line first"
            assert next(chunks) == b"\n"
            assert time.monotonic() - started_s < 8


def test_two_who_look_for_the_same_game_are_paired(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-ora", "bk-pia", "bk-quin") as (ora, pia, quin), ThreadPoolExecutor() as pool:
        with closing(pia.client.board.stream_incoming_events()) as pias:
            other = pool.submit(quin.client.board.seek, 10, 5, rated=True, rating_range=[1900, 2500])
            terms: dict[str, Any] = {"rated": True, "variant": "kingOfTheHill"}
            first = pool.submit(ora.client.board.seek, 10, 5, color="white", rating_range=(1400, 1600), **terms)
            lobby = flagfall.address + "/api/flagfall/seeks"
            until(lambda: len(httpx.get(lobby).json()["seeks"]) == 2)
            assert not first.done(), "the stream stays open while nobody else has come"
            seconds = pia.client.board.seek(10, 5, color="black", **terms)
            assert seconds < WITHIN_S
            assert first.result(WITHIN_S) > 0, "the one who waited hears it by the end of the stream"
            game = wait_for(pias, "gameStart")["game"]
            assert (game["opponent"]["username"], game["color"], game["rated"]) == ("bk-ora", "black", True)
            assert (game["source"], game["variant"]["key"], game["speed"]) == ("lobby", "kingOfTheHill", "rapid")
        ora.client.board.make_move(game["id"], "e2e4")
        pia.client.board.make_move(game["id"], "e7e5")
        assert not other.done()
        (left,) = httpx.get(lobby).json()["seeks"]
        assert (left["player"]["id"], left["ratingRange"]) == ("bk-quin", "1900-2500")
        stopped = httpx.delete(f"{lobby}/{left['id']}", headers={"Authorization": f"Bearer {quin.token}"})
        assert stopped.status_code == 200, stopped.text
        assert other.result(WITHIN_S) > 0, "withdrawn elsewhere: the stream ends"
        assert httpx.get(lobby).json() == {"seeks": []}


def test_a_rematch_is_a_challenge_that_names_its_game(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bk-rob", "bk-sue") as (rob, sue):
        game_id = begin(rob, sue, clock_limit=300, clock_increment=0)
        rob.client.board.make_move(game_id, "e2e4")
        sue.client.board.make_move(game_id, "e7e5")
        with closing(sue.client.board.stream_incoming_events()) as sues:
            wait_for(sues, "gameStart")
            rob.client.board.resign_game(game_id)
            url = f"{flagfall.address}/api/flagfall/games/{game_id}/rematch"
            asked = httpx.post(url, headers={"Authorization": f"Bearer {rob.token}"}).json()
            assert (asked["game"], asked["challenge"]["rematchOf"]) == (None, game_id)
            told = wait_for(sues, "challenge")["challenge"]
            assert (told["rematchOf"], told["color"], told["timeControl"]["show"]) == (game_id, "black", "5+0")
            sue.client.challenges.accept(told["id"])
            game = wait_for(sues, "gameStart")["game"]
            assert (game["id"], game["color"]) == (told["id"], "white")
        again = httpx.post(url, headers={"Authorization": f"Bearer {sue.token}"}).json()
        assert again["game"]["id"] == told["id"]
        with closing(rob.client.board.stream_game_state(game_id)) as ended:
            full = next(iter(ended))
        assert (full["type"], full["state"]["status"], full["state"]["rematch"]) == ("gameFull", "resign", told["id"])
