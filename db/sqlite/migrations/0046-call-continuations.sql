-- With SQLite there is one engine, and nobody writes here: its calls are in the journal on its disk.
create table call_continuations (
  call_id text primary key not null,
  engine_id text not null,
  sealed text not null,
  written_at integer not null
) strict;
