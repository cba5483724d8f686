-- Outside of a transaction, so that calls are written meanwhile. A try that failed leaves an index that does not count.
drop index concurrently if exists calls_party;
-- The calls with one number: the caller's, or that of the person called.
create index concurrently calls_party on calls (account_id, (case direction when 'inbound' then from_number else to_number end), started_at, id);
