-- The roles of Flagfall's database: one that owns and migrates, one that serves, one that backs up, one that watches.
--
--   FLAGFALL_OWNER_PASSWORD=... FLAGFALL_APP_PASSWORD=... psql -X -v ON_ERROR_STOP=1 -d flagfall -f roles.sql
--
-- Run it as an administrator (a superuser, or a role with CREATEROLE that owns the database), connected to Flagfall's
-- database, before the first migration or at any time after. It may run again and again: it sets the passwords that it
-- is given, takes over tables that another role made, and grants what is missing. A role that is there and whose password
-- is not given keeps its password, and may log in or not as before. As a file of /docker-entrypoint-initdb.d it needs
-- nothing but the variables. psql 15 or newer.
--
--   flagfall_owner    `services.game migrate`; owns every table         FLAGFALL_OWNER_PASSWORD   (the first time)
--   flagfall_app      `services.game serve`; reads and writes rows      FLAGFALL_APP_PASSWORD     (the first time)
--   flagfall_backup   pg_dump; reads rows, changes nothing              FLAGFALL_BACKUP_PASSWORD  (until then no login)
--   flagfall_monitor  an exporter; sees PostgreSQL's statistics, no row FLAGFALL_MONITOR_PASSWORD (until then no login)

\set ON_ERROR_STOP 1
\getenv owner_password FLAGFALL_OWNER_PASSWORD
\getenv app_password FLAGFALL_APP_PASSWORD
\getenv backup_password FLAGFALL_BACKUP_PASSWORD
\getenv monitor_password FLAGFALL_MONITOR_PASSWORD
\if :{?backup_password}
\else
    \set backup_password ''
\endif
\if :{?monitor_password}
\else
    \set monitor_password ''
\endif
\if :{?owner_password}
\else
    \set owner_password ''
\endif
\if :{?app_password}
\else
    \set app_password ''
\endif
SELECT rolsuper AS superuser, EXISTS (
    SELECT FROM (VALUES ('flagfall_owner', :'owner_password'), ('flagfall_app', :'app_password')) AS given(name, password)
    WHERE password = '' AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
) AS lacking
FROM pg_roles WHERE rolname = current_user \gset
\if :lacking
    DO $$ BEGIN RAISE EXCEPTION 'FLAGFALL_OWNER_PASSWORD and FLAGFALL_APP_PASSWORD must be set'; END $$;
\endif

-- The next statements contain passwords, which must not be written to the server's log.
\if :superuser
    SET log_statement = 'none';
    SET log_min_duration_statement = -1;
    SET log_min_error_statement = 'panic';
\endif
SET client_min_messages = warning;
SET password_encryption = 'scram-sha-256';

BEGIN;

SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['flagfall_owner', 'flagfall_app', 'flagfall_backup', 'flagfall_monitor']) AS wanted(name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

-- Revoke everything that is not granted below.
SELECT format('ALTER ROLE %I NOCREATEDB NOCREATEROLE NOINHERIT', name)
FROM unnest(ARRAY['flagfall_owner', 'flagfall_app', 'flagfall_backup']) AS ours(name) \gexec
ALTER ROLE flagfall_monitor NOCREATEDB NOCREATEROLE INHERIT;
SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', name, password)
FROM (VALUES
    ('flagfall_owner', :'owner_password'),
    ('flagfall_app', :'app_password'),
    ('flagfall_backup', :'backup_password'),
    ('flagfall_monitor', :'monitor_password')
) AS given(name, password)
WHERE password <> '' \gexec

-- An administrator who is not a superuser needs the owner's role below.
\if :superuser
\else
    GRANT flagfall_owner TO CURRENT_USER;
\endif

-- Settings that a pooler does not pass on are set on the role. Without a pooler `serve` sets them itself.
ALTER ROLE flagfall_app SET statement_timeout = '5s';
ALTER ROLE flagfall_app SET idle_in_transaction_session_timeout = '10s';
ALTER ROLE flagfall_app SET jit = off;
ALTER ROLE flagfall_app SET synchronous_commit = on;
ALTER ROLE flagfall_owner SET jit = off;
ALTER ROLE flagfall_backup SET default_transaction_read_only = on;
ALTER ROLE flagfall_monitor SET default_transaction_read_only = on;
ALTER ROLE flagfall_monitor SET statement_timeout = '10s';

-- No other role may connect, and only the owner may create objects, temporary tables included.
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"DBNAME" TO flagfall_owner, flagfall_app, flagfall_backup, flagfall_monitor;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO flagfall_owner;
GRANT USAGE ON SCHEMA public TO flagfall_app, flagfall_backup;
GRANT pg_monitor TO flagfall_monitor;

-- Tables that another role created are given to the owner, with the sequences of their columns.
SELECT format('ALTER TABLE public.%I OWNER TO flagfall_owner', relname)
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relowner <> 'flagfall_owner'::regrole \gexec

-- Access to rows, of existing tables and of tables that migrations will create.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO flagfall_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO flagfall_app;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO flagfall_backup;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO flagfall_backup;
ALTER DEFAULT PRIVILEGES FOR ROLE flagfall_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO flagfall_app;
ALTER DEFAULT PRIVILEGES FOR ROLE flagfall_owner IN SCHEMA public GRANT USAGE ON SEQUENCES TO flagfall_app;
ALTER DEFAULT PRIVILEGES FOR ROLE flagfall_owner IN SCHEMA public GRANT SELECT ON TABLES TO flagfall_backup;
ALTER DEFAULT PRIVILEGES FOR ROLE flagfall_owner IN SCHEMA public GRANT SELECT ON SEQUENCES TO flagfall_backup;
-- Only the migration may change which steps are recorded.
SELECT 'REVOKE INSERT, UPDATE, DELETE ON public.alembic_version FROM flagfall_app'
WHERE to_regclass('public.alembic_version') IS NOT NULL \gexec

COMMIT;
