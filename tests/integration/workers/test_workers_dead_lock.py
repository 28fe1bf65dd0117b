"""A worker that is killed while it looks for tasks of dead workers: its lock holds the others up for seconds only."""

from celery import Celery
from kombu.transport.redis import Channel

from services.workers.celery_app import make_app
from services.workers.settings import WorkersSettings


def lock_kept_s(app: Celery) -> int:
    with app.connection_for_write() as connection:
        channel = connection.default_channel
        assert isinstance(channel, Channel)
        return int(channel.unacked_mutex_expire)


def test_the_lock_of_a_dead_worker_is_kept_for_seconds(redis_url: str) -> None:
    app = make_app(WorkersSettings(redis_url=redis_url))
    try:
        assert 1 <= lock_kept_s(app) <= 10
    finally:
        app.close()
