"""An unmodified berserk takes moves back, gives time, and claims what a fallen flag is worth, on a whole stack."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import chess
import httpx
import pytest
from berserk.exceptions import ResponseError

from tests.e2e.test_berserk import Person, people
from tests.stack.running import RunningFlagfall

BY_CONSENT = {"ruleSet": "friendly", "ruleSet.takeback": "byConsent"}


def begin(flagfall: RunningFlagfall, white: Person, black: Person, **terms: Any) -> str:
    """A game by a rule set that berserk has no word for."""
    answer = httpx.post(
        f"{flagfall.address}/api/challenge/{black.id}",
        headers={"Authorization": f"Bearer {white.token}"},
        json={"rated": False, "color": "white", **terms},
    )
    assert answer.status_code == 200, answer.text
    game_id: str = answer.json()["id"]
    black.client.challenges.accept(game_id)
    return game_id


@contextmanager
def stream(person: Person, game_id: str) -> Iterator[Callable[..., dict[str, Any]]]:
    """The next state of the game, of a kind; the first is that of its `gameFull`."""
    with closing(person.client.board.stream_game_state(game_id)) as lines:

        def following(**wanted: Any) -> dict[str, Any]:
            for line in lines:
                state: dict[str, Any] = line["state"] if line["type"] == "gameFull" else line
                for side in ("wtime", "btime"):  # berserk makes spans of time of them, but for the first line's
                    if isinstance(state.get(side), timedelta):
                        state[side] = state[side] // timedelta(milliseconds=1)
                if all(state.get(name) == value for name, value in wanted.items()):
                    return state
            raise AssertionError(f"the stream has ended without {wanted}")

        yield following


def refusal(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(ResponseError) as caught:
        call(*arguments)
    assert caught.value.status_code == 400
    text: str = caught.value.cause["error"]
    return text


def own(flagfall: RunningFlagfall, person: Person, game_id: str, word: str, **fields: Any) -> dict[str, Any]:
    """The state after a command of Flagfall's own."""
    answer = httpx.post(
        f"{flagfall.address}/api/flagfall/games/{game_id}/{word}",
        headers={"Authorization": f"Bearer {person.token}"},
        data=fields,
    )
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()["state"]
    return state


@dataclass(frozen=True, slots=True)
class Falling:
    """Two games of 15 seconds in which Black's clock runs."""

    white: Person
    black: Person
    claimed: str
    gone_on: str


@pytest.fixture(scope="module")
def falling(flagfall: RunningFlagfall) -> Iterator[Falling]:
    """Begun before the other tests here, so that nobody waits for the flags alone."""
    with people(flagfall, "bl-una", "bl-vic") as (white, black):
        games = []
        for _ in range(2):
            game_id = begin(flagfall, white, black, ruleSet="friendly", **{"clock.limit": 15, "clock.increment": 0})
            for person, move in ((white, "e2e4"), (black, "e7e5"), (white, "g1f3")):
                person.client.board.make_move(game_id, move)
            games.append(game_id)
        yield Falling(white, black, *games)


