-- What calls and conversations used, until it is priced; what each cost, line by line; and the sums by day.
create table call_uses (
  id text primary key,
  account_id text not null,
  subject_id text not null,
  uses text not null,
  created_at bigint not null
);
create table costs (
  subject_id text primary key,
  account_id text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  began_at bigint not null,
  lines text not null,
  currency text,
  llm bigint,
  stt bigint,
  tts bigint,
  trunk bigint,
  total bigint,
  is_estimated bigint not null,
  is_partial bigint not null
);
create index costs_of_account on costs (account_id, began_at);
create table cost_days (
  account_id text not null,
  day text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  currency text not null,
  calls bigint not null,
  partial_calls bigint not null,
  llm bigint not null,
  stt bigint not null,
  tts bigint not null,
  trunk bigint not null,
  total bigint not null,
  primary key (account_id, day, business_id, campaign_id, agent_id, currency)
);
create index cost_days_of_all on cost_days (day);
alter table calls add column cost text;
-- Over which trunk a transferred leg goes, and whom it calls: its price follows, once it is over.
alter table transfer_legs add column trunk_id text;
alter table transfer_legs add column number text not null default '';
