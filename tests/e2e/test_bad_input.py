"""Bad input over the whole stack: each gets an answer that says what is wrong, and the game beside it goes on."""

import httpx

from tests.e2e.test_websocket import WITHIN_S, new_game, person, say, socket, wanted
from tests.stack.running import RunningFlagfall

NUL = "a\0b"
BAD_MOVES: list[tuple[dict[str, object], str]] = [
    ({"move": "e4", "id": NUL}, "id"),
    ({"move": "e4", "id": ""}, "id"),
    ({"move": "e4", "id": "x" * 33}, "id"),
    ({"move": "e4", "id": ["a"]}, "id"),
    ({"move": "e4", "ply": 1e308}, "ply"),
    ({"move": "e4", "ply": -1}, "ply"),
    ({"move": {"a": 1}}, "move.a"),
    ({"move": "e4", "x": 1}, "x"),
]
NOWHERE = ["GET /api/flagfall/games/a%00b", "POST /api/board/game/a%00b/resign", "GET /api/board/game/stream/a%00b"]


async def test_bad_input_is_told_and_harms_nobody(flagfall: RunningFlagfall) -> None:
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=WITHIN_S) as client:
        white, black = await person(client), await person(client)
        game_id = await new_game(client, white, black)
        client.cookies.clear()
        headers = {"Authorization": f"Bearer {white[1]}"}
        path = f"/api/flagfall/games/{game_id}/moves"
        for fields, at in BAD_MOVES:
            answer = await client.post(path, json=fields, headers=headers)
            assert (answer.status_code, answer.json()["code"], answer.json()["at"]) == (400, "malformed", at), fields
        for way in NOWHERE:
            answer = await client.request(*way.split(" "), headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), way
        evil = {"Cookie": f"flagfall_token={white[1]}", "Origin": "http://["}
        answer = await client.post(f"/api/board/game/{game_id}/resign", headers=evil)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        async with socket(flagfall, white[1], f"?seq={'9' * 5000}") as opened:
            await say(opened, t="move", game=game_id, id="m1", move="e4", ply=0)
            assert (await wanted(opened, "ack"))["v"] == 2
