-- Rules of tenants that watch a figure of their calls, and each time that one fired. Values are millionths.
create table alert_rules (
  id text primary key,
  account_id text not null,
  name text not null,
  metric text not null,
  comparison text not null,
  threshold bigint not null,
  window_minutes bigint not null,
  minimum_calls bigint not null,
  business_id text,
  campaign_id text,
  agent_id text,
  notify text not null,
  notify_sealed text,
  timezone text not null,
  is_active bigint not null,
  due_at bigint not null,
  firing_id text,
  value bigint,
  value_calls bigint not null,
  evaluated_at bigint,
  created_at bigint not null
);
create index alert_rules_of_account on alert_rules (account_id, created_at, id);
create index alert_rules_due on alert_rules (due_at) where is_active = 1;
create table alert_firings (
  id text primary key,
  account_id text not null,
  rule_id text not null,
  metric text not null,
  comparison text not null,
  threshold bigint not null,
  window_minutes bigint not null,
  value bigint not null,
  calls bigint not null,
  ended_value bigint,
  ended_at bigint,
  created_at bigint not null
);
create index alert_firings_of_rule on alert_firings (account_id, rule_id, created_at, id);
create index alert_firings_old on alert_firings (created_at);
