"""Refusals that several modules use."""

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text, say


def malformed(text: Text, at: str) -> Refusal:
    """A refusal of input that cannot be read; `at` is the field at fault."""
    return Refusal(RefusalCode.MALFORMED, text, at)


def no_player(at: str) -> Refusal:
    """A refusal because no player has this id; `at` is the field with the id."""
    return Refusal(RefusalCode.NOT_FOUND, say("people.no_player"), at)


NO_PLAYER = no_player("player_id")
NO_GAME = Refusal(RefusalCode.NOT_FOUND, say("play.no_game"), "game_id")
NOT_A_PLAYER = Refusal(RefusalCode.NOT_A_PLAYER, say("play.players_only"))


def unset(error: ValueError) -> Refusal:
    """A refusal for an error of `services.runtime.wire`: it begins with the name of the field, before a colon."""
    at = str(error).partition(":")[0]
    return malformed(say("request.unset", name=at), at)
