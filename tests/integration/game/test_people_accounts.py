"""Accounts, guests, tokens and bots on a real PostgreSQL."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from services.game.people import scopes
from services.game.store.database import transaction
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.batching import Overloaded
from services.runtime.rpc import BadRequest
from tests.integration.game.people import START_MS, People, people


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


async def log_in(house: People, name: str, password: str) -> pb.LogInResponse:
    response = await house.server.LogIn(pb.LogInRequest(username=name, password=password), None)
    assert isinstance(response, pb.LogInResponse)
    return response


async def resolve(house: People, *tokens: str) -> list[pb.TokenHolder]:
    response = await house.server.ResolveTokens(pb.ResolveTokensRequest(tokens=tokens), None)
    return list(response.holders)


async def create_token(house: People, player: str, *wanted: str, description: str = "") -> pb.CreateTokenResponse:
    request = pb.CreateTokenRequest(player_id=player, scopes=wanted, description=description)
    response = await house.server.CreateToken(request, None)
    assert isinstance(response, pb.CreateTokenResponse)
    return response


async def accounts_of(house: People, *ids: str) -> list[pb.Account]:
    return list((await house.server.GetPlayers(pb.GetPlayersRequest(ids=ids), None)).accounts)


async def end(house: People, game_id: str, reason: common.EndReason, winner: common.Color) -> None:
    statement = sa.text("UPDATE game SET end_reason = :reason, winner = :winner WHERE id = :id")
    async with transaction(house.engine) as connection:
        await connection.execute(statement, {"reason": int(reason), "winner": int(winner), "id": game_id})


async def test_an_account_has_a_token_that_may_do_everything(house: People) -> None:
    made = await house.account("Grand-Master_1")
    assert (made.player.id, made.player.name) == ("grand-master_1", "Grand-Master_1")
    assert not made.player.guest
    assert re.fullmatch(r"[A-Za-z0-9_]+", made.token)
    assert tuple(made.scopes) == scopes.ALL
    (holder,) = await resolve(house, made.token)
    assert holder.player == made.player
    assert holder.scopes == made.scopes
    assert holder.created_ms == START_MS


async def test_secrets_are_not_in_the_database(house: People) -> None:
    made = await house.account("Ann", "correct horse")
    async with transaction(house.engine) as connection:
        player = (await connection.execute(sa.text("SELECT password_hash FROM player"))).scalar_one()
        token = (await connection.execute(sa.text("SELECT hash FROM token"))).scalar_one()
    assert player.startswith("$argon2id$")
    assert "correct horse" not in player
    assert made.token.encode() not in bytes(token)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "malformed"),
        ("a", "malformed"),
        ("a" * 31, "malformed"),
        ("-ann", "malformed"),
        ("_ann", "malformed"),
        ("an n", "malformed"),
        ("änne", "malformed"),
        ("ann\n", "malformed"),
        ("an\0n", "malformed"),
        ("a" * 1_000_000, "malformed"),
        ("Computer", "name_taken"),
        ("AI", "name_taken"),
        ("open", "name_taken"),
        ("anonymous", "name_taken"),
        ("guest-abcdefgh", "name_taken"),
        ("GuestOfHonour", "name_taken"),
    ],
)
async def test_a_name_that_cannot_be_had_is_refused(house: People, name: str, code: str) -> None:
    response = await house.server.CreateAccount(pb.CreateAccountRequest(username=name, password="correct horse"), None)
    assert (response.refusal.code, response.refusal.at) == (code, "username")


@pytest.mark.parametrize("password", ["", "1234567", "x" * 201, "x" * 1_000_000])
async def test_a_password_too_short_or_long_is_refused(house: People, password: str) -> None:
    response = await house.server.CreateAccount(pb.CreateAccountRequest(username="Ann", password=password), None)
    assert (response.refusal.code, response.refusal.at) == ("malformed", "password")
    assert await accounts_of(house, "ann") == []


@pytest.mark.parametrize("password", ["12345678", "x" * 200, "🐴" * 200, "nul\0inside"])
async def test_any_other_password_lets_its_owner_in(house: People, password: str) -> None:
    await house.account("Ann", password)
    assert (await log_in(house, "ANN", password)).HasField("credential")
    assert (await log_in(house, "Ann", password[:-1] + "?")).refusal.code == "wrong_password"


async def test_accents_may_be_typed_in_either_composition(house: People) -> None:
    await house.account("Ann", "caf\u00e9-caf\u00e9")
    assert (await log_in(house, "Ann", "cafe\u0301-cafe\u0301")).HasField("credential")


async def test_of_many_who_want_a_name_one_gets_it(house: People) -> None:
    spellings = ["Ann", "ann", "ANN", "aNN"] * 5
    responses = await asyncio.gather(
        *(
            house.server.CreateAccount(pb.CreateAccountRequest(username=name, password="correct horse"), None)
            for name in spellings
        )
    )
    assert sum(response.HasField("credential") for response in responses) == 1
    assert {response.refusal.code for response in responses if response.HasField("refusal")} == {"name_taken"}
    assert (await house.server.CreateAccount(pb.CreateAccountRequest(username="ann", password="x" * 9), None)).HasField(
        "refusal"
    )


async def test_a_wrong_name_and_a_wrong_password_look_alike(house: People) -> None:
    await house.account("Ann")
    guest = await house.guest()
    refusals = [
        (await log_in(house, name, "wrong password")).refusal
        for name in ("Ann", "nobody1", guest, "", "not a name", "an\0n", "x" * 10_000)
    ]
    assert all(refusal == refusals[0] for refusal in refusals)
    assert refusals[0].code == "wrong_password"


async def test_a_wrong_name_takes_as_long_as_a_wrong_password(database_url: str) -> None:
    # Heavy enough that a missing hash would show: each check takes tens of milliseconds.
    async with people(database_url, password_memory_kib=32_768, password_rounds=2) as house:
        await house.account("Ann")

        async def fastest_s(name: str) -> float:
            spent = []
            for _ in range(3):
                began = time.perf_counter()
                assert (await log_in(house, name, "wrong password")).refusal.code == "wrong_password"
                spent.append(time.perf_counter() - began)
            return min(spent)

        known, unknown, impossible = await fastest_s("Ann"), await fastest_s("nobody1"), await fastest_s("no name")
    assert unknown > known / 3
    assert impossible > known / 3


async def test_a_password_is_hashed_anew_when_the_figures_have_changed(database_url: str) -> None:
    async def kept(house: People) -> str:
        async with transaction(house.engine) as connection:
            return str((await connection.execute(sa.text("SELECT password_hash FROM player"))).scalar_one())

    async with people(database_url, password_rounds=1) as house:
        await house.account("Ann")
        assert ",t=1," in await kept(house)
    async with people(database_url, password_rounds=2) as house:
        assert (await log_in(house, "Ann", "correct horse")).HasField("credential")
        assert ",t=2," in await kept(house)
        assert (await log_in(house, "Ann", "correct horse")).HasField("credential")


async def test_too_many_passwords_at_once_are_refused_and_the_others_are_served(database_url: str) -> None:
    async with people(
        database_url, password_waiting_max=3, password_workers=1, password_memory_kib=16_384, password_rounds=3
    ) as house:
        answers = await asyncio.gather(
            *(log_in(house, f"nobody{number}", "whatever") for number in range(12)), return_exceptions=True
        )
        refused = [answer for answer in answers if isinstance(answer, Overloaded)]
        served = [answer for answer in answers if isinstance(answer, pb.LogInResponse)]
        assert len(refused) + len(served) == 12
        assert len(served) >= 4
        assert len(refused) >= 1
        await house.account("Ann")


async def test_guests_can_play_and_challenge_and_nothing_else(house: People) -> None:
    response = await house.server.CreateGuest(pb.CreateGuestRequest(), None)
    made = response.credential
    assert re.fullmatch(r"guest-[a-z0-9]{8}", made.player.id)
    assert made.player.name.lower() == made.player.id
    assert made.player.guest
    assert sorted(made.scopes) == ["board:play", "challenge:read", "challenge:write"]
    (holder,) = await resolve(house, made.token)
    assert holder.player == made.player
    assert (await create_token(house, made.player.id, "board:play")).refusal.code == "account_needed"


async def test_tokens_are_resolved_in_order_and_bad_ones_are_nobodys(house: People) -> None:
    ann, bob = await house.account("Ann"), await house.account("Bob")
    bad = ["", "ff_" + "x" * 40, "with blank", "nul\0", "ü" * 20, "x" * 100_000, ann.token + "x", ann.token[:-1]]
    holders = await resolve(house, ann.token, *bad, bob.token, ann.token)
    assert [holder.player.id for holder in holders] == ["ann", *[""] * len(bad), "bob", "ann"]
    assert not any(holder.HasField("player") for holder in holders[1 : 1 + len(bad)])
    assert await resolve(house) == []


async def test_more_tokens_than_a_request_may_hold_are_refused(database_url: str) -> None:
    async with people(database_url, items_max=3) as house:
        with pytest.raises(BadRequest, match=r"^tokens: 4 of them; at most 3$"):
            await resolve(house, *["x"] * 4)
        with pytest.raises(BadRequest, match=r"^ids: 4 of them; at most 3$"):
            await accounts_of(house, *["ann"] * 4)


async def test_a_token_may_do_what_was_asked_and_can_be_revoked(house: People) -> None:
    await house.account("Ann")
    made = await create_token(house, "ann", "bot:play", "board:play", "bot:play", description=" my bot ")
    assert tuple(made.credential.scopes) == ("board:play", "bot:play")
    assert (await resolve(house, made.credential.token))[0].player.id == "ann"
    for _ in range(2):
        await house.server.RevokeToken(pb.RevokeTokenRequest(token=made.credential.token), None)
    await house.server.RevokeToken(pb.RevokeTokenRequest(token="nul\0"), None)
    assert not (await resolve(house, made.credential.token))[0].HasField("player")


@pytest.mark.parametrize(
    ("player", "scope", "description", "code"),
    [
        ("ann", "everything", "", "malformed"),
        ("ann", "board:play", "x" * 101, "malformed"),
        ("ann", "board:play", "nul\0", "malformed"),
        ("nobody1", "board:play", "", "not_found"),
        ("an\0n", "board:play", "", "not_found"),
    ],
)
async def test_a_token_that_cannot_be_is_refused(
    house: People, player: str, scope: str, description: str, code: str
) -> None:
    await house.account("Ann")
    assert (await create_token(house, player, scope, description=description)).refusal.code == code


async def test_signing_in_again_and_again_drops_the_oldest_sign_in_and_no_other_token(database_url: str) -> None:
    async with people(database_url, tokens_max=4) as house:
        first = await house.account("Ann")
        own = (await create_token(house, "ann", "bot:play")).credential
        sign_ins = []
        for _ in range(4):
            house.clock.ms += 1
            sign_ins.append((await log_in(house, "Ann", "correct horse")).credential.token)
        holders = await resolve(house, first.token, own.token, *sign_ins)
        assert [holder.player.id for holder in holders] == ["ann", "ann", "", "", "ann", "ann"]
        assert (await create_token(house, "ann", "bot:play")).refusal.code == "limit_reached"


async def test_the_bound_on_tokens_holds_against_many_at_once(database_url: str) -> None:
    async with people(database_url, tokens_max=5) as house:
        await house.account("Ann")
        responses = await asyncio.gather(*(create_token(house, "ann", "bot:play") for _ in range(10)))
        assert sum(response.HasField("credential") for response in responses) == 4
        # No token of a sign-in is there to make room.
        assert (await log_in(house, "Ann", "correct horse")).refusal.code == "limit_reached"


async def test_whoever_uses_a_token_was_seen(database_url: str) -> None:
    async with people(database_url, seen_period_ms=60_000) as house:
        made = await house.account("Ann")
        for at_ms, seen_ms in [(59_000, 0), (61_000, 61_000), (100_000, 61_000), (122_000, 122_000)]:
            house.clock.ms = START_MS + at_ms
            await resolve(house, made.token)
            (account,) = await accounts_of(house, "ann")
            assert account.seen_ms == START_MS + seen_ms


async def test_players_come_in_the_order_asked_and_only_those_that_exist(house: People) -> None:
    await house.accounts("Ann", "Bob")
    guest = await house.guest()
    found = await accounts_of(house, "bob", "nobody1", "Ann", guest, "", "nul\0", "bob")
    assert [account.player.id for account in found] == ["bob", guest]
    assert await accounts_of(house) == []


async def test_a_record_counts_games_and_leaves_out_aborted_ones(house: People) -> None:
    ann, bob, _ = await house.accounts("Ann", "Bob", "Eve")
    white, black, nobody = common.COLOR_WHITE, common.COLOR_BLACK, common.COLOR_UNSPECIFIED
    for reason, winner in [
        (common.END_REASON_CHECKMATE, white),
        (common.END_REASON_FLAG, white),
        (common.END_REASON_RESIGNATION, black),
        (common.END_REASON_AGREEMENT, nobody),
        (common.END_REASON_ABORT, nobody),
        (common.END_REASON_NO_FIRST_MOVE, nobody),
        (common.END_REASON_UNSPECIFIED, nobody),
    ]:
        challenge = await house.challenge(ann, bob, color=white)
        await house.accept(challenge.id, bob)
        await end(house, challenge.id, reason, winner)

    def record(account: pb.Account) -> tuple[int, ...]:
        return account.games, account.wins, account.losses, account.draws, account.playing

    found = await accounts_of(house, "ann", "bob", "eve")
    assert [record(account) for account in found] == [(5, 2, 1, 1, 1), (5, 1, 2, 1, 1), (0, 0, 0, 0, 0)]


async def test_an_account_without_games_becomes_a_bot_for_good(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    for _ in range(2):
        response = await house.server.UpgradeToBot(pb.UpgradeToBotRequest(player_id=ann), None)
        assert response.player.title == "BOT"
    challenge = await house.challenge(bob, ann)
    assert challenge.dest.title == "BOT"
    answered = await house.accept(challenge.id, ann)
    assert {answered.game.info.white.title, answered.game.info.black.title} == {"BOT", ""}
    assert (await house.server.UpgradeToBot(pb.UpgradeToBotRequest(player_id=bob), None)).refusal.code == "not_allowed"
    assert (await accounts_of(house, "ann"))[0].player.title == "BOT"


async def test_a_guest_or_nobody_becomes_no_bot(house: People) -> None:
    codes: list[Any] = []
    for player in (await house.guest(), "nobody1", "", "nul\0"):
        response = await house.server.UpgradeToBot(pb.UpgradeToBotRequest(player_id=player), None)
        codes.append(response.refusal.code)
    assert codes == ["account_needed", "not_found", "not_found", "not_found"]


async def test_bots_are_listed_up_to_a_bound(house: People) -> None:
    for name in await house.accounts("Zug", "Ann", "Mat", "Bob"):
        if name != "bob":
            await house.server.UpgradeToBot(pb.UpgradeToBotRequest(player_id=name), None)
    listed = await house.server.GetPlayers(pb.GetPlayersRequest(bots=10), None)
    assert [account.player.id for account in listed.accounts] == ["ann", "mat", "zug"]
    assert len((await house.server.GetPlayers(pb.GetPlayersRequest(bots=2), None)).accounts) == 2


async def test_a_seat_is_found_by_id(house: People) -> None:
    await house.account("Ann")
    assert (await house.servicers["PlayersService"]._accounts.seat("ann")).name == "Ann"
    assert (await house.servicers["PlayersService"]._accounts.seat("nobody1")).code == "not_found"
