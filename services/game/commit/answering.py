"""The second version in a commit: the conditional answer to a correspondence move. It uses no time of the player.

If the rules service refuses the answer, the answer is not played and the move is still committed. If the rules service
does not reply, the move is not committed either: its player retries. Otherwise the player with the conditional moves,
who need not watch the game, could lose on time.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from services.domain.clock import Outages
from services.domain.refusal import Refusal
from services.game.commit.ports import Rules
from services.game.play.change import Change, ChangeKind
from services.game.play.command import Command
from services.game.play.commands.moving import Move
from services.game.play.decision import decide, prepare
from services.game.play.game import Limits
from services.game.play.moment import NO_ANSWERS, Answers, Facts
from services.game.play.question import Question, RulesUnavailable
from services.game.store.sql_store import Save
from services.game.wire.events import VersionEvent

log = logging.getLogger(__name__)


async def answered(
    saves: Sequence[tuple[Save, Facts]], rules: Rules, limits: Limits, outages: Outages
) -> list[Save | Refusal]:
    """The saves in order, each with its conditional answer if it has one; a refusal if the rules did not reply."""
    found = [_looked_up(save, facts) for save, facts in saves]
    asked: list[tuple[int, Command, Answers, Question]] = []
    for place, (save, answer, left) in enumerate(found):
        if answer is None:
            continue
        game = save.change.game
        player_id = game.terms.seat(game.turn).player_id
        command = Command(game.terms.id, player_id, "", Move(answer, game.ply), b"", save.change.at_ms)
        question = prepare(game, command, limits, outages)
        if question is not None:
            asked.append((place, command, left, question))
    done: list[Save | Refusal] = [save for save, _, _ in found]
    if not asked:
        return done
    try:
        verdicts = await rules.judge([question for _, _, _, question in asked])
    except RulesUnavailable as error:
        log.warning("%d moves cannot get their conditional answers now: %s", len(asked), error.reason)
        for place, _, _, _ in asked:
            done[place] = error.refusal
        return done
    for (place, command, left, _), verdict in zip(asked, verdicts, strict=True):
        save = found[place][0]
        decision = decide(save.change.game, command, verdict, limits, outages)
        if not isinstance(decision, Change):
            log.warning("game %s: a conditional move is not played: %s", command.game_id, decision.text)
            continue
        then = Save(command, decision, VersionEvent.of(decision, limits, outages))
        done[place] = replace(save, then=then, answers_left=left)
    return done


def _looked_up(save: Save, facts: Facts) -> tuple[Save, str | None, Answers]:
    """A save, its conditional answer and the rest of the lines. Lines that did not predict this move are deleted."""
    known, change = facts.answers, save.change
    if known is None:
        return save, None, NO_ANSWERS
    forgets = replace(save, answers_left=NO_ANSWERS)
    if change.kind is not ChangeKind.MOVE or change.game.outcome is not None or known.ply != change.game.ply - 1:
        return forgets, None, NO_ANSWERS
    thought = known.after(change.game.last_uci)
    return (forgets, None, NO_ANSWERS) if thought is None else (forgets, *thought)
