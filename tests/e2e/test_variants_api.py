"""The public API over the whole stack: every variant to an end of their own, rule sets, claims, and PGN out and in."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import orjson
import pytest
from websockets.sync.client import connect

from services.domain.variant import Variant
from tests.stack.running import RunningFlagfall

RESIGNED = ("resign", "white")
GAMES: dict[Variant, tuple[str, str, tuple[str, str | None]]] = {
    Variant.STANDARD: ("", "f2f3 e7e5 g2g4 d8h4", ("mate", "black")),
    Variant.CHESS960: ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", "e1d3 e8d6 d1c1", RESIGNED),
    Variant.THREE_CHECK: ("", "e2e4 e7e5 f1c4 b8c6 c4f7 e8f7 d1f3 g8f6 f3f6", ("variantEnd", "white")),
    Variant.KING_OF_THE_HILL: ("", "e2e4 a7a6 e1e2 a6a5 e2e3 a5a4 e3d4", ("variantEnd", "white")),
    Variant.CRAZYHOUSE: ("", "e2e4 d7d5 e4d5 d8d5 P@e4 d5e4 f1e2 P@d3", RESIGNED),
    Variant.ATOMIC: ("", "g1f3 a7a6 f3e5 a6a5 e5d7", ("variantEnd", "white")),
    Variant.ANTICHESS: ("8/8/8/8/8/1p6/8/R7 w - - 0 1", "a1a2 b3a2", ("variantEnd", "white")),
    Variant.HORDE: ("7k/8/8/8/8/8/R7/6R1 w - - 0 1", "a2h2", ("mate", "white")),
    Variant.RACING_KINGS: ("8/6K1/8/8/8/8/k7/8 w - - 0 1", "g7g8", ("variantEnd", "white")),
    Variant.SHATRANJ: ("7k/r7/8/8/8/8/8/R3K1N1 w - - 0 1", "a1a7", ("variantEnd", "white")),
    Variant.CHATURANGA: ("", "c1e3 f7f6 g1f3", RESIGNED),
}
"""Where a game begins (empty: its own array), what is played, and how it ends: by a move, or since Black resigns."""


class Person:
    """A guest at the API."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        token = client.post("/api/flagfall/guests").json()["token"]
        client.cookies.clear()
        self.headers = {"Authorization": f"Bearer {token}"}

    def post(self, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
        answer = self._client.post(path, json=body, headers=self.headers)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def resign(self, game_id: str) -> str:
        """Resign; as what the game then has ended."""
        self.post(f"/api/board/game/{game_id}/resign")
        return str(self.full(game_id)["state"]["status"])

    def full(self, game_id: str) -> dict[str, Any]:
        """The first line of a game's stream."""
        with self._client.stream("GET", f"/api/board/game/stream/{game_id}", headers=self.headers) as answer:
            found: dict[str, Any] = orjson.loads(next(answer.iter_lines()))
        return found


@pytest.fixture(scope="module")
def client(flagfall: RunningFlagfall) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=flagfall.address, timeout=15) as client:
        yield client


@pytest.fixture(scope="module")
def people(client: httpx.Client) -> tuple[Person, Person]:
    return Person(client), Person(client)


def begin(people: tuple[Person, Person], **terms: Any) -> str:
    """A game between White and Black."""
    white, black = people
    link = white.post("/api/challenge/open", color="white", **terms)
    black.post(f"/api/challenge/{link['id']}/accept")
    game_id: str = link["id"]
    return game_id


def play(people: tuple[Person, Person], game_id: str, moves: str) -> None:
    for ply, move in enumerate(moves.split()):
        people[ply % 2].post(f"/api/board/game/{game_id}/move/{move}")


def pgn_of(client: httpx.Client, game_id: str) -> str:
    return client.get(f"/game/export/{game_id}").text


