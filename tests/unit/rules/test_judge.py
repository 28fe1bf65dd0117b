"""Questions as messages: each is answered by itself, and whatever is wrong with one becomes a typed refusal."""

import random
from collections import Counter

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.refusal import RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, RuleSet
from services.pb.flagfall.v1 import common_pb2, rules_pb2
from services.rules.limits import LIMITS, InputLimits
from services.rules.server import answer
from services.runtime.wire import rule_set_to_pb

START = chess.STARTING_FEN
CODES = {
    RefusalCode.ILLEGAL_MOVE,
    RefusalCode.MALFORMED,
    RefusalCode.UNSUPPORTED_VARIANT,
    RefusalCode.BAD_POSITION,
}


def ask(question: rules_pb2.Question, limits: InputLimits = LIMITS) -> rules_pb2.Verdict:
    return answer(question, question.WhichOneof("ask"), limits)


def play(
    fen: str = START,
    move: str = "e2e4",
    keys: bytes = b"",
    variant: str = "standard",
    rule_set: RuleSet = CLAIMED,
) -> rules_pb2.Question:
    position = rules_pb2.Position(variant=variant, fen=fen, keys=keys)
    return rules_pb2.Question(rule_set=rule_set_to_pb(rule_set), play=rules_pb2.Play(position=position, move=move))


def test_a_move() -> None:
    verdict = ask(play(move="Nf3"))
    assert (verdict.played.uci, verdict.played.san) == ("g1f3", "Nf3")
    standing = verdict.played.standing
    assert standing.position.variant == "standard"
    assert standing.position.fen == "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
    assert len(standing.position.keys) == 16
    assert standing.turn == common_pb2.COLOR_BLACK
    assert standing.legal.split(" ") == sorted(standing.legal.split(" "))
    assert not standing.HasField("outcome")


def test_a_claim_travels() -> None:
    verdict = ask(play("7k/5K2/8/6R1/8/8/8/8 w - - 99 95", "Rg6"))
    assert list(verdict.played.standing.claims) == [common_pb2.CLAIM_FIFTY]
    ended = ask(play("7k/5K2/8/6R1/8/8/8/8 w - - 99 95", "Rg6", rule_set=AUTOMATIC)).played.standing
    assert ended.outcome.reason == common_pb2.END_REASON_MOVE_COUNT
    assert ended.outcome.winner == common_pb2.COLOR_UNSPECIFIED
    assert (ended.legal, list(ended.claims)) == ("", [])


def test_a_start() -> None:
    question = rules_pb2.Question(rule_set=rule_set_to_pb(CLAIMED), start=rules_pb2.Start(variant="standard"))
    standing = ask(question).started.standing
    assert (standing.position.fen, len(standing.position.keys)) == (START, 8)
    assert len(standing.legal.split()) == 20


def test_a_flag() -> None:
    position = rules_pb2.Position(variant="standard", fen="8/8/8/8/8/8/q6k/2K5 b - - 0 60")
    loser = common_pb2.COLOR_WHITE
    forfeit = rules_pb2.Forfeit(position=position, loser=loser, kind=rules_pb2.FORFEIT_KIND_FLAG)
    outcome = ask(rules_pb2.Question(rule_set=rule_set_to_pb(CLAIMED), forfeit=forfeit)).forfeited.outcome
    assert outcome == common_pb2.Outcome(winner=common_pb2.COLOR_BLACK, reason=common_pb2.END_REASON_FLAG)


def test_a_ping_needs_nothing() -> None:
    assert ask(rules_pb2.Question(ping=rules_pb2.Ping())).HasField("pong")


def without_rule_set(question: rules_pb2.Question) -> rules_pb2.Question:
    question.ClearField("rule_set")
    return question


@pytest.mark.parametrize(
    ("question", "code", "at"),
    [
        (play(move="e2e5"), "illegal_move", "move"),
        (play(move="0000"), "malformed", "move"),
        (play(move=""), "malformed", "move"),
        (play(move="e" * 1_000_000), "malformed", "move"),
        (play(variant="ludo"), "unsupported_variant", "variant"),
        (play(variant="v" * 1_000_000), "unsupported_variant", "variant"),
        (play(fen=""), "bad_position", "fen"),
        (play(fen="8" * 1_000_000), "bad_position", "fen"),
        (play(fen="8/8/8/8/8/8/8/K7 w - - 0 1"), "bad_position", "fen.board"),
        (play(fen="4k3/8/8/8/8/8/8/K3R3 w - - 0 1", move="Ka2"), "bad_position", "fen.turn"),
        (play(keys=b"1234567"), "malformed", "keys"),
        (play(keys=b"12345678" * 1025), "malformed", "keys"),
        (without_rule_set(play()), "malformed", "rule_set.repetition"),
        (rules_pb2.Question(), "malformed", "ask"),
        (
            rules_pb2.Question(rule_set=rule_set_to_pb(CLAIMED), forfeit=rules_pb2.Forfeit()),
            "malformed",
            "loser",
        ),
        (
            rules_pb2.Question(
                rule_set=rule_set_to_pb(CLAIMED), forfeit=rules_pb2.Forfeit(loser=common_pb2.COLOR_BLACK)
            ),
            "malformed",
            "kind",
        ),
    ],
    ids=lambda value: "" if isinstance(value, rules_pb2.Question) else None,
)
def test_bad_questions_are_refused(question: rules_pb2.Question, code: str, at: str) -> None:
    refusal = ask(question).refusal
    assert (refusal.code, refusal.at) == (code, at)
    assert 0 < len(refusal.message) < 200


def test_a_defect_is_refused_and_logged(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("services.rules.server.judge", defect)
    assert ask(play()).refusal.code == RefusalCode.UNAVAILABLE
    assert "could not be judged" in caplog.text


@given(
    fen=st.text(max_size=90) | st.sampled_from([START, "8/8/8/8/8/8/8/8 w - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"]),
    move=st.text(max_size=12) | st.text(alphabet="abcdefgh12345678NBRQKx=+#-O0", max_size=7),
    keys=st.binary(max_size=64),
    variant=st.just("standard") | st.text(max_size=10),
)
def test_any_question_gets_an_answer_or_a_typed_refusal(fen: str, move: str, keys: bytes, variant: str) -> None:
    verdict = ask(play(fen, move, keys, variant))
    if verdict.HasField("refusal"):
        assert verdict.refusal.code in CODES
    else:
        assert verdict.played.standing.position.fen


def test_ten_thousand_damaged_questions() -> None:
    chance = random.Random(10_000)
    letters = "abcdefgh12345678KQRBNPkqrbnp/ w-+#=xO0@\x00\xe9\u2654\U0001f600"

    def damaged(text: str) -> str:
        for _ in range(chance.randint(1, 4)):
            place = chance.randint(0, len(text))
            text = text[:place] + chance.choice(["", chance.choice(letters)]) + text[place + chance.randint(0, 2) :]
        return text

    answers: Counter[str] = Counter()
    for _ in range(10_000):
        fen = damaged(START) if chance.random() < 0.6 else START
        move = damaged(chance.choice(["e2e4", "Nf3", "O-O", "e7e8q", "exd5", "e8=Q"]))
        verdict = ask(play(fen, move, chance.randbytes(chance.choice([0, 8, 9, 64]))))
        answers[verdict.refusal.code if verdict.HasField("refusal") else "played"] += 1
    assert set(answers) == {"played", RefusalCode.ILLEGAL_MOVE, RefusalCode.MALFORMED, RefusalCode.BAD_POSITION}
