-- Public keys by which visitors of web sites call and write to a campaign's agent, and what was done by them: counts of
-- each day of UTC, refusals by their reason, calls. An old key is taken until `previous_until`.
create table widget_keys (
  id text primary key not null,
  account_id text not null,
  campaign_id text not null,
  name text not null,
  public_key text not null,
  previous_key text,
  previous_until integer,
  origins text not null,
  allows text not null,
  calls_per_day integer not null,
  minutes_per_day integer not null,
  messages_per_day integer not null,
  calls_at_once integer not null,
  captcha_url text,
  expires_at integer,
  is_active integer not null,
  created_at integer not null
) strict;
create unique index widget_keys_by_key on widget_keys (public_key);
create index widget_keys_by_previous on widget_keys (previous_key) where previous_key is not null;
create index widget_keys_of_account on widget_keys (account_id, created_at, id);

create table widget_days (
  key_id text not null,
  day integer not null,
  account_id text not null,
  calls integer not null,
  messages integer not null,
  primary key (key_id, day)
) strict;

create table widget_refusals (
  key_id text not null,
  day integer not null,
  reason text not null,
  account_id text not null,
  requests integer not null,
  origin text,
  last_at integer not null,
  primary key (key_id, day, reason)
) strict;

create table widget_calls (
  call_id text primary key not null,
  account_id text not null,
  key_id text not null,
  created_at integer not null
) strict;
create index widget_calls_of_key on widget_calls (key_id, created_at);
create index widget_calls_by_age on widget_calls (created_at);