def told(pgn: str) -> tuple[dict[str, str], str]:
    """The tags that are the game's own, and its moves."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.MULTILINE))
    kept = {name: tags.get(name, "") for name in ("White", "Black", "Result", "Variant", "FEN", "Date", "UTCTime")}
    return kept, pgn.partition("\n\n")[2]


@pytest.mark.parametrize("variant", GAMES)
def test_a_variant_is_played_told_and_kept(
    client: httpx.Client, people: tuple[Person, Person], variant: Variant
) -> None:
    fen, moves, end = GAMES[variant]
    game_id = begin(people, variant=variant, **({"fen": fen} if fen else {}))
    first = people[0].full(game_id)
    own_array = variant.own_array
    assert first["variant"]["key"] == variant
    assert (first["initialFen"] == "startpos") == (not own_array)
    play(people, game_id, moves)
    if end is RESIGNED:
        people[1].resign(game_id)
    last = people[0].full(game_id)["state"]
    assert (last["status"], last.get("winner"), last["moves"]) == (*end, moves)
    # The same again as an import of what goes out, letter by letter; the reason of a resignation is in no PGN.
    pgn = pgn_of(client, game_id)
    kept = client.post("/api/import", content=pgn.encode(), headers={"Content-Type": "application/x-chess-pgn"})
    assert kept.status_code == 200, kept.text
    again = pgn_of(client, kept.json()["id"])
    assert again == pgn
    seen = client.get(f"/api/flagfall/games/{kept.json()['id']}").json()
    assert [move["uci"] for move in seen["moves"]] == moves.split()
    assert (seen["info"]["source"], seen["state"]["status"], seen["you"]) == ("import", "ended", None)
    assert seen["state"]["winner"] == end[1]


MAROCZY = """[Event "Tournament of \\"Peace\\""]
[Site "Königsberg"]
[Date "1905.??.??"]
[Round "3.2"]
[White "Maróczy, Géza"]
[Black "NN"]
[Result "1-0"]
[WhiteElo "2620"]
[ECO "C20"]
[Annotator "Müller"]
[EventDate "1905.07.01"]

1. e4 { the best } e5 (1... c5) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""
NO_DATE = '[Round "1"]\n[TimeControl "40/7200:3600"]\n[Termination "adjudication"]\n\n1. e4 e5 1/2-1/2\n'


def test_an_import_goes_out_with_its_own_tags_and_nothing_is_added(client: httpx.Client) -> None:
    def kept(pgn: str) -> str:
        sent = client.post("/api/import", content=pgn.encode(), headers={"Content-Type": "application/x-chess-pgn"})
        assert sent.status_code == 200, sent.text
        return pgn_of(client, sent.json()["id"])

    tags = MAROCZY.partition("\n\n")[0]
    out = kept(MAROCZY)
    assert out == f'{tags}\n[Termination "Normal"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n'
    assert kept(out) == out
    out = kept(NO_DATE)
    assert out.splitlines() == [
        '[Event "?"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Round "1"]',
        '[White "?"]',
        '[Black "?"]',
        '[Result "1/2-1/2"]',
        '[TimeControl "40/7200:3600"]',
        '[Termination "adjudication"]',
        "",
        "1. e4 e5 1/2-1/2",
        "",
    ]
    assert kept(out) == out


LOCKED = "k7/8/p1p2p2/2P2P1p/PpP4P/1P1K4/8/8 w - - 0 1"
"""No pawn can move and no king can get through, which takes a search to prove."""


def test_resigning_where_nobody_can_get_through_is_answered_once_it_is_a_draw(
    people: tuple[Person, Person], flagfall: RunningFlagfall
) -> None:
    white = people[0]
    over_http, over_socket = (begin(people, variant="fromPosition", fen=LOCKED, ruleSet="fide") for _ in range(2))
    assert white.post(f"/api/board/game/{over_http}/resign") == {"ok": True}
    last = white.full(over_http)["state"]
    assert (last["status"], last.get("winner")) == ("draw", None)
    url = flagfall.address.replace("http", "ws") + "/api/flagfall/ws"
    with connect(url, additional_headers=white.headers) as socket:
        assert orjson.loads(socket.recv(timeout=15))["t"] == "welcome"
        socket.send(orjson.dumps({"t": "resign", "game": over_socket, "id": "r"}).decode())
        while (frame := orjson.loads(socket.recv(timeout=15)))["t"] in ("following", "player"):
            pass
    assert (frame["t"], frame["id"]) == ("ack", "r")
    assert [frame["state"][name] for name in ("status", "reason", "winner")] == ["ended", "resignation", None]


