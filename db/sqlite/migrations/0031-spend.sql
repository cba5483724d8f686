-- Minutes of outbound calls by hour (db/rules/spend.ts): what an account spends, and whether it called lately.
create table account_hours (
  -- '' is the installation: all accounts together.
  account_id text not null,
  -- Hours since the epoch.
  hour integer not null,
  outbound_seconds integer not null,
  -- Calls of any direction that began in the hour; not kept for the installation.
  calls integer not null,
  primary key (account_id, hour)
) strict, without rowid;
create index account_hours_by_hour on account_hours (hour, account_id);

-- Legs of transfers under way over a trunk: they have no call of their own.
create table transfer_legs (
  call_id text primary key not null,
  account_id text not null,
  answered_at integer
) strict, without rowid;

alter table accounts add column spend_limits text;
