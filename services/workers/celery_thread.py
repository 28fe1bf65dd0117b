"""Runs Celery beside an event loop: its parts block, so each has its own thread."""

import asyncio
import logging
import threading
from collections.abc import Callable

from services.runtime.lifecycle import Stop

log = logging.getLogger(__name__)


def in_thread(target: Callable[[], None], stop: Stop, name: str) -> "asyncio.Future[None]":
    """Run a part of Celery in a daemon thread. When it ends, `stop` is set. The process can end without the thread."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def ended() -> None:
        if not done.done():
            done.set_result(None)
        stop.set()

    def body() -> None:
        try:
            target()
        except SystemExit:
            log.debug("%s has stopped", name)
        except BaseException:
            log.critical("%s failed", name, exc_info=True)
        finally:
            loop.call_soon_threadsafe(ended)

    threading.Thread(target=body, name=name, daemon=True).start()
    return done
