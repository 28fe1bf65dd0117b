"""`python -m services.game migrate` on a real PostgreSQL."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from prometheus_client import REGISTRY
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.rule_set import CLAIMED
from services.game.invitations import sql_challenges
from services.game.settings import GameSettings
from services.game.store import migration, sql_store
from services.game.store.database import DatabaseAway, open_engine, open_migrating_engine, transaction
from services.game.store.migration import ADVISORY_LOCK, SCRIPTS, bring_up_to_date, configuration
from services.game.store.schema import metadata
from services.game.store.schema_step import SchemaCheck, SchemaTooOld, newest_step
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.runtime.batching import Overloaded
from services.runtime.wire import rule_set_from_pb

# All that PostgreSQL knows of our tables: columns, constraints, indexes and storage options.
CATALOGUE = sa.text("""
    SELECT 'column', format('%s.%s %s null=%s default=%s identity=%s', c.relname, a.attname,
           format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT 'constraint', format('%s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'options', format('%s %s', relname, reloptions) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    ORDER BY 1, 2
""")


def settings_for(url: str, **more: object) -> GameSettings:
    return GameSettings(database_url=url, **more)  # type: ignore[arg-type]


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[AsyncConnection]:
    engine = open_migrating_engine(settings_for(url))
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def catalogue(url: str) -> list[str]:
    async with connected(url) as connection:
        rows = await connection.execute(CATALOGUE)
        return [f"{row[0]}: {row[1]}" for row in rows if "alembic_version" not in row[1]]


def take_steps(connection: sa.Connection, to: str) -> None:
    command.upgrade(configuration(connection), to)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_migrations_make_exactly_the_tables_of_the_schema(empty_database_url: str) -> None:
    async with connected(empty_database_url) as connection:
        await connection.run_sync(metadata.create_all)
    drawn = await catalogue(empty_database_url)
    async with connected(empty_database_url) as connection:
        await connection.run_sync(metadata.drop_all)
    await bring_up_to_date(settings_for(empty_database_url))
    assert await catalogue(empty_database_url) == drawn
    assert len(drawn) > 100  # the catalogue was read at all


def test_the_newest_step_by_the_files_names_is_the_one_that_alembic_takes_last() -> None:
    scripts = ScriptDirectory(str(SCRIPTS))
    assert scripts.get_heads() == [newest_step()]
    steps = [script.revision for script in scripts.walk_revisions()]
    assert steps == [f"{number:04d}" for number in range(len(steps), 0, -1)]


async def test_a_schema_is_far_enough_from_the_step_on_that_is_needed(empty_database_url: str) -> None:
    engine = open_migrating_engine(settings_for(empty_database_url))
    check = SchemaCheck(engine, "0003")
    with pytest.raises(SchemaTooOld, match="has no tables, this version needs 0003"):
        await check()
    for step, enough in (("0002", False), ("0003", True)):
        async with connected(empty_database_url) as connection:
            await connection.run_sync(take_steps, step)
        if enough:
            await check()
        else:
            with pytest.raises(SchemaTooOld, match="is at step 0002, this version needs 0003: run"):
                await check()
    await SchemaCheck(engine, "0002")()  # a later release's step is no hindrance
    await engine.dispose()


async def test_alembic_finds_nothing_left_to_do(empty_database_url: str) -> None:
    await bring_up_to_date(settings_for(empty_database_url))

    def differences(connection: sa.Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))

    async with connected(empty_database_url) as connection:
        assert await connection.run_sync(differences) == []


async def test_a_second_migration_changes_nothing(empty_database_url: str) -> None:
    await bring_up_to_date(settings_for(empty_database_url))
    async with connected(empty_database_url) as connection:
        await connection.execute(sa.text("UPDATE heartbeat SET last_ms = 7"))
    await bring_up_to_date(settings_for(empty_database_url))
    async with connected(empty_database_url) as connection:
        assert (await connection.execute(sa.text("SELECT id, last_ms FROM heartbeat"))).all() == [(1, 7)]


async def test_many_processes_may_migrate_at_once(empty_database_url: str) -> None:
    await asyncio.gather(*(bring_up_to_date(settings_for(empty_database_url)) for _ in range(6)))
    async with connected(empty_database_url) as connection:
        assert (await connection.execute(sa.text("SELECT id, last_ms FROM heartbeat"))).all() == [(1, 0)]
        assert (await connection.execute(sa.text("SELECT count(*) FROM alembic_version"))).scalar_one() == 1


async def test_it_waits_while_another_process_migrates(empty_database_url: str) -> None:
    async with connected(empty_database_url) as other:
        await other.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        with pytest.raises(DatabaseAway):
            await bring_up_to_date(settings_for(empty_database_url, database_wait_ms=200))
    await bring_up_to_date(settings_for(empty_database_url, database_wait_ms=200))


async def test_a_step_that_waits_for_a_table_holds_nobody_up(empty_database_url: str) -> None:
    async with connected(empty_database_url) as connection:
        await connection.run_sync(take_steps, "0004")
    settings = settings_for(empty_database_url, database_wait_ms=20_000, migrate_lock_ms=100)
    async with connected(empty_database_url) as reader:
        await reader.execute(sa.text("SELECT count(*) FROM player"))  # its transaction goes on, as a dump's does
        migrating = asyncio.create_task(bring_up_to_date(settings))
        async with connected(empty_database_url) as watcher:
            waits = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")
            seen = 0
            while seen < 2:  # it waits, gives way, and waits again
                while not (await watcher.execute(waits)).scalar_one():
                    await asyncio.sleep(0.005)
                async with connected(empty_database_url) as other:
                    await other.execute(sa.text("SET LOCAL lock_timeout = 2000"))
                    await other.execute(sa.text("UPDATE player SET seen_ms = 1"))
                seen += 1
        assert not migrating.done()
    await migrating
    async with connected(empty_database_url) as connection:
        assert (await connection.execute(sa.text("SELECT version_num FROM alembic_version"))).scalar_one() > "0004"


async def test_a_database_that_never_answers_is_given_up(free_port: int) -> None:
    settings = settings_for(f"postgresql+asyncpg://nobody@127.0.0.1:{free_port}/none", database_wait_ms=300)
    with pytest.raises(DatabaseAway, match="300 ms"):
        await bring_up_to_date(settings)


async def test_it_waits_for_a_database_that_is_still_starting(empty_database_url: str) -> None:
    url = make_url(empty_database_url)
    attempts = 0

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
        target.close()

    async def hang_up_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal attempts
        attempts += 1
        if attempts <= 2:
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection(url.host, url.port)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    async with await asyncio.start_server(hang_up_twice, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await bring_up_to_date(settings_for(url.set(port=port).render_as_string(hide_password=False)))
    assert attempts > 2
    async with connected(empty_database_url) as connection:
        assert (await connection.execute(sa.text("SELECT count(*) FROM heartbeat"))).scalar_one() == 1


async def test_a_database_with_steps_of_a_later_release_is_left_as_it_is(
    empty_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    await bring_up_to_date(settings_for(empty_database_url))
    before = await catalogue(empty_database_url)
    async with connected(empty_database_url) as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await bring_up_to_date(settings_for(empty_database_url))
    assert "nothing to do: the database is at step 9999, a later release's" in caplog.text
    assert await catalogue(empty_database_url) == before
    async with connected(empty_database_url) as connection:
        assert (await connection.execute(sa.text("SELECT version_num FROM alembic_version"))).scalar_one() == "9999"


async def test_a_database_at_a_step_of_nobodys_is_refused(empty_database_url: str) -> None:
    await bring_up_to_date(settings_for(empty_database_url))
    async with connected(empty_database_url) as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '0000'"))
    with pytest.raises(CommandError, match="0000"):
        await bring_up_to_date(settings_for(empty_database_url))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("application_name", "flagfall-game"),
        ("transaction_isolation", "read committed"),
        ("synchronous_commit", "on"),
        ("jit", "off"),
        ("statement_timeout", "1234ms"),
    ],
)
async def test_connections_are_set_up(empty_database_url: str, name: str, value: str) -> None:
    engine = open_engine(settings_for(empty_database_url, statement_timeout_ms=1234))
    async with transaction(engine) as connection:
        assert (await connection.execute(sa.text(f"SHOW {name}"))).scalar_one() == value
    await engine.dispose()


async def test_a_slow_statement_is_a_timeout_and_the_connection_stays_good(empty_database_url: str) -> None:
    engine = open_engine(settings_for(empty_database_url, statement_timeout_ms=100))
    with pytest.raises(TimeoutError):
        async with transaction(engine) as connection:
            await connection.execute(sa.text("SELECT pg_sleep(10)"))
    async with transaction(engine) as connection:
        assert (await connection.execute(sa.text("SELECT 1"))).scalar_one() == 1
    await engine.dispose()


async def test_a_connection_that_the_server_ended_is_the_database_being_away(empty_database_url: str) -> None:
    engine = open_engine(settings_for(empty_database_url, pool_connections=2))

    async def lose_it() -> None:
        async with transaction(engine) as connection:
            backend = (await connection.execute(sa.text("SELECT pg_backend_pid()"))).scalar_one()
            async with connected(empty_database_url) as other:
                await other.execute(sa.text("SELECT pg_terminate_backend(:backend)"), {"backend": backend})
            await connection.execute(sa.text("SELECT 1"))

    with pytest.raises(DatabaseAway):
        await lose_it()
    async with transaction(engine) as connection:
        assert (await connection.execute(sa.text("SELECT 1"))).scalar_one() == 1
    await engine.dispose()


async def test_without_a_server_the_database_is_away(free_port: int) -> None:
    engine = open_engine(settings_for(f"postgresql+asyncpg://nobody@127.0.0.1:{free_port}/none"))
    with pytest.raises(ConnectionError):
        async with transaction(engine):
            pass
    await engine.dispose()


async def test_the_mode_for_a_pooler_keeps_nothing_at_the_server(empty_database_url: str) -> None:
    engine = open_engine(settings_for(empty_database_url, database_pooled=True, pool_connections=2))
    async with transaction(engine) as connection:
        for number in range(3):
            statement = sa.text("SELECT CAST(:number AS int8) + 1")
            assert (await connection.execute(statement, {"number": number})).scalar_one() == number + 1
        named = await connection.execute(sa.text("SELECT count(*) FROM pg_prepared_statements"))
        assert named.scalar_one() == 0
    await engine.dispose()


async def test_a_request_that_finds_no_free_connection_is_refused_in_time(empty_database_url: str) -> None:
    engine = open_engine(settings_for(empty_database_url, pool_connections=2, connection_wait_ms=50))
    async with transaction(engine) as one, transaction(engine) as other:
        await asyncio.gather(one.execute(sa.text("SELECT 1")), other.execute(sa.text("SELECT 1")))
        assert REGISTRY.get_sample_value("flagfall_pool_connections_in_use") == 2
        with pytest.raises(Overloaded):
            async with transaction(engine):
                pass
    assert REGISTRY.get_sample_value("flagfall_pool_connections_in_use") == 0
    await engine.dispose()


@pytest.fixture
async def rows_of_0002(empty_database_url: str) -> str:
    """A database as the second step left it, with a game, its first event, a challenge and all kinds of news."""
    three = common_pb2.RuleSet(
        repetition=common_pb2.REPETITION_CLAIM_THREE_AUTOMATIC_FIVE,
        move_count=common_pb2.MOVE_COUNT_CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE,
        win_on_time=common_pb2.WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD,
    )
    info = events_pb2.GameInfo(id="gameOf02", variant="standard", rule_set=three, source="friend")
    summary = events_pb2.GameSummary(info=info)
    challenge = events_pb2.Challenge(id="gameOf03", rule_set=three)
    created = events_pb2.GameEvent(
        kind=events_pb2.GAME_EVENT_KIND_CREATED, state=events_pb2.GameState(game_id="gameOf02", version=1), info=info
    )
    news = [
        events_pb2.PlayerEvent(challenge=challenge),
        events_pb2.PlayerEvent(challenge_canceled=challenge),
        events_pb2.PlayerEvent(challenge_declined=challenge),
        events_pb2.PlayerEvent(game_start=summary),
        events_pb2.PlayerEvent(game_finish=summary),
    ]
    async with connected(empty_database_url) as connection:
        await connection.run_sync(lambda plain: command.upgrade(configuration(plain), "0002"))
        for name in ("anna", "a" * 30):
            await connection.execute(
                sa.text("INSERT INTO player (id, name, guest, created_ms, seen_ms) VALUES (:n, :n, false, 0, 0)"),
                {"n": name},
            )
            for number, event in enumerate(news):
                event.player_id, event.seq = name, (1 if name == "anna" else 300) + number
                values = {"n": name, "seq": event.seq, "payload": event.SerializeToString()}
                await connection.execute(sa.text("INSERT INTO player_event VALUES (:n, :seq, :payload, 0)"), values)
        control = common_pb2.TimeControl(unlimited=common_pb2.Unlimited()).SerializeToString()
        await connection.execute(
            sa.text(
                "INSERT INTO game (id, variant, rule_set, time_control, rated, source, created_ms, white_id,"
                " white_name, white_guest, black_id, black_name, black_guest, version, fen, keys, ply, turn, in_check,"
                " legal, white_ms, black_ms, turn_started_ms) VALUES ('gameOf02', 'standard', :rules, :control, false,"
                " 'friend', 0, 'anna', 'Anna', false, 'bert', 'Bert', false, 2, 'fen', '', 1, 1, false, '', 0, 0, 0)"
            ),
            {"rules": three.SerializeToString(), "control": control},
        )
        moved = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE)
        for version, game_event in ((1, created), (2, moved)):
            await connection.execute(
                sa.text("INSERT INTO game_event (game_id, version, payload, at_ms) VALUES ('gameOf02', :v, :p, 0)"),
                {"v": version, "p": game_event.SerializeToString()},
            )
        await connection.execute(
            sa.text(
                "INSERT INTO challenge (id, status, open, challenger_id, variant, rule_set, time_control, rated,"
                " challenger_color, final_color, created_ms, expires_ms)"
                " VALUES ('gameOf03', 1, true, 'anna', 'standard', :rules, :control, false, 0, 1, 0, 1)"
            ),
            {"rules": three.SerializeToString(), "control": control},
        )
    return empty_database_url


async def test_rule_sets_of_three_fields_say_the_rest_of_what_they_were_played_by(rows_of_0002: str) -> None:
    await bring_up_to_date(settings_for(rows_of_0002))
    async with connected(rows_of_0002) as connection:
        game = (await sql_store.load(connection, ["gameOf02"]))["gameOf02"]
        assert game is not None
        assert game.terms.rule_set == CLAIMED
        challenge = await sql_challenges.find(connection, "gameOf03")
        assert challenge is not None
        assert challenge.wish.rule_set == CLAIMED
        rows = (await connection.execute(sa.text("SELECT payload FROM game_event ORDER BY version"))).scalars().all()
        first, second = (events_pb2.GameEvent.FromString(payload) for payload in rows)
        assert rule_set_from_pb(first.info.rule_set) == CLAIMED
        assert (first.info.id, first.state.version) == ("gameOf02", 1)
        assert second == events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE)
        told = (await connection.execute(sa.text("SELECT payload FROM player_event ORDER BY seq"))).scalars().all()
    seen = []
    for payload in told:
        event = events_pb2.PlayerEvent.FromString(payload)
        content = getattr(event, event.WhichOneof("content") or "")
        rules = content.rule_set if isinstance(content, events_pb2.Challenge) else content.info.rule_set
        assert rule_set_from_pb(rules) == CLAIMED
        seen.append((event.WhichOneof("content"), event.seq))
    kinds = ["challenge", "challenge_canceled", "challenge_declined", "game_start", "game_finish"]
    assert seen == [(kind, first + number) for first in (1, 300) for number, kind in enumerate(kinds)]


@pytest.mark.parametrize("state", ["55P03", "40P01"])
async def test_a_step_that_met_play_is_taken_again(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    """A lock waited for in vain, or play that waited for the step while the step waited for play."""
    taken = migration._take_steps
    met: list[str] = []

    async def meets_play(engine: AsyncEngine, settings: GameSettings, known: str) -> str:
        if not met:
            met.append(state)
            async with engine.begin() as connection:
                raising = f"DO $$ BEGIN RAISE EXCEPTION 'in use' USING ERRCODE = '{state}'; END $$"
                await connection.exec_driver_sql(raising)
        return await taken(engine, settings, known)

    monkeypatch.setattr(migration, "_take_steps", meets_play)
    await bring_up_to_date(GameSettings(database_url=empty_database_url))
    assert met == [state]