@pytest.mark.usefixtures("falling")
def test_a_move_is_taken_back_by_consent(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bl-ann", "bl-ben") as (ann, ben):
        game_id = begin(flagfall, ann, ben, **BY_CONSENT, **{"clock.limit": 300, "clock.increment": 3})
        with stream(ann, game_id) as anns, stream(ben, game_id) as bens:
            assert "no move" in refusal(ann.client.board.offer_takeback, game_id)
            for person, move in ((ann, "e2e4"), (ben, "e7e5")):
                person.client.board.make_move(game_id, move)
            before = anns(moves="e2e4 e7e5")
            ann.client.board.make_move(game_id, "g1f3")
            ann.client.board.offer_takeback(game_id)
            assert bens(wtakeback=True)["moves"] == "e2e4 e7e5 g1f3"
            ben.client.board.decline_takeback(game_id)
            assert "wtakeback" not in anns(wtakeback=None, moves="e2e4 e7e5 g1f3")
            assert "ask again" in refusal(ann.client.board.offer_takeback, game_id)
            ben.client.board.make_move(game_id, "b8c6")
            ben.client.board.handle_takeback_offer(game_id, True)
            assert anns(btakeback=True)["moves"] == "e2e4 e7e5 g1f3 b8c6"
            ann.client.board.accept_takeback(game_id)
            assert bens(moves="e2e4 e7e5 g1f3", btakeback=None)["status"] == "started"
            ann.client.board.offer_takeback(game_id)
            ben.client.board.accept_takeback(game_id)
            after = anns(moves="e2e4 e7e5", wtakeback=None)
            # The clocks stand as they stood there; White's turn begins anew.
            assert after["btime"] == before["btime"]
            assert abs(before["wtime"] - after["wtime"]) < 1_000
            ann.client.board.make_move(game_id, "d2d4")
            assert bens(moves="e2e4 e7e5 d2d4")["status"] == "started"
            ann.client.board.resign_game(game_id)
        exported = ann.client.games.export(game_id)
        assert (exported["moves"], len(exported["clocks"])) == ("e4 e5 d4", 3)


@pytest.mark.usefixtures("falling")
def test_time_is_given_and_claims_without_a_cause_say_why(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bl-cid", "bl-dee") as (cid, dee):
        game_id = begin(flagfall, cid, dee, **{"clock.limit": 60, "clock.increment": 0})
        with stream(cid, game_id) as cids:
            assert cids()["wtime"] == 60_000
            dee.client.challenges.add_time_to_opponent_clock(game_id, 15)
            assert cids(wtime=75_000)["btime"] == 60_000
            for seconds in (4, 61):
                assert "5 to 60" in refusal(dee.client.challenges.add_time_to_opponent_clock, game_id, seconds)
            assert "cannot claim a win" in refusal(dee.client.board.claim_victory, game_id)
            assert "does not allow takebacks" in refusal(cid.client.board.offer_takeback, game_id)
            cid.client.board.abort_game(game_id)


@pytest.mark.usefixtures("falling")
def test_both_players_tokens_start_the_clocks(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bl-kim", "bl-lou") as (kim, lou):
        game_id = begin(flagfall, kim, lou, **{"clock.limit": 60, "clock.increment": 0})
        with stream(kim, game_id) as kims:
            assert kims()["wtime"] == 60_000
            with pytest.raises(ResponseError) as caught:
                kim.client.challenges.start_clocks(game_id, kim.token, kim.token)
            assert caught.value.status_code == 401
            kim.client.challenges.start_clocks(game_id, lou.token, kim.token)
            assert kims()["moves"] == ""
            kim.client.board.make_move(game_id, "e2e4")
            charged = kims(moves="e2e4")
            assert charged["wtime"] < 60_000  # the first move is charged now
            kim.client.challenges.start_clocks(game_id, kim.token, lou.token)  # without effect
            lou.client.board.abort_game(game_id)
        gone = httpx.delete(f"{flagfall.address}/api/token", headers={"Authorization": f"Bearer {lou.token}"})
        assert gone.status_code == 204
        with pytest.raises(ResponseError) as caught:
            lou.client.account.get()
        assert caught.value.status_code == 401


@pytest.mark.usefixtures("falling")
def test_the_computer_gives_hints_and_its_moves_are_undone_even_after_the_end(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bl-eli") as (eli,):
        made = eli.client.challenges.create_ai(level=1, clock_limit=600, clock_increment=5, color="white")
        game_id = str(made["id"])
        own(flagfall, eli, game_id, "level", level=2)
        with closing(eli.client.board.stream_game_state(game_id)) as lines:
            full = next(lines)
            assert (full["black"]["aiLevel"], full["state"]["moves"]) == (2, "")
            assert own(flagfall, eli, game_id, "hint")["helped"] is True
            hint = next(line for line in lines if line["type"] == "hint")
            assert (hint["ply"], chess.Move.from_uci(hint["uci"]) in chess.Board().legal_moves) == (0, True)
            assert chess.Board().parse_san(hint["san"]).uci() == hint["uci"]
            eli.client.board.make_move(game_id, "e2e4")
            answered = next(line["moves"] for line in lines if len(line.get("moves", "").split()) == 2)
            eli.client.board.offer_takeback(game_id)
            assert next(line["moves"] for line in lines if line["moves"] != answered) == ""
            eli.client.board.make_move(game_id, "d2d4")
            next(line for line in lines if len(line["moves"].split()) == 2)
            eli.client.board.resign_game(game_id)
            *_, last = lines
            assert (last["status"], last["winner"]) == ("resign", "black")
        eli.client.board.offer_takeback(game_id)
        with stream(eli, game_id) as again:
            state = again()
            assert (state["status"], state["moves"], "winner" in state) == ("started", "", False)
            eli.client.board.make_move(game_id, "c2c4")
            assert again(status="started")["moves"].startswith("c2c4")
        assert eli.client.games.get_ongoing()[0]["gameId"] == game_id


@pytest.mark.usefixtures("falling")
def test_a_time_for_each_turn_is_the_turns_alone(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "bl-fay", "bl-gil") as (fay, gil):
        game_id = begin(flagfall, fay, gil, perMove=30)
        with closing(gil.client.board.stream_game_state(game_id)) as lines:
            full = next(lines)
            assert (full["secondsPerTurn"], full["speed"], "clock" in full) == (30, "rapid", False)
        fay.client.board.make_move(game_id, "e2e4")
        with stream(gil, game_id) as states:
            state = states()
            assert (state["wtime"], 15_000 < state["btime"] <= 30_000, state["winc"]) == (30_000, True, 0)
        listed = gil.client.games.get_ongoing()[0]
        assert (listed["isMyTurn"], 15 <= listed["secondsLeft"] <= 30) == (True, True)
        whole = httpx.get(f"{flagfall.address}/api/flagfall/games/{game_id}").json()
        assert whole["info"]["timeControl"] == {"type": "perMove", "turn": 30_000}
        assert [move["clock"] for move in whole["moves"]] == [0], "what is left of a turn is lost"
        assert '[TimeControl "1/30"]' in fay.client.games.export(game_id, as_pgn=True)
        fay.client.board.abort_game(game_id)


def paused(person: Person, game_id: str) -> dict[str, Any]:
    """The state once the flag has fallen."""
    with stream(person, game_id) as states:
        while "paused" not in (state := states(status="started")):
            pass
    return state


def test_a_fallen_flag_is_claimed_or_the_game_goes_on(flagfall: RunningFlagfall, falling: Falling) -> None:
    white, black = falling.white, falling.black
    for game_id in (falling.claimed, falling.gone_on):
        state = paused(white, game_id)
        assert (state["status"], state["btime"]) == ("started", 0)
        told = state["paused"]
        assert (told["flagged"], told["winner"], told["goingOnOffered"]) == ("black", "white", False)
        assert "decides" in refusal(black.client.board.make_move, game_id, "b8c6")
        assert "decides" in refusal(black.client.board.claim_victory, game_id)

    white.client.board.claim_victory(falling.claimed)
    exported = white.client.games.export(falling.claimed)
    assert (exported["status"], exported["winner"]) == ("outoftime", "white")

    assert own(flagfall, white, falling.gone_on, "go-on")["paused"]["goingOnOffered"] is True
    assert own(flagfall, black, falling.gone_on, "go-on")["withoutClock"] is True
    black.client.board.make_move(falling.gone_on, "b8c6")
    with stream(white, falling.gone_on) as states:
        state = states(status="started")
        assert state["moves"] == "e2e4 e7e5 g1f3 b8c6"
        assert state["wtime"] == state["btime"] == 2_147_483_647, "there is no limit any more"
    white.client.board.resign_game(falling.gone_on)
