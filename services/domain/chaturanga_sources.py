"""The sources of Chaturanga's options, and what no source says. This is data for the rules page.

No complete rules of the oldest Indian game survive. There are a few later sources, and each describes one place and
time. The works cited here:

- al-Adli, c. 840, on how the Indians play, in a manuscript of 1140 (Istanbul, Abd al-Hamid I 560); in Murray.
- al-Biruni, *India*, c. 1030; translated by E. C. Sachau, volume 1, chapter 16, and quoted by Murray.
- *Manasollasa*, c. 1130; edited and translated by A. Bock-Raming, 1996.
- Nilakantha, 17th century, on the *intellectual game*; translated in Murray.
- Murray: H. J. R. Murray, *A History of Chess*, 1913; chapters 2 (older India), 3 (the game of four), 4 (modern India).
- Gollon: J. Gollon, *Chess Variations*, 1968, a modern reconstruction.
"""

from dataclasses import dataclass
from enum import StrEnum

from services.domain.chaturanga import (
    CHATURANGA,
    BareKing,
    Elephant,
    Kings,
    PawnBecomes,
    Stalemate,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One choice: its value (`true` or `false` for a yes/no option), and the sources that support it."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class DisputedPoint:
    """A disputed point: a field of `ChaturangaRules`, its answers, and what no source says (`open`)."""

    field: str
    question: str
    answers: tuple[Answer, ...]
    open: str

    @property
    def default(self) -> str:
        """The value of this option in a game that does not choose another."""
        return _word(getattr(CHATURANGA, self.field))


def _word(value: StrEnum | bool) -> str:
    return str(value) if isinstance(value, StrEnum) else str(value).lower()


DISPUTED_POINTS = (
    DisputedPoint(
        "stalemate",
        "What becomes of a side that is not in check and has no legal move?",
        (
            Answer(
                Stalemate.LOSES, "The rule of Shatranj (Murray, chapter 13), which most reconstructions carry back."
            ),
            Answer(Stalemate.WINS, "al-Adli tells it of the Indians, as unlike his own game (Murray, chapter 2)."),
            Answer(Stalemate.DRAWS, "No old source; it is the rule of chess today (FIDE 5.2.1)."),
        ),
        "Nilakantha lets the shut-in king take a piece near it instead, and in modern India nobody may give stalemate "
        "(Murray, chapters 2 and 4). Neither is offered here.",
    ),
    DisputedPoint(
        "bare_king",
        "Does taking the last man but the king win?",
        (
            Answer(
                BareKing.NONE,
                "No old source says that it does not; common in programs, and in keeping with the texts that know of "
                "mate alone, as the Manasollasa seems to.",
            ),
            Answer(
                BareKing.WINS_AT_ONCE,
                "al-Adli: the Indians give the game to whoever bares first, and so did Medina (Murray, chapter 2).",
            ),
            Answer(
                BareKing.WINS_UNLESS_BARED_BACK,
                "The rule of the Persians and most Arabs, by which the answer draws (Murray, chapter 2).",
            ),
        ),
        "For Nilakantha a bared king is half a victory, for which our results have no place.",
    ),
    DisputedPoint(
        "elephant",
        "How does the elephant move?",
        (
            Answer(
                Elephant.ALFIL,
                "The elephant of Persians and Arabs; al-Biruni has the leap in India's game of four, for the rook.",
            ),
            Answer(
                Elephant.LAME_ALFIL,
                "No Indian text. The elephant of Chinese chess moves so, and a man in its way stops it.",
            ),
            Answer(
                Elephant.ONE_STEP,
                "al-Biruni of the Punjab: one square straight on or to the four corners, like trunk and feet; the "
                "elephants of Burma and Siam move so still.",
            ),
            Answer(
                Elephant.ROOKWISE_LEAP,
                "al-Adli's move for the Indian elephant, with the elephants left where other games have them.",
            ),
            Answer(
                Elephant.CORNER_ROOKWISE_LEAP,
                "al-Adli in full: the elephant stands in the corner and leaps over one square to the next in a "
                "straight line (Murray, chapter 2).",
            ),
        ),
        "al-Adli does not say where the rooks went. Here they change places with the elephants, to c1 and f1, as some "
        "read Murray; others move rook and knight one square outwards. The Manasollasa has an elephant like a "
        "rook that leaps, and a chariot like an alfil; that is not offered here.",
    ),
    DisputedPoint(
        "kings",
        "Where do the kings stand at first?",
        (
            Answer(Kings.FACING_ON_E, "Kings face each other in the Muslim game; e1 and e8 is how programs draw it."),
            Answer(Kings.FACING_ON_D, "The same, in a mirror."),
            Answer(
                Kings.CROSSED,
                "Each king on its own player's right, e1 and d8: the native games of modern India (Murray, chapter 4).",
            ),
        ),
        "The Manasollasa puts king and minister in the middle and does not say which is where. In old times there may "
        "have been no rule.",
    ),
    DisputedPoint(
        "pawn_becomes",
        "What does a pawn become on the last rank?",
        (
            Answer(PawnBecomes.FIRZ, "The only promotion of the older Indian and the Muslim game (Murray, chapter 4)."),
            Answer(
                PawnBecomes.FILE_PIECE,
                "The game of four in Bengal, c. 1500, without its further conditions (Murray, chapter 3).",
            ),
            Answer(
                PawnBecomes.FILE_PIECE_IF_LOST,
                "Modern India (Murray, chapter 4); Gollon gives it to Chaturanga. The pawn waits on the seventh rank, "
                "where it may be taken, until a piece of the kind is lost.",
            ),
        ),
        "Lost means: fewer on the board than in the first array, promoted ones counted. Modern India asked for the "
        "very elephant that could reach the square; here either elephant counts. A pawn that waits still attacks, and "
        "gives check. On the king's file a pawn becomes a firz. Nilakantha sends some pawns back where they came from.",
    ),
    DisputedPoint(
        "king_leap",
        "May a king once move like a knight?",
        (
            Answer("false", "No old source gives the king a leap."),
            Answer(
                "true",
                "Once in a game, for a king that was never in check: modern India (Murray, chapter 4, on the Parsi "
                "game); Gollon gives it to Chaturanga.",
            ),
        ),
        "Readers of Murray differ on whether the leap may take a man and answer a check. Here it does neither, so that "
        "it never gives check either. A king that has moved may still leap.",
    ),
)
"""All options, in the order of the fields of `ChaturangaRules`."""
