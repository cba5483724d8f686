-- Calls that are to be placed at a time. Each is deleted when it is placed or cancelled: from then on it is a call.
create table scheduled_calls (
  id text primary key not null,
  account_id text not null references accounts (id),
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  phone_number_id text not null,
  from_number text not null,
  to_number text not null,
  variables text,
  metadata text,
  scheduled_at bigint not null,
  next_try_at bigint not null,
  requested_by text not null,
  in_call_id text,
  reason text,
  problem text,
  created_at bigint not null
);
create index scheduled_calls_due on scheduled_calls (next_try_at);
create index scheduled_calls_list on scheduled_calls (account_id, scheduled_at, id);
create unique index scheduled_calls_of_call on scheduled_calls (in_call_id) where in_call_id is not null;
