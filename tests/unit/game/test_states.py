"""The state machine of a game and of an invitation: every status, every command, everybody, as docs/lifecycle.md says.

The tables there are the expected values: each is worked out anew here, and a cell that differs fails.
"""

from itertools import chain, product
from pathlib import Path

import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.game.invitations.challenge import Status as ChallengeStatus
from services.game.play.change import Change, ChangeKind
from services.game.play.command_table import KINDS
from services.game.play.game import COMPUTER_ID
from services.words.catalogue import sentence
from tests.unit.game import challenge_states, game_states
from tests.unit.game.deciding import LIMITS, W, attempt
from tests.unit.game.game_states import COMMANDS, SERVER, STATUSES, Status, attempt_by

TEXT = (Path(__file__).parents[3] / "docs" / "lifecycle.md").read_text(encoding="utf-8")


def table_under(heading: str) -> list[str]:
    """The lines of the first table under a heading."""
    _, found, rest = TEXT.partition(f"### {heading}\n")
    assert found, f"docs/lifecycle.md has no {heading}"
    lines = rest.partition("\n#")[0].splitlines()
    return [line for line in lines if line.startswith("|")]


@pytest.mark.parametrize("heading", game_states.GROUPS)
def test_every_command_in_every_status_is_as_the_table_says(heading: str) -> None:
    assert table_under(heading) == game_states.table(game_states.GROUPS[heading].split()).splitlines()


@pytest.mark.parametrize("heading", challenge_states.GROUPS)
def test_every_answer_to_every_invitation_is_as_the_table_says(heading: str) -> None:
    assert table_under(heading) == challenge_states.table(challenge_states.GROUPS[heading]).splitlines()


def test_the_tables_leave_out_no_status_and_no_command() -> None:
    assert " ".join(game_states.GROUPS.values()).split() == list(STATUSES)
    asked = {type(make(W)) for make in COMMANDS.values()} | {type(action) for action in SERVER.values()}
    assert asked == set(KINDS)
    assert [*chain(*challenge_states.GROUPS.values())] == list(challenge_states.STATUSES)
    assert {challenge.status for challenge in challenge_states.STATUSES.values()} == set(ChallengeStatus)


def test_the_tables_reach_every_kind_of_change() -> None:
    decisions = [
        attempt_by(role, command, status)
        for status, command in product(STATUSES.values(), COMMANDS)
        for role in status.roles
    ]
    decisions += [
        attempt(status.game, "", action, status.now_ms, status.away_ms)
        for status, action in product(STATUSES.values(), SERVER.values())
    ]
    kinds = {decision.kind for decision in decisions if isinstance(decision, Change)}
    assert kinds == set(ChangeKind) - {ChangeKind.CREATED}
    for decision in decisions:
        assert not isinstance(decision, Refusal) or sentence(decision.text)


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_strangers_change_nothing(status: Status) -> None:
    for role in {"other", "computer"} - set(status.roles):
        for command in COMMANDS:
            refusal = attempt_by(role, command, status)
            assert isinstance(refusal, Refusal)
            assert refusal.code is RefusalCode.NOT_A_PLAYER, (role, command)
    for command in COMMANDS:
        nobody = attempt(status.game, "", COMMANDS[command](W), status.now_ms, status.away_ms)
        assert isinstance(nobody, Refusal)
        assert nobody.code is RefusalCode.NOT_A_PLAYER


@pytest.mark.parametrize("status", STATUSES.values(), ids=STATUSES)
def test_a_change_is_the_next_version_and_leaves_nothing_open_after_an_end(status: Status) -> None:
    for command in COMMANDS:
        for role in status.roles:
            change = attempt_by(role, command, status)
            if not isinstance(change, Change):
                continue
            after = change.game
            assert after.version == status.game.version + 1
            assert change.reopens is (status.game.outcome is not None)
            assert after.standing.turn is after.clock.turn
            if after.outcome is not None:
                assert (after.draw_offer, after.extra.pause, after.extra.takeback_offer) == (None, None, None)
                assert after.deadline(LIMITS) is None
                assert after.ended_ms is not None
            if game_states.PLAYERS[role] != COMPUTER_ID:
                assert change.by is after.terms.side_of(game_states.PLAYERS[role]) or command == "TakeSeat"
