-- Recordings in an object store: where each is, and its key there. Without a store all of these stay null.
alter table calls add column recording_state text;
alter table calls add column recording_key text;
alter table calls add column recording_bytes integer;

-- Those that are still on an engine's disk only.
create index calls_unstored on calls (recording_state, started_at)
  where recording_state <> 'stored' and recording_state <> 'lost';

-- Files of the object store that are to be deleted.
create table file_deletions (
  key text primary key not null,
  due_at integer not null,
  created_at integer not null
) strict, without rowid;
create index file_deletions_due on file_deletions (due_at);
