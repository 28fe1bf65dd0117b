"""Settings that contradict each other are refused at boot, in words."""

import pytest

from services.clock.settings import ClockSettings
from services.runtime.settings import load
from services.workers.settings import WorkersSettings


@pytest.mark.parametrize(
    ("kind", "name", "value", "words"),
    [
        (ClockSettings, "FLAGFALL_REDIS_ANSWER_MS", "500", "stream_block_ms must be below redis_answer_ms"),
        (WorkersSettings, "FLAGFALL_DISPATCH_BLOCK_MS", "2000", "dispatch_block_ms must be below redis_answer_ms"),
        (ClockSettings, "FLAGFALL_REDIS_ANSWER_MS", "soon", "setting FLAGFALL_REDIS_ANSWER_MS: "),
    ],
)
def test_a_process_says_what_is_wrong_and_ends(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: type[ClockSettings],
    name: str,
    value: str,
    words: str,
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        load(kind)
    assert ended.value.code == 2
    assert words in capsys.readouterr().err
