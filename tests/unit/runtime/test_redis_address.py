"""URLs of Redis: one server's, Sentinel's, the next database's, and Celery's."""

import pytest
from kombu import Connection
from kombu.utils.url import parse_url

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


@pytest.mark.parametrize(
    ("places", "sentinels"),
    [
        ("a", (("a", 26_379),)),
        ("A.example:1", (("a.example", 1),)),
        ("[::1]:1", (("::1", 1),)),
        ("[fd00::1]", (("fd00::1", 26_379),)),
        ("[fd00::1]:1,[FD00:0:0::2]:2", (("fd00::1", 1), ("fd00::2", 2))),
        ("a:1,[::1]:2,b", (("a", 1), ("::1", 2), ("b", 26_379))),
        ("[::1],10.0.0.1:5,", (("::1", 26_379), ("10.0.0.1", 5))),
        ("[fe80::1%25eth0]:1", (("fe80::1%eth0", 1),)),
    ],
)
def test_sentinels_by_name_by_ipv4_and_by_ipv6(places: str, sentinels: tuple[tuple[str, int], ...]) -> None:
    for who in ("", "user:word@", ":p%5B%3A%5D@", ":p[@", ":p@w@"):
        address = parse_sentinel(f"redis+sentinel://{who}{places}/m/0")
        assert address is not None
        assert address.sentinels == sentinels


@pytest.mark.parametrize(
    ("places", "wrong"),
    [
        ("a:1,::1", "'::1'"),
        ("a:1,[::1", r"'\[::1'"),
        ("a:1,::1]:2", r"'::1\]:2'"),
        ("x[::1]:2", r"'x\[::1\]:2'"),
        ("[::1]2", r"'\[::1\]2'"),
        ("[[::1]]:2", r"'\[\[::1\]\]:2'"),
        ("a:1,:2", "':2'"),
        ("a:1, b:2", "' b:2'"),
        ("a:1,[]:2", r"no IPv6 address .*'\[\]:2'"),
        ("a:1,[b]:2", r"no IPv6 address .*'\[b\]:2'"),
        ("a:1,[10.0.0.1]:2", r"no IPv6 address .*'\[10\.0\.0\.1\]:2'"),
        ("a:1,[v1.x]:2", r"no IPv6 address .*'\[v1\.x\]:2'"),
        ("a:1,b:0", "port .*'b:0'"),
        ("a:1,b:65536", "port .*'b:65536'"),
        ("a:1,b:x", "'b:x'"),
        ("a:1,b:-2", "'b:-2'"),
    ],
)
def test_a_place_that_cannot_be_read_is_named(places: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse_sentinel(f"redis+sentinel://:secret@{places}/m/0")


@pytest.mark.parametrize(
    ("rest", "wrong"),
    [
        ("/m/0", "it must read"),
        (",/m/0", "it must read"),
        ("a", "it must read"),
        ("a/", "it must read"),
        ("a/m/x", "it must read"),
        ("a/m/0/1", "it must read"),
        ("a/m/0?other=1", "unknown .*: other"),
        ("a/m/0?sentinel_user", "bad query field"),
    ],
)
def test_a_url_of_sentinel_that_lacks_something_is_refused(rest: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse_sentinel(f"redis+sentinel://{rest}")


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
        ("REDIS://[::1]:1/2", "redis://[::1]:1/3"),
        ("redis+sentinel://[::1]:1,[::2]/m/0?sentinel_user=s", "redis+sentinel://[::1]:1,[::2]/m/1?sentinel_user=s"),
    ],
)
def test_the_broker_is_the_next_database(url: str, following: str) -> None:
    assert next_database(url) == following


def test_by_its_socket_the_broker_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="FLAGFALL_BROKER_URL"):
        next_database("unix:///run/redis.sock")


@pytest.mark.parametrize("url", ["redis://h:1/x", "redis:h", "h:1", ""])
def test_without_a_number_there_is_no_next_database(url: str) -> None:
    with pytest.raises(ValueError, match="must"):
        next_database(url)


def test_celery_finds_sentinels_by_ipv6() -> None:
    url = kombu_url("redis+sentinel://:p@[fd00::1]:1,b,[::1]:3/m/4")
    assert url == "sentinel://:p@[fd00::1]:1/4;sentinel://b:26379;sentinel://[::1]:3"
    with Connection(url) as connection:
        read = [parse_url(one) for one in connection.alt]
    assert [(one["hostname"], one["port"]) for one in read] == [("fd00::1", 1), ("b", 26_379), ("::1", 3)]
    assert (read[0]["password"], read[0]["virtual_host"]) == ("p", "4")


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
