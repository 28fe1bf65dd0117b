"""Rematches: another game of the same two players on the same terms.

An offer is a challenge to the other player that names the game. While it waits, an offer of the other player accepts
it, so two offers at once make one game. A game has at most one rematch. Locks: the challenge, then players by id, as
everywhere; if a challenge appears after the players are locked, the transaction is tried again.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.arrays import is_drawn
from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Rematch
from services.domain.text import say
from services.domain.variant import Variant
from services.game.commit.creation import Created, NewGame, NewGames, new_game_id
from services.game.invitations import sql_challenges
from services.game.invitations.challenge import Challenge, Status, Wish
from services.game.invitations.invitations import Announcer, Invitations, Offer, tell
from services.game.play.game import Game, Seat, Terms, computer_seat
from services.game.play.person import Person
from services.game.play.refusals import NO_GAME
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.sql_games import Games
from services.game.wire.events import PersonEvent

TRIES_MAX = 5

_NOT_A_PLAYER = Refusal(RefusalCode.NOT_A_PLAYER, say("invitations.rematch_players_only"), "player_id")
_GOES_ON = Refusal(RefusalCode.NOT_ALLOWED, say("invitations.rematch_goes_on"), "game_id")
_PARTY = Refusal(RefusalCode.NOT_ALLOWED, say("invitations.rematch_in_party"), "game_id")
_BUSY = Refusal(RefusalCode.UNAVAILABLE, say("invitations.rematch_busy"), "game_id")


@dataclass(frozen=True, slots=True)
class Offered:
    """The result of an offer: a challenge that waits or was accepted, and the game if there is one.

    Against the computer there is only a game.
    """

    challenge: Challenge | None
    game: Game | None = None


def refuse(game: Game, player_id: str) -> Refusal | None:
    """A refusal if this player may not ask for a rematch, or None. An aborted game can have one too."""
    if game.terms.side_of(player_id) is None:
        return _NOT_A_PLAYER
    if game.terms.party_id:
        return _PARTY
    return None if game.outcome is not None else _GOES_ON


def colour_of(game: Game, player_id: str) -> Colour | None:
    """The colour of a player in the rematch; None for a random one.

    After an aborted game the players keep their colours, even if the rule set swaps colours.
    """
    rule = game.terms.rule_set.rematch
    own = game.terms.side_of(player_id)
    assert own is not None, "only players ask"
    if rule is Rematch.RANDOM:
        return None
    aborted = game.outcome is not None and game.outcome.reason.aborts
    return own if rule is Rematch.COLOURS_STAY or aborted else own.other


def position_of(terms: Terms) -> str:
    """The first position of the rematch: the game's; empty for the standard one or a new random Chess960 one."""
    if terms.variant == Variant.CHESS960 and is_drawn(terms.initial_fen):
        return ""
    return terms.initial_fen


