"""Checks of common request fields: ids of games and players, and one line of text."""

import re
import unicodedata

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.person import is_player_id
from services.game.play.refusals import no_player

_GAME_ID = re.compile(r"[A-Za-z0-9]{8}")


def is_game_id(text: str) -> bool:
    """Whether `text` has the form of a game's or challenge's id."""
    return _GAME_ID.fullmatch(text) is not None


def refuse_player_id(text: str, at: str = "player_id") -> Refusal | None:
    """A refusal if `text` does not have the form of a player id, or None; `at` is the field."""
    return None if is_player_id(text) else no_player(at)


def plain_text(text: str, chars_max: int, at: str) -> str | Refusal:
    """`text` as one trimmed line, maybe empty; a refusal if it is too long or has control characters."""
    text = text.strip()
    if len(text) > chars_max:
        return Refusal(RefusalCode.MALFORMED, say("request.text_length", most=chars_max), at)
    if any(unicodedata.category(char).startswith("C") for char in text):
        return Refusal(RefusalCode.MALFORMED, say("request.control_characters"), at)
    return text
