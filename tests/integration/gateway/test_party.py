"""Parties over real HTTP: what each request asks of the game service, and what its refusals become."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import refusal_to_pb
from tests.integration.game.party_house import DEFAULTS
from tests.integration.gateway.fake_game import FakeGame, publish_player
from tests.integration.gateway.gateway_process import Gateway, running
from tests.stack.said import said

PARTY = "party0000001"
URL = f"/api/flagfall/parties/{PARTY}"


class FakeParties:
    """Keeps one party as it is last set up, and what was asked."""

    def __init__(self) -> None:
        self.party = events.Party(id=PARTY, host_id="anna", version=1, settings=DEFAULTS)
        self.party.members.add(player=events.Player(id="anna", name="Anna"))
        self.asked: list[pb.ChangePartyRequest] = []
        self.refusal: Refusal | None = None
        self.answers = asyncio.Event()
        self.answers.set()

    async def create(self, request: pb.CreatePartyRequest, context: Any) -> pb.CreatePartyResponse:
        if self.refusal is not None:
            return pb.CreatePartyResponse(refusal=refusal_to_pb(self.refusal))
        self.party.host_id = request.host_id
        self.party.settings.CopyFrom(request.settings)
        return pb.CreatePartyResponse(party=self.party)

    async def get(self, request: pb.GetPartyRequest, context: Any) -> pb.GetPartyResponse:
        await self.answers.wait()
        if request.id != PARTY:
            return pb.GetPartyResponse(
                refusal=refusal_to_pb(Refusal(RefusalCode.NOT_FOUND, said("No such party."), "id"))
            )
        return pb.GetPartyResponse(party=self.party)

    async def change(self, request: pb.ChangePartyRequest, context: Any) -> pb.ChangePartyResponse:
        self.asked.append(request)
        if self.refusal is not None:
            return pb.ChangePartyResponse(refusal=refusal_to_pb(self.refusal))
        if request.HasField("settings"):
            self.party.settings.CopyFrom(request.settings)
        if request.HasField("start"):
            self.party.game_id = "game0001"
        return pb.ChangePartyResponse(party=self.party)


@pytest.fixture
def parties(monkeypatch: pytest.MonkeyPatch) -> FakeParties:
    """Behind the fake game service's methods."""
    fake = FakeParties()
    for name, method in (("CreateParty", fake.create), ("GetParty", fake.get), ("ChangeParty", fake.change)):

        def served(method: Any) -> Any:
            return lambda _, request, context: method(request, context)

        monkeypatch.setattr(FakeGame, name, served(method), raising=False)
    return fake


@pytest.fixture
async def gateway(redis_url: str, parties: FakeParties) -> AsyncIterator[Gateway]:
    async with running(redis_url) as gateway:
        await gateway.client.post("/api/flagfall/parties", headers=gateway.as_("anna"))
        yield gateway


async def post(gateway: Gateway, path: str, who: str = "anna", **body: Any) -> tuple[int, dict[str, Any]]:
    answer = await gateway.client.post(path, json=body, headers=gateway.as_(who))
    return answer.status_code, answer.json()


async def test_a_party_is_made_with_what_is_asked_for(gateway: Gateway) -> None:
    answer = await gateway.client.post(
        "/api/flagfall/parties",
        data={"turnLimit": "30", "legalMarks": "false", "variant": "crazyhouse"},
        headers=gateway.as_("bob"),
    )
    assert answer.status_code == 201
    body = answer.json()
    assert (body["id"], body["host"], body["game"], body["closed"]) == (PARTY, "bob", None, False)
    assert body["settings"] == {
        "turnLimit": 30,
        "legalMarks": False,
        "swapColors": True,
        "variant": "crazyhouse",
        "ruleSet": "party",
    }


async def test_whoever_has_the_link_may_look_without_a_token(gateway: Gateway) -> None:
    answer = await gateway.client.get(URL)
    assert (answer.status_code, answer.json()["members"][0]["id"]) == (200, "anna")
    assert (await gateway.client.get("/api/flagfall/parties/party0000002")).status_code == 404


async def test_each_request_is_one_change_by_who_asks(gateway: Gateway, parties: FakeParties) -> None:
    requests: list[tuple[str, dict[str, Any], pb.ChangePartyRequest]] = [
        ("join", {}, pb.ChangePartyRequest(join=pb.PartyJoin())),
        ("join", {"spectator": True}, pb.ChangePartyRequest(join=pb.PartyJoin(spectator=True))),
        ("leave", {}, pb.ChangePartyRequest(leave=pb.PartyLeave())),
        ("remove", {"player": "Guest-abc"}, pb.ChangePartyRequest(leave=pb.PartyLeave(player_id="guest-abc"))),
        ("host", {"player": "bob"}, pb.ChangePartyRequest(host=pb.PartyHost(player_id="bob"))),
        ("start", {}, pb.ChangePartyRequest(start=pb.PartyStart())),
        ("close", {}, pb.ChangePartyRequest(close=pb.PartyClose())),
    ]
    for what, body, change in requests:
        status, answer = await post(gateway, f"{URL}/{what}", "bob", **body)
        assert (status, answer["id"]) == (200, PARTY)
        change.id, change.player_id = PARTY, "bob"
        assert parties.asked.pop() == change
        assert not parties.asked


