"""URLs of Redis: one server's, Sentinel's, the next database's, and Celery's."""

import pytest

from services.runtime.redis_address import SentinelAddress, is_redis, next_database, parse_sentinel
from services.runtime.redis_client import kombu_options, kombu_url
from services.runtime.settings import DEFAULTS
from services.workers.celery_app import make_app
from services.workers.settings import WorkersSettings

WHOLE = "rediss+sentinel://who:p%40ss@a:1,b,[::1]:3/my%2Fmaster/4?sentinel_user=s&sentinel_password=t%26"


def test_every_part_of_a_url_of_sentinel() -> None:
    assert parse_sentinel(WHOLE) == SentinelAddress(
        (("a", 1), ("b", 26_379), ("::1", 3)), "my/master", 4, "who", "p@ss", "s", "t&", tls=True
    )


@pytest.mark.parametrize("url", ["redis://h:1/0", "rediss://h:1/0", "unix:///run/redis.sock", "amqp://h:1//"])
def test_others_are_none_of_sentinel(url: str) -> None:
    assert parse_sentinel(url) is None


def test_rabbitmq_is_no_redis() -> None:
    assert not is_redis("amqp://h:1//")
    assert is_redis(WHOLE)


@pytest.mark.parametrize(
    ("url", "following"),
    [
        ("redis://:p@h:1/0", "redis://:p@h:1/1"),
        ("redis://:p@h:1", "redis://:p@h:1/1"),
        ("rediss://h:1/3?ssl_ca_certs=/a", "rediss://h:1/4?ssl_ca_certs=/a"),
        ("redis+sentinel://:p@a:1,b:2/m/0", "redis+sentinel://:p@a:1,b:2/m/1"),
        ("redis+sentinel://:p@a:1,b:2/m", "redis+sentinel://:p@a:1,b:2/m/1"),
    ],
)
def test_the_broker_is_the_next_database(url: str, following: str) -> None:
    assert next_database(url) == following


def test_by_its_socket_the_broker_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="FLAGFALL_BROKER_URL"):
        next_database("unix:///run/redis.sock")


def test_celery_is_told_of_all_sentinels() -> None:
    assert kombu_url("redis+sentinel://:p%40@a:1,b:2/m/3") == "sentinel://:p%40@a:1/3;sentinel://b:2"
    assert kombu_options("redis+sentinel://:p@a:1/m/3?sentinel_password=t", DEFAULTS) == {
        "master_name": "m",
        "sentinel_kwargs": {"password": "t", "socket_connect_timeout": 1.0, "socket_timeout": 1.0},
    }
    assert kombu_url("redis://h:1/0") == "redis://h:1/0"
    assert kombu_options("redis://h:1/0", DEFAULTS) == {}


def test_what_makes_tasks_survive_a_worker_holds_behind_sentinel_too() -> None:
    plain = make_app(WorkersSettings(broker_url="redis://h:1/1")).conf.broker_transport_options
    behind = make_app(WorkersSettings(broker_url="redis+sentinel://a:1,b:2/m/1")).conf.broker_transport_options
    assert plain.items() <= behind.items()
    assert behind["master_name"] == "m"


def test_a_broker_over_tls_is_asked_for_its_certificate() -> None:
    settings = WorkersSettings(broker_url="rediss://h:1/1", redis_ca_file="/etc/ca.pem")
    assert make_app(settings).conf.broker_use_ssl == {
        "ssl_cert_reqs": "required",
        "ssl_check_hostname": True,
        "ssl_ca_certs": "/etc/ca.pem",
    }
