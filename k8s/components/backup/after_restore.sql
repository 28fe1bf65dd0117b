-- What a database needs that was put back to an earlier moment, by a dump or to a point in time, before Flagfall runs on
-- it. Once for each restore; a second time does no harm.
--
-- Clients, alarms and tasks may have seen versions that the database no longer has. Played on from there, it would give
-- the same numbers to other events, and who has seen the old ones would take the new ones for known. So every number
-- that somebody may hold leaps over all that can have been given: whoever comes back is too far behind to be told event
-- by event, and gets the whole state.

-- Games that go on, and those that ended in the last days before the moment: an end may be undone for a day.
UPDATE game SET version = version + 100000
WHERE end_reason = 0 OR ended_ms > (SELECT last_ms FROM heartbeat WHERE id = 1) - 3 * 86400000::bigint;

-- What each person is told of the own affairs, and the parties that are open.
UPDATE player SET event_seq = event_seq + 1000000;
UPDATE party SET version = version + 100000 WHERE NOT closed;

SELECT format('ANALYZE public.%I', relname) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' \gexec