class Rematches:
    """Handles rematch offers."""

    def __init__(
        self,
        engine: AsyncEngine,
        new_games: NewGames,
        invitations: Invitations,
        publishing: Announcer,
        settings: GameSettings,
    ) -> None:
        self._engine = engine
        self._new_games = new_games
        self._invitations = invitations
        self._publishing = publishing
        self._settings = settings
        self._games = Games(engine)

    async def offer(self, game_id: str, player_id: str, now_ms: int) -> Offered | Refusal:
        """Offer a rematch, or accept the opponent's offer. A retry gets the same answer."""
        game = await self._game(game_id)
        if game is None:
            return NO_GAME
        if (refusal := refuse(game, player_id)) is not None:
            return refusal
        if game.terms.against_computer:
            return await self._against_computer(game, player_id, now_ms)
        for _ in range(TRIES_MAX):
            told: Sequence[PersonEvent] = ()
            async with transaction(self._engine) as connection:
                waiting = await sql_challenges.lock_rematch(connection, game_id)
                if waiting is not None:
                    waiting = waiting.as_of(now_ms)
                    if waiting.status is Status.OFFLINE:
                        await sql_challenges.lapse(connection, [waiting.id])
                        told = await tell(connection, waiting, "challenge_canceled", now_ms)
                else:
                    made, told = await self._ask(connection, game, player_id, now_ms)
            self._publishing.announce(players=told)
            if waiting is not None and waiting.status is Status.CREATED:
                if waiting.challenger is not None and waiting.challenger.id == player_id:
                    return Offered(waiting)
                answered = await self._invitations.accept(waiting.id, player_id, None, now_ms)
                if not isinstance(answered, Refusal):
                    return Offered(answered.challenge, answered.game)
                if answered.code is not RefusalCode.NOT_FOUND:
                    return answered
            elif waiting is None and made is not None:
                return await self._begun(made) if isinstance(made, str) else made
        return _BUSY

    async def _ask(
        self, connection: AsyncConnection, game: Game, player_id: str, now_ms: int
    ) -> tuple[Offered | Refusal | str | None, Sequence[PersonEvent]]:
        """Write the offer if none waits. Returns the id of an existing rematch, or None to try again; and events."""
        terms = game.terms
        own = terms.side_of(player_id)
        assert own is not None, "only players ask"
        other_id = terms.seat(own.other).player_id
        await sql_players.lock(connection, [player_id, other_id])
        if (begun := await sql_challenges.rematch_of(connection, terms.id)) is not None:
            return begun, ()
        if await sql_challenges.rematch_waits(connection, terms.id):
            return None, ()
        wish = Wish(
            variant=terms.variant,
            rule_set=terms.rule_set,
            control=terms.control,
            rated=terms.rated,
            colour=colour_of(game, player_id),
            initial_fen=position_of(terms),
        )
        made = await self._invitations.insert(connection, player_id, other_id, Offer(wish, rematch_of=terms.id), now_ms)
        if isinstance(made, Refusal):
            return made, ()
        return Offered(made), await tell(connection, made, "challenge", now_ms)

    async def _against_computer(self, game: Game, player_id: str, now_ms: int) -> Offered | Refusal:
        terms = game.terms
        standing = await self._new_games.prepare(terms.variant, position_of(terms), terms.rule_set)
        if isinstance(standing, Refusal):
            return standing
        own = terms.side_of(player_id)
        assert own is not None, "only players ask"
        created: Created | None = None
        async with transaction(self._engine) as connection:
            people = await sql_players.lock(connection, [player_id])
            begun = await sql_challenges.rematch_of(connection, terms.id)
            if begun is None:
                if player_id not in people:
                    return _NOT_A_PLAYER
                if await sql_players.ongoing(connection, player_id) >= self._settings.games_ongoing_max:
                    return Refusal(RefusalCode.LIMIT_REACHED, say("people.own_games_max"))
                white, black = self._seats(game, people[player_id])
                created = await self._new_games.insert(
                    connection,
                    NewGame(
                        id=new_game_id(),
                        standing=standing,
                        white=white,
                        black=black,
                        rule_set=terms.rule_set,
                        control=terms.control,
                        rated=False,
                        source=terms.source,
                        initial_fen=position_of(terms),
                        variant=terms.variant,
                        created_ms=now_ms,
                        rematch_of=terms.id,
                    ),
                )
        if created is None:
            assert begun is not None, "there was a rematch or it was made now"
            return await self._begun(begun)
        self._new_games.announce(created)
        return Offered(None, created.game)

    def _seats(self, game: Game, person: Person) -> tuple[Seat, Seat]:
        """White's and Black's seat in a rematch against the computer, at the same level."""
        own = game.terms.side_of(person.id)
        assert own is not None, "only players ask"
        computer = computer_seat(game.terms.seat(own.other).computer_level)
        colour = colour_of(game, person.id) or secrets.choice((Colour.WHITE, Colour.BLACK))
        return (person.seat(), computer) if colour is Colour.WHITE else (computer, person.seat())

    async def _begun(self, game_id: str) -> Offered | Refusal:
        """The existing rematch."""
        game = await self._game(game_id)
        if game is None:
            return NO_GAME
        async with transaction(self._engine) as connection:
            return Offered(await sql_challenges.find(connection, game_id), game)

    async def _game(self, game_id: str) -> Game | None:
        return (await self._games.load([game_id])).get(game_id)
