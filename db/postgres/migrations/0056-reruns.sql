-- Calls that are read again for what their business and their campaign want to know of them now (docs/results.md).
create table reruns (
  id text primary key not null,
  account_id text not null references accounts (id),
  business_id text not null,
  campaign_id text,
  from_ms bigint,
  to_ms bigint,
  missing_only bigint not null,
  webhooks bigint not null,
  status text not null,
  total bigint not null,
  done bigint not null default 0,
  failed bigint not null default 0,
  error text,
  touched_at bigint not null,
  created_at bigint not null,
  ended_at bigint
);
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
);
create index rerun_calls_waiting on rerun_calls (rerun_id, call_id) where error is null;
