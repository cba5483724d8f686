-- Engines and APIs by process, in place of the one engine's row; a request names the engine that it is for; leases with
-- an epoch for what one process at a time may do; the operations of an engine's spool that have been applied.
create table engines (
  id text primary key not null,
  home text not null,
  release text not null,
  pid integer not null,
  hostname text not null,
  pid_namespace text,
  started_at integer not null,
  heartbeat_at integer not null,
  state text not null check (state in ('starting', 'up', 'draining', 'stopped', 'dead')),
  sip_uri text,
  media_ws_url text,
  control_url text,
  telephony_up integer not null,
  max_calls integer not null,
  active_calls integer not null,
  is_late integer not null default 0,
  models text not null,
  metrics text not null
) strict;
drop table engine_state;

create table processes (
  id text primary key not null,
  kind text not null,
  hostname text not null,
  started_at integer not null,
  heartbeat_at integer not null
) strict;

create table leases (
  name text primary key not null,
  holder text not null,
  epoch integer not null,
  expires_at integer not null
) strict;

create table applied_operations (
  id text primary key not null,
  applied_at integer not null
) strict;
create index applied_operations_age on applied_operations (applied_at);

alter table engine_requests add column target text;
