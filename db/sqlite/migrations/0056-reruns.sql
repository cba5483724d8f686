-- Calls that are read again for what their business and their campaign want to know of them now (docs/results.md).
create table reruns (
  id text primary key not null,
  account_id text not null references accounts (id),
  business_id text not null,
  campaign_id text,
  from_ms integer,
  to_ms integer,
  missing_only integer not null,
  webhooks integer not null,
  status text not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  error text,
  touched_at integer not null,
  created_at integer not null,
  ended_at integer
) strict;
-- One at a time for a business.
create unique index reruns_open on reruns (business_id) where ended_at is null;
create index reruns_list on reruns (account_id, business_id, created_at, id);
create index reruns_ended on reruns (ended_at) where ended_at is not null;

-- The calls that wait, and those that failed; done ones are gone.
create table rerun_calls (
  rerun_id text not null,
  account_id text not null,
  call_id text not null,
  error text,
  primary key (rerun_id, call_id)
) strict;
create index rerun_calls_waiting on rerun_calls (rerun_id, call_id) where error is null;
