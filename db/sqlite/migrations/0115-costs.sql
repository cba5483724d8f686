-- What calls and conversations used, until it is priced; what each cost, line by line; and the sums by day.
create table call_uses (
  id text primary key,
  account_id text not null,
  subject_id text not null,
  uses text not null,
  created_at integer not null
) strict;
create table costs (
  subject_id text primary key,
  account_id text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  began_at integer not null,
  lines text not null,
  currency text,
  llm integer,
  stt integer,
  tts integer,
  trunk integer,
  total integer,
  is_estimated integer not null,
  is_partial integer not null
) strict;
create index costs_of_account on costs (account_id, began_at);
create table cost_days (
  account_id text not null,
  day text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  currency text not null,
  calls integer not null,
  partial_calls integer not null,
  llm integer not null,
  stt integer not null,
  tts integer not null,
  trunk integer not null,
  total integer not null,
  primary key (account_id, day, business_id, campaign_id, agent_id, currency)
) strict;
create index cost_days_of_all on cost_days (day);
alter table calls add column cost text;
-- Over which trunk a transferred leg goes, and whom it calls: its price follows, once it is over.
alter table transfer_legs add column trunk_id text;
alter table transfer_legs add column number text not null default '';