async def test_start_answers_with_the_game(gateway: Gateway) -> None:
    assert (await post(gateway, f"{URL}/start"))[1]["game"] == "game0001"


async def test_settings_change_one_by_one(gateway: Gateway, parties: FakeParties) -> None:
    await post(gateway, f"{URL}/settings", turnLimit=60)
    status, body = await post(gateway, f"{URL}/settings", swapColors=False, ruleSet={"agreement": "afterBothMoved"})
    assert status == 200
    settings = body["settings"]
    assert (settings["turnLimit"], settings["swapColors"], settings["ruleSet"]) == (60, False, "custom")
    assert settings["rules"]["absentPlayer"] == "computerPlays"
    assert [change.settings.turn_ms for change in parties.asked] == [60_000, 60_000]


async def test_what_is_wrong_or_misspelt_is_named_and_asks_nobody(gateway: Gateway, parties: FakeParties) -> None:
    requests: list[tuple[str, dict[str, Any], str]] = [
        (f"{URL}/settings", {"turnLimit": 45}, "turnLimit"),
        (f"{URL}/settings", {"turnlimit": 30}, "turnlimit"),
        (f"{URL}/host", {}, "player"),
        (f"{URL}/remove", {}, "player"),
        (f"{URL}/remove", {"player": " "}, "player"),
        (f"{URL}/start", {"game": "chess"}, "game"),
        ("/api/flagfall/parties", {"clock.limit": 60}, "clock.limit"),
    ]
    for path, body, at in requests:
        status, answer = await post(gateway, path, **body)
        assert (status, answer["code"], answer["at"]) == (400, "malformed", at)
    assert not parties.asked


async def test_a_refusal_is_told(gateway: Gateway, parties: FakeParties) -> None:
    statuses = {
        RefusalCode.NOT_ALLOWED: 400,
        RefusalCode.NOT_A_PLAYER: 404,
        RefusalCode.LIMIT_REACHED: 429,
        RefusalCode.NOT_FOUND: 404,
        RefusalCode.UNAVAILABLE: 503,
    }
    for code, status in statuses.items():
        parties.refusal = Refusal(code, said("No."), "id")
        for path in (f"{URL}/join", "/api/flagfall/parties"):
            answer = await post(gateway, path)
            assert answer == (status, {"error": "No.", "code": code, "at": "id"})


async def test_what_can_be_no_party_asks_nobody(gateway: Gateway, parties: FakeParties) -> None:
    for id in ("short", "x" * 13, "party-000001"):
        assert (await gateway.client.get(f"/api/flagfall/parties/{id}")).json()["code"] == "not_found"
        assert (await post(gateway, f"/api/flagfall/parties/{id}/join"))[0] == 404
    assert not parties.asked


async def test_a_change_takes_a_token_with_a_scope(gateway: Gateway, parties: FakeParties) -> None:
    assert (await gateway.client.post(f"{URL}/join")).status_code == 401
    gateway.game.scopes = ("challenge:read",)
    assert (await post(gateway, f"{URL}/join", "carl"))[1]["code"] == "forbidden"
    assert not parties.asked


async def test_changes_of_one_player_are_limited(redis_url: str, parties: FakeParties) -> None:
    async with running(redis_url, party_changes_per_minute=2) as gateway:
        answers = [(await post(gateway, f"{URL}/join"))[0] for _ in range(3)]
        assert answers == [200, 200, 429]
        assert (await post(gateway, f"{URL}/join", "bob"))[0] == 200


async def test_a_game_service_that_does_not_answer_is_told_so_in_time(redis_url: str, parties: FakeParties) -> None:
    async with running(redis_url, command_timeout_ms=100) as gateway:
        parties.answers.clear()
        answer = await gateway.client.get(URL)
        parties.answers.set()
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_the_public_stream_passes_over_parties(gateway: Gateway, redis_url: str) -> None:
    """Its readers know no such thing; what comes after must still reach them."""
    gateway.game.challenges = [gateway.game.tell("anna").challenge]
    async with (
        asyncio.timeout(15),
        gateway.client.stream("GET", "/api/stream/event", headers=gateway.as_("anna")) as stream,
    ):
        lines = (orjson.loads(text)["challenge"]["id"] async for text in stream.aiter_lines() if text)
        assert await anext(lines) == "c0"
        event = gateway.game.tell("anna")
        event.party.CopyFrom(events.Party(id=PARTY))
        await publish_player(redis_url, event)
        await publish_player(redis_url, gateway.game.tell("anna"))
        assert await anext(lines) == "c2"
