"""Decides commands: the only place where the next version of a game is made. Pure.

`prepare` returns the question for the rules service. `decide` takes the answer and returns the change or a refusal.
The time is `command.received_ms`, by the database's clock. The rules of one command are in its class (`commands/`);
this module has the rules for all commands, and their order.
"""

from services.domain.clock import Outages
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.change import Decision, not_allowed
from services.game.play.command import Command, PlayerAction, Sender, ServerAction
from services.game.play.game import COMPUTER_ID, Game, Limits
from services.game.play.moment import NO_FACTS, Facts, Moment
from services.game.play.question import Question, Verdict
from services.game.play.refusals import NOT_A_PLAYER

IN_PAUSE = not_allowed(say("play.paused"))


def needs_past(game: Game, command: Command) -> int | None:
    """The half-move for which this command needs the past state of the game, or None."""
    return command.action.needs_past(game, command.player_id)


def needs_answers(game: Game, command: Command) -> bool:
    """Whether this command needs the other side's conditional moves and vacation: it is a correspondence move."""
    return command.action.needs_answers(game)


def needs_presence(game: Game, command: Command) -> bool:
    """Whether this command needs to know which players are present."""
    return command.action.needs_presence(game, command.player_id)


def prepare(game: Game, command: Command, limits: Limits, outages: Outages, facts: Facts = NO_FACTS) -> Question | None:
    """The question for the rules service that this command needs answered, or None."""
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
    """The next version of `game`, or a refusal. `verdict` is the answer to the question of `prepare`."""
    moment = Moment(command.received_ms, limits, outages, facts)
    action = command.action
    if isinstance(action, ServerAction):
        return action.refuse(game, moment) or action.decide(game, verdict, moment)
    by = _sender(game, command)
    if by is None:
        return NOT_A_PLAYER
    return _refuse(game, action, by, moment) or action.decide(game, by, verdict, moment)


def _sender(game: Game, command: Command) -> Sender | None:
    """The sender of a command, or None if the sender does not play this game."""
    side = game.side_of(command.player_id)
    return None if side is None else Sender(side, command.player_id == COMPUTER_ID)


def _refuse(game: Game, action: PlayerAction, by: Sender, moment: Moment) -> Refusal | None:
    """The refusal of a player's command before the rules service is asked: first the general rules, then its own."""
    if by.computer and not action.for_computer:
        return not_allowed(say("play.computer_only_moves"))
    if action.after_end:
        return action.refuse(game, by, moment) or _refuse_late(game, action, moment)
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, say("play.game_over"))
    late = _refuse_late(game, action, moment)
    if late is not None:
        return late
    if game.extra.pause is not None and not action.in_pause:
        return IN_PAUSE
    return action.refuse(game, by, moment)


def _refuse_late(game: Game, action: PlayerAction, moment: Moment) -> Refusal | None:
    """The refusal when time is up. While the opponent may claim the win, both may still resign or claim."""
    if not moment.is_up(game):
        return None
    if action.while_claimable and moment.claimable(game):
        return None
    return Refusal(RefusalCode.TIME_IS_UP, say("play.time_was_up"))