@pytest.mark.parametrize("variant", [Variant.SHATRANJ, Variant.CHATURANGA, Variant.CHESS960])
def test_the_rules_page_shows_the_array_that_is_played(
    client: httpx.Client, people: tuple[Person, Person], variant: Variant
) -> None:
    game_id = begin(people, variant=variant)
    info = client.get(f"/api/flagfall/games/{game_id}").json()["info"]
    page = client.get(f"/api/flagfall/rules/{variant}").json()
    assert people[0].full(game_id)["initialFen"] == info["initialFen"]
    if variant != Variant.CHESS960:
        assert info["initialFen"] == page["start"]["fen"]
    tags = told(pgn_of(client, game_id))[0]
    assert (tags["FEN"], tags["Result"]) == (info["initialFen"], "*")


def test_chaturanga_is_played_by_its_options(client: httpx.Client, people: tuple[Person, Person]) -> None:
    options = {"kings": "crossed", "elephant": "oneStep"}
    game_id = begin(people, variant="chaturanga", ruleSet={"preset": "party", "chaturanga": options})
    info = client.get(f"/api/flagfall/games/{game_id}").json()["info"]
    assert info["ruleSet"] == "party"
    assert {name: info["rules"]["chaturanga"][name] for name in options} == options
    (crossed,) = (
        other["fen"]
        for other in client.get("/api/flagfall/rules/chaturanga").json()["start"]["others"]
        if other["when"] == {"kings": "crossed"}
    )
    assert info["initialFen"] == crossed
    people[0].post(f"/api/board/game/{game_id}/move/c1e3", 400)
    play(people, game_id, "e2e3 e7e6 f1e2")


def test_a_draw_is_claimed_in_three_forms(client: httpx.Client, people: tuple[Person, Person]) -> None:
    white, black = people
    shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"

    def claim(person: Person, game_id: str, status: int = 200, **move: str) -> None:
        person.post(f"/api/board/game/{game_id}/claim-draw", status, **move)

    intended, on_board, own_move = (begin(people) for _ in range(3))
    for game_id in (intended, on_board, own_move):
        play(people, game_id, shuffle)
        claim(white, game_id, 400)
        claim(black, game_id, 400, move="Ng4")
    claim(black, intended, move="Ng8")
    last = white.full(intended)["state"]
    assert (last["status"], last.get("winner"), last["moves"]) == ("draw", None, shuffle)
    for game_id, person in ((on_board, white), (own_move, black)):
        black.post(f"/api/board/game/{game_id}/move/f6g8")
        claim(person, game_id)
        assert white.full(game_id)["state"]["status"] == "draw"


def test_presets_end_games_in_their_own_way(people: tuple[Person, Person]) -> None:
    white = people[0]
    shuffle = " ".join(["g1f3 g8f6 f3g1 f6g8"] * 2)
    automatic, claimed = begin(people, ruleSet="automatic"), begin(people, ruleSet="claimed")
    for game_id in (automatic, claimed):
        play(people, game_id, shuffle)
    assert white.full(automatic)["state"]["status"] == "draw"
    assert white.full(claimed)["state"]["status"] == "started"
    lone_king = "7k/8/8/8/8/8/Q7/K7 w - - 0 1"
    for preset, status in (("fide", "draw"), ("claimed", "resign")):
        game_id = begin(people, variant="fromPosition", fen=lone_king, ruleSet=preset)
        assert white.resign(game_id) == status, preset


def test_the_move_endpoint_takes_uci_and_nothing_that_passes_the_turn(people: tuple[Person, Person]) -> None:
    """Case N03: every spelling that is no UCI move is a 400, and it is still White's turn."""
    game_id = begin(people, fen="3n3k/4P3/8/8/8/8/8/K7 w - - 0 1")
    for text in ("e7e8", "e7e8k", "e7e8p", "e7e8Q", "0000", "None", "e7e9q", "e7e8qq"):
        people[0].post(f"/api/board/game/{game_id}/move/{text}", 400)
    assert people[0].full(game_id)["state"]["moves"] == ""
    people[0].post(f"/api/board/game/{game_id}/move/e7d8n")
    assert people[0].full(game_id)["state"]["moves"] == "e7d8n"
