-- A running call as another machine's engine would need it to go on with it, sealed with the installation's key. One
-- row a call, replaced as a whole every few seconds at most, gone with the call. `written_at` is by the database's clock.
create table call_continuations (
  call_id text primary key not null,
  engine_id text not null,
  sealed text not null,
  written_at bigint not null
);
-- Rows are replaced in their pages.
alter table call_continuations set (fillfactor = 50);
