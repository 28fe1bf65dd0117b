"""The next version of a game, or a refusal. Pure."""

from dataclasses import dataclass, replace
from enum import Enum

from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text
from services.game.play.game import NO_EXTRA, Extra, Game
from services.game.play.moment import Moment


class ChangeKind(Enum):
    """What changed in a new version. The names equal those of GameEventKind."""

    CREATED = "CREATED"
    MOVE = "MOVE"
    DRAW_OFFERED = "DRAW_OFFERED"
    DRAW_CLOSED = "DRAW_CLOSED"
    ENDED = "ENDED"
    TAKEBACK_OFFERED = "TAKEBACK_OFFERED"
    TAKEBACK_CLOSED = "TAKEBACK_CLOSED"
    TAKEN_BACK = "TAKEN_BACK"
    PAUSED = "PAUSED"
    GOING_ON_OFFERED = "GOING_ON_OFFERED"
    WENT_ON = "WENT_ON"
    TIME_GIVEN = "TIME_GIVEN"
    LEVEL_CHANGED = "LEVEL_CHANGED"
    SEAT_TAKEN = "SEAT_TAKEN"
    SEAT_RETURNED = "SEAT_RETURNED"
    HINTED = "HINTED"
    CLOCKS_STARTED = "CLOCKS_STARTED"


@dataclass(frozen=True, slots=True)
class Change:
    """The next version of a game, not yet committed.

    A command with no effect makes a version too: the version stores the command's id, so that a retry of the command
    has no effect later either. `reopens`: the game was over in the version before.
    """

    game: Game
    kind: ChangeKind
    by: Colour | None
    at_ms: int
    by_computer: bool = False
    reopens: bool = False


Decision = Change | Refusal


def not_allowed(text: Text, at: str = "") -> Refusal:
    """A refusal because the state or the rules of the game forbid a command; `at` names the field at fault."""
    return Refusal(RefusalCode.NOT_ALLOWED, text, at)


def ended(game: Game, outcome: Outcome, by: Colour | None, moment: Moment) -> Change:
    """The change that ends the game now, without a move. The clocks stop."""
    ended_ms = moment.after(game.clock.turn_started_ms)
    extra = NO_EXTRA if game.extra is NO_EXTRA else replace(game.extra, pause=None, takeback_offer=None)
    over = replace(
        game,
        version=game.version + 1,
        clock=game.clock if game.extra.pause is not None else game.clock.stopped(ended_ms, moment.uncharged_ms(game)),
        outcome=outcome,
        ended_ms=ended_ms,
        draw_offer=None,
        extra=extra,
    )
    return Change(over, ChangeKind.ENDED, by, ended_ms)


def changed(game: Game, kind: ChangeKind, by: Colour | None, moment: Moment, extra: Extra) -> Change:
    """A change to `game` with `extra`: the version goes up by one, the position stays."""
    return Change(replace(game, version=game.version + 1, extra=extra), kind, by, moment.now_ms)


def unrated(game: Game, extra: Extra) -> Extra:
    """`extra`, marked unrated if the game is rated until now."""
    return replace(extra, unrated=True) if game.terms.rated and not extra.unrated else extra
