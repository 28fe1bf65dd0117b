"""The variants: each is one value with its key and every name that it has outside of the rules.

Whatever lists variants or names them (PGN, UCI, the public API, ratings, metrics) reads it here. What a variant changes
in the rules is its one file in `services/rules/families`.
"""

from enum import StrEnum

CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The array of standard chess."""

_HORDE = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
_RACE = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
_SHATRANJ = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"


class Variant(StrEnum):
    """A variant. As text it is its key, as the public API spells it."""

    _value_: str
    label: str
    """What it is called, also in the tag Variant of PGN."""
    short: str
    """The public API's short name."""
    uci: str
    """What engines call it (`UCI_Variant`)."""
    aliases: tuple[str, ...]
    """Other names that an imported PGN may use, in lower case, without blanks and hyphens."""
    own_array: bool
    """Whether the first array is not that of standard chess, so that a game says what it began from."""
    array: str
    """The position from which its games usually begin, as the rules write it; empty where there are several."""

    STANDARD = "standard", "Standard", "Std", "chess", ("", "?", "chess", "normal", "fromposition")
    CHESS960 = (
        *("chess960", "Chess960", "960", "chess"),
        ("960", "fischerandom", "fischerrandom", "chess960/fischerrandom"),
        True,
        "",
    )
    THREE_CHECK = "threeCheck", "Three-check", "3check", "3check", ("3check",), False, f"{CHESS} +0+0"
    KING_OF_THE_HILL = "kingOfTheHill", "King of the Hill", "KotH", "kingofthehill", ("koth",)
    CRAZYHOUSE = "crazyhouse", "Crazyhouse", "Crazy", "crazyhouse", ("zh",), False, CHESS.replace(" ", "[] ", 1)
    ATOMIC = "atomic", "Atomic", "Atom", "atomic"
    ANTICHESS = "antichess", "Antichess", "Anti", "antichess", ("anti",), True, CHESS.replace("KQkq", "-")
    HORDE = "horde", "Horde", "Horde", "horde", ("hordechess",), True, _HORDE
    RACING_KINGS = "racingKings", "Racing Kings", "Racing", "racingkings", ("racing", "race"), True, _RACE
    SHATRANJ = "shatranj", "Shatranj", "Shat", "shatranj", (), True, _SHATRANJ
    CHATURANGA = "chaturanga", "Chaturanga", "Chat", "chaturanga", (), True, ""

    def __new__(
        cls,
        key: str,
        label: str = "",
        short: str = "",
        uci: str = "",
        aliases: tuple[str, ...] = (),
        own_array: bool = False,
        array: str = CHESS,
    ) -> "Variant":
        """One variant, made where it is listed; elsewhere a call with a key finds it, and needs no more."""
        variant = str.__new__(cls, key)
        variant._value_ = key
        variant.label, variant.short, variant.uci = label, short, uci
        variant.aliases, variant.own_array, variant.array = aliases, own_array, array
        return variant
