"""`PlayersService`: parses requests, passes them on, and returns refusals in the answer."""

from collections.abc import Sequence
from typing import Any

import grpc
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal
from services.game.commit.beats import Beats
from services.game.people.accounts import Accounts
from services.game.people.people_messages import account_message, credential_message, holder_message, person_message
from services.game.people.tokens import Tokens
from services.game.play.person import Credential, is_player_id
from services.game.play.refusals import NO_PLAYER
from services.game.ratings.ratings import Ratings
from services.game.settings import GameSettings
from services.game.store import player_events
from services.game.wire.bounds import bounded
from services.game.wire.fields import plain_text, refuse_player_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import PlayersServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class PlayersServicer(PlayersServiceServicer):
    """Accounts, tokens, profiles and player events."""

    def __init__(
        self,
        engine: AsyncEngine,
        accounts: Accounts,
        tokens: Tokens,
        ratings: Ratings,
        beats: Beats,
        settings: GameSettings,
    ) -> None:
        self._engine = engine
        self._accounts = accounts
        self._tokens = tokens
        self._ratings = ratings
        self._beats = beats
        self._settings = settings

    async def CreateAccount(self, request: pb.CreateAccountRequest, context: Context) -> pb.CreateAccountResponse:
        """Make an account and its first token."""
        made = await self._accounts.create(request.username, request.password, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.CreateAccountResponse(refusal=refusal_to_pb(made))
        return pb.CreateAccountResponse(credential=credential_message(made))

    async def LogIn(self, request: pb.LogInRequest, context: Context) -> pb.LogInResponse:
        """Sign in: a new token for a name and a password."""
        made = await self._accounts.log_in(request.username, request.password, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.LogInResponse(refusal=refusal_to_pb(made))
        return pb.LogInResponse(credential=credential_message(made))

    async def CreateGuest(self, request: pb.CreateGuestRequest, context: Context) -> pb.CreateGuestResponse:
        """Make a guest and the guest's token."""
        made = await self._accounts.create_guest(self._beats.now_ms())
        return pb.CreateGuestResponse(credential=credential_message(made))

    async def SetPassword(self, request: pb.SetPasswordRequest, context: Context) -> pb.SetPasswordResponse:
        """Change a password; a new token replaces all others."""
        made: Credential | Refusal | None = refuse_player_id(request.player_id)
        if made is None:
            old = None if request.by_operator else request.old_password
            made = await self._accounts.set_password(request.player_id, old, request.new_password, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.SetPasswordResponse(refusal=refusal_to_pb(made))
        return pb.SetPasswordResponse(credential=credential_message(made))

    async def ResolveTokens(self, request: pb.ResolveTokensRequest, context: Context) -> pb.ResolveTokensResponse:
        """The owner of each token, in order."""
        bounded(request.tokens, "tokens", self._settings.items_max)
        held = await self._tokens.resolve(request.tokens, self._beats.now_ms())
        return pb.ResolveTokensResponse(holders=[holder_message(holder) for holder in held])

    async def CreateToken(self, request: pb.CreateTokenRequest, context: Context) -> pb.CreateTokenResponse:
        """Make another token of an account."""
        bounded(request.scopes, "scopes", self._settings.items_max)
        description = plain_text(request.description, self._settings.token_description_chars_max, "description")
        refusal = refuse_player_id(request.player_id)
        if isinstance(description, Refusal) or refusal is not None:
            return pb.CreateTokenResponse(
                refusal=refusal_to_pb(description if isinstance(description, Refusal) else refusal or NO_PLAYER)
            )
        made = await self._tokens.create(request.player_id, description, request.scopes, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.CreateTokenResponse(refusal=refusal_to_pb(made))
        return pb.CreateTokenResponse(credential=credential_message(made))

    async def RevokeToken(self, request: pb.RevokeTokenRequest, context: Context) -> pb.RevokeTokenResponse:
        """Delete a token."""
        await self._tokens.revoke(request.token)
        return pb.RevokeTokenResponse()

    async def GetPlayers(self, request: pb.GetPlayersRequest, context: Context) -> pb.GetPlayersResponse:
        """The existing players of the ids, in order; or bots."""
        bounded(request.ids, "ids", self._settings.items_max)
        if request.bots > 0 and not request.ids:
            profiles = await self._accounts.bots(request.bots)
        else:
            profiles = await self._accounts.profiles(request.ids)
        perfs = await self._ratings.of_players([profile.person.id for profile in profiles], self._beats.now_ms())
        return pb.GetPlayersResponse(
            accounts=[account_message(profile, perfs[profile.person.id]) for profile in profiles]
        )

    async def UpgradeToBot(self, request: pb.UpgradeToBotRequest, context: Context) -> pb.UpgradeToBotResponse:
        """Make an account a bot, for ever."""
        refusal = refuse_player_id(request.player_id)
        if refusal is not None:
            return pb.UpgradeToBotResponse(refusal=refusal_to_pb(refusal))
        bot = await self._accounts.upgrade_to_bot(request.player_id)
        if isinstance(bot, Refusal):
            return pb.UpgradeToBotResponse(refusal=refusal_to_pb(bot))
        return pb.UpgradeToBotResponse(player=person_message(bot))

    async def ListPlayerEvents(
        self, request: pb.ListPlayerEventsRequest, context: Context
    ) -> pb.ListPlayerEventsResponse:
        """A player's events after a number. If the last one is before `last_seq`, the caller asks again for more."""
        (result,) = await self._events_of([request])
        return result

    async def ListEventsOfPlayers(
        self, request: pb.ListEventsOfPlayersRequest, context: Context
    ) -> pb.ListEventsOfPlayersResponse:
        """The events of many players: together at most as many as one list, but at least one for each player."""
        bounded(request.players, "players", self._settings.items_max)
        return pb.ListEventsOfPlayersResponse(results=await self._events_of(request.players))

    async def _events_of(self, asked: Sequence[pb.ListPlayerEventsRequest]) -> list[pb.ListPlayerEventsResponse]:
        limit = max(1, self._settings.player_events_listed_max // max(1, len(asked)))
        found = await player_events.since(
            self._engine,
            [(item.player_id if is_player_id(item.player_id) else "", item.since_seq) for item in asked],
            limit,
        )
        return [pb.ListPlayerEventsResponse(events=events, last_seq=last) for events, last in found]
