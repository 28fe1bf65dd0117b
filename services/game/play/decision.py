"""The decisions on a game: pure, and the only place where a game's next version is made.

`prepare` says what must be asked of the rules service before; `decide` takes its answer and returns the change, or the
refusal. Time is `command.received_ms`, of the database's clock. Each command has its own rules with it (`commands/`);
here stand the rules for all commands, and their order.
"""

from services.domain.clock import Outages
from services.domain.refusal import Refusal, RefusalCode
from services.game.play.change import Decision, not_allowed
from services.game.play.command import Command, PlayerAction, Sender, ServerAction
from services.game.play.game import COMPUTER_ID, Game, Limits
from services.game.play.moment import NO_FACTS, Facts, Moment
from services.game.play.question import Question, Verdict
from services.game.play.refusals import NOT_A_PLAYER

IN_PAUSE = not_allowed("The game is paused, since a flag has fallen: the player with time left decides.")


def needs_past(game: Game, command: Command) -> int | None:
    """The half-move at which the game must be known as it was, for this command; None when it need not."""
    return command.action.needs_past(game, command.player_id)


def needs_answers(game: Game, command: Command) -> bool:
    """Whether the other side may have thought of an answer, or be on vacation: it is a move in correspondence."""
    return command.action.needs_answers(game)


def needs_presence(game: Game, command: Command) -> bool:
    """Whether it must be known who is there, for this command."""
    return command.action.needs_presence(game, command.player_id)


def prepare(game: Game, command: Command, limits: Limits, outages: Outages, facts: Facts = NO_FACTS) -> Question | None:
    """What has to be asked of the rules service for this command, or None."""
    moment = Moment(command.received_ms, limits, outages, facts)
    action = command.action
    if isinstance(action, ServerAction):
        return None if action.refuse(game, moment) is not None else action.question(game, moment)
    by = _sender(game, command)
    if by is None or _refuse(game, action, by, moment) is not None:
        return None
    return action.question(game, by, moment)


def decide(
    game: Game, command: Command, verdict: Verdict | None, limits: Limits, outages: Outages, facts: Facts = NO_FACTS
) -> Decision:
    """The next version of `game`, or why there is none. `verdict` answers what `prepare` asked."""
    moment = Moment(command.received_ms, limits, outages, facts)
    action = command.action
    if isinstance(action, ServerAction):
        return action.refuse(game, moment) or action.decide(game, verdict, moment)
    by = _sender(game, command)
    if by is None:
        return NOT_A_PLAYER
    return _refuse(game, action, by, moment) or action.decide(game, by, verdict, moment)


def _sender(game: Game, command: Command) -> Sender | None:
    """Who sends a command, or None for somebody who does not play here."""
    side = game.side_of(command.player_id)
    return None if side is None else Sender(side, command.player_id == COMPUTER_ID)


def _refuse(game: Game, action: PlayerAction, by: Sender, moment: Moment) -> Refusal | None:
    """What forbids a player's command before the rules are asked: the rules for all commands, then its own."""
    if by.computer and not action.for_computer:
        return not_allowed("The computer only moves.")
    if action.after_end:
        return action.refuse(game, by, moment) or _refuse_late(game, action, moment)
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    late = _refuse_late(game, action, moment)
    if late is not None:
        return late
    if game.extra.pause is not None and not action.in_pause:
        return IN_PAUSE
    return action.refuse(game, by, moment)


def _refuse_late(game: Game, action: PlayerAction, moment: Moment) -> Refusal | None:
    """What comes when time is up; where the opponent may claim, both may still give up or claim."""
    if not moment.is_up(game):
        return None
    if action.while_claimable and moment.claimable(game):
        return None
    return Refusal(RefusalCode.TIME_IS_UP, "The time was up when this arrived.")
