"""Log lines: JSON for machines, short text for a terminal. Lines carry the ids of the request and the game.

`with bind(game_id=...)` adds an id to every line that is logged inside.
"""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from pythonjsonlogger.json import JsonFormatter

_ids: ContextVar[Mapping[str, str]] = ContextVar("flagfall_log_ids", default=MappingProxyType({}))


class _WithIds(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        ids = _ids.get()
        record.ids = "".join(f" {name}={value}" for name, value in ids.items())
        for name, value in ids.items():
            setattr(record, name, value)
        return True


class _Json(JsonFormatter):
    def process_log_record(self, log_record: dict[str, object]) -> dict[str, object]:
        log_record.pop("ids", None)
        return super().process_log_record(log_record)


@contextmanager
def bind(**ids: str) -> Iterator[None]:
    """Add ids (`request_id`, `game_id`, ...) to every line logged inside."""
    token = _ids.set({**_ids.get(), **ids})
    try:
        yield
    finally:
        _ids.reset(token)


def bind_task(**ids: str) -> None:
    """Add ids to every line that the current task logs until its end. For tasks that do one thing."""
    _ids.set({**_ids.get(), **ids})


def set_up(service: str, log_format: str, level: str) -> None:
    """Write all logs of this process to standard error, in one format (`json` or text), from this level up."""
    handler = logging.StreamHandler(sys.stderr)
    if log_format == "json":
        handler.setFormatter(
            _Json(
                "%(levelname)s %(name)s %(message)s",
                timestamp=True,
                static_fields={"service": service},
                rename_fields={"levelname": "level", "name": "logger"},
            )
        )
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname).1s %(message)s%(ids)s", "%H:%M:%S"))
    handler.addFilter(_WithIds())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
