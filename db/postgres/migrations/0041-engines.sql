-- Engines and APIs by process, in place of the one engine's row; a request names the engine that it is for; leases with
-- an epoch for what one process at a time may do; the operations of an engine's spool that have been applied.
create table engines (
  id text primary key not null,
  home text not null,
  release text not null,
  pid bigint not null,
  hostname text not null,
  pid_namespace text,
  started_at bigint not null,
  heartbeat_at bigint not null,
  state text not null check (state in ('starting', 'up', 'draining', 'stopped', 'dead')),
  sip_uri text,
  media_ws_url text,
  control_url text,
  telephony_up bigint not null,
  max_calls bigint not null,
  active_calls bigint not null,
  is_late bigint not null default 0,
  models text not null,
  metrics text not null
);
drop table engine_state;

create table processes (
  id text primary key not null,
  kind text not null,
  hostname text not null,
  started_at bigint not null,
  heartbeat_at bigint not null
);

create table leases (
  name text primary key not null,
  holder text not null,
  epoch bigint not null,
  expires_at bigint not null
);

create table applied_operations (
  id text primary key not null,
  applied_at bigint not null
);
create index applied_operations_age on applied_operations (applied_at);

alter table engine_requests add column target text;

-- The table of Kamailio's dispatcher: engines that would take a call (docs/cluster.md).
create view kamailio_dispatcher as
  select row_number() over (order by id)::int as id, 1 as setid, sip_uri as destination, 0 as flags, 0 as priority,
    '' as attrs, hostname as description
  from engines
  where state = 'up' and sip_uri is not null
    and heartbeat_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - 10000;
