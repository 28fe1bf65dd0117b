"""Whether a game began from its array, the position from which its variant usually begins.

A game from another position is as good to play, but proves nothing: it is never rated, and is no progress against the
computer. `services/rules` has the boards; a test compares.
"""

import re

from services.domain.chaturanga import ChaturangaRules, Elephant, Kings
from services.domain.rule_set import RuleSet
from services.domain.variant import Variant

_SIDES = {
    # White's first rank from the a-file on, and Black's
    Kings.FACING_ON_E: ("rnbqkbnr", "rnbqkbnr"),
    Kings.FACING_ON_D: ("rnbkqbnr", "rnbkqbnr"),
    Kings.CROSSED: ("rnbqkbnr", "rnbkqbnr"),
}
_CHANGED_PLACES = str.maketrans("rb", "br")

_DRAWN = re.compile(r"([bnqrk]{8})/pppppppp/8/8/8/8/PPPPPPPP/([BNQRK]{8}) w (\S{4}) - 0 1")


def chaturanga_ranks(rules: ChaturangaRules) -> tuple[str, str]:
    """White's first rank and Black's last one in the array of these options, from the a-file on, in lower case."""
    white, black = _SIDES[rules.kings]
    if rules.elephant is Elephant.CORNER_ROOKWISE_LEAP:
        return white.translate(_CHANGED_PLACES), black.translate(_CHANGED_PLACES)
    return white, black


def chaturanga_array(rules: ChaturangaRules) -> str:
    """The array of Chaturanga with these options."""
    white, black = chaturanga_ranks(rules)
    leap = "Kk" if rules.king_leap else "-"
    return f"{black}/pppppppp/8/8/8/8/PPPPPPPP/{white.upper()} w {leap} - 0 1"


def is_array(variant: str, rule_set: RuleSet, fen: str) -> bool:
    """Whether a game of this variant that began from `fen` began at its array; in Chess960 at one of the 960.

    `fen` is as the rules service writes it. Empty means the array.
    """
    if not fen:
        return True
    if variant == Variant.CHESS960:
        return is_drawn(fen)
    if variant == Variant.CHATURANGA:
        return fen == chaturanga_array(rule_set.chaturanga)
    return fen == Variant(variant).array


def is_drawn(fen: str) -> bool:
    """Whether `fen` is one of the 960 positions (FIDE Laws, Guidelines II.2) with all rights to castle."""
    found = _DRAWN.fullmatch(fen)
    if found is None or found[1].upper() != found[2]:
        return False
    rank, rights = found[2], found[3]
    if sorted(rank) != sorted("RNBQKBNR"):
        return False
    bishops = [file for file, piece in enumerate(rank) if piece == "B"]
    rooks = [file for file, piece in enumerate(rank) if piece == "R"]
    by_file = "".join("ABCDEFGH"[file] for file in reversed(rooks))
    castles = rights in ("KQkq", by_file + by_file.lower())
    return castles and (bishops[0] + bishops[1]) % 2 == 1 and rooks[0] < rank.index("K") < rooks[1]
