"""Refusals that several modules use."""

from services.domain.refusal import Refusal, RefusalCode


def malformed(message: str, at: str) -> Refusal:
    """A refusal of input that cannot be read; `at` is the field at fault."""
    return Refusal(RefusalCode.MALFORMED, message, at)


def no_player(at: str) -> Refusal:
    """A refusal because no player has this id; `at` is the field with the id."""
    return Refusal(RefusalCode.NOT_FOUND, "There is no such player.", at)


NO_PLAYER = no_player("player_id")
NO_GAME = Refusal(RefusalCode.NOT_FOUND, "There is no such game.", "game_id")
NOT_A_PLAYER = Refusal(RefusalCode.NOT_A_PLAYER, "Only the players of this game may do that.")
