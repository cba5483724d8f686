-- The schema of PostgreSQL, equal to SQLite's of that version. Times are ms since the epoch, booleans 0 or 1, JSON is text.

create table accounts (
  id text primary key not null,
  name text not null,
  plan text not null check (plan in ('STARTER', 'PRO', 'ENTERPRISE')),
  timezone text not null,
  default_campaign_id text,
  overage_enabled bigint not null,
  billing_customer_id text,
  created_at bigint not null,
  retention_days bigint,
  destinations text,
  spend_limits text
);

create table account_usage (
  account_id text not null,
  month text not null,
  seconds bigint not null,
  primary key (account_id, month)
);

create table users (
  id text primary key not null,
  account_id text not null,
  email text not null,
  password_hash text,
  role text not null check (role in ('USER', 'ADMIN')),
  email_verified_at bigint,
  totp_secret text,
  totp_enabled_at bigint,
  totp_last_step bigint,
  created_at bigint not null,
  session_generation bigint not null default 0
);

create table recovery_codes (
  user_id text not null,
  code_hash text not null,
  used_at bigint,
  primary key (user_id, code_hash)
);

create table login_failures (
  key text primary key not null,
  failures bigint not null,
  first_at bigint not null,
  locked_until bigint
);

create table refresh_tokens (
  token_hash text primary key not null,
  family_id text not null,
  user_id text not null,
  expires_at bigint not null,
  used_at bigint,
  revoked_at bigint,
  created_at bigint not null,
  app_env text,
  signed_in_at bigint,
  user_agent text,
  address text
);

create table revoked_tokens (
  jti text primary key not null,
  expires_at bigint not null
);

create table one_time_tokens (
  token_hash text primary key not null,
  kind text not null check (kind in ('verify-email', 'invite', 'reset', 'pending-2fa')),
  user_id text not null,
  tries bigint not null,
  expires_at bigint not null,
  used_at bigint,
  created_at bigint not null,
  app_env text
);

create table access_tokens (
  id text primary key not null,
  account_id text not null,
  user_id text not null,
  name text not null,
  token_hash text not null,
  role text not null check (role in ('USER', 'ADMIN')),
  last_used_at bigint,
  revoked_at bigint,
  created_at bigint not null,
  app_env text
);

create table agents (
  id text primary key not null,
  account_id text not null,
  name text not null,
  description text,
  voice_id text not null,
  language text not null,
  primary_language text not null,
  additional_languages text not null,
  is_active bigint not null,
  created_at bigint not null,
  deleted_at bigint,
  conversation text not null default '{}'
);

create table businesses (
  id text primary key not null,
  account_id text not null,
  name text not null,
  industry text,
  description text,
  timezone text not null,
  address text,
  phone text,
  email text,
  hours text not null,
  services text not null,
  faqs text not null,
  policies text not null,
  system_prompt text,
  greeting_template text,
  fallback_message text,
  transfer_number text,
  voice_settings text not null,
  interruption_sensitivity double precision not null,
  max_call_duration_minutes bigint not null,
  silence_threshold_ms bigint not null,
  business_context text,
  created_at bigint not null,
  deleted_at bigint,
  currency text,
  silence_threshold_chosen bigint not null default 0 check (silence_threshold_chosen in (0, 1)),
  dialogue_fallback text check (dialogue_fallback in ('receptionist', 'message'))
);

create table business_audit (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  actor text not null,
  action text not null,
  changes text not null,
  created_at bigint not null
);

create table campaigns (
  id text primary key not null,
  account_id text not null,
  name text not null,
  description text,
  agent_id text not null,
  business_id text not null,
  status text not null,
  scheduled_at bigint,
  calling_window text,
  max_concurrent_calls bigint not null,
  max_attempts bigint not null,
  retry_delay_minutes bigint not null,
  voicemail_action text not null check (voicemail_action in ('hangup', 'leave_message')),
  voicemail_message text,
  recording_enabled bigint not null,
  recording_format text not null check (recording_format in ('wav', 'mp3')),
  started_at bigint,
  completed_at bigint,
  created_at bigint not null,
  deleted_at bigint,
  greeting_template text,
  instructions text
);

create table contacts (
  id text primary key not null,
  account_id text not null,
  campaign_id text not null,
  phone_number text not null,
  name text,
  email text,
  status text not null,
  attempts bigint not null,
  last_call_id text,
  next_attempt_at bigint,
  created_at bigint not null,
  variables text not null default '{}',
  metadata text not null default '{}'
);

create table calls (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  phone_number_id text,
  contact_id text,
  direction text not null check (direction in ('inbound', 'outbound')),
  medium text not null check (medium in ('sip', 'web')),
  from_number text not null,
  to_number text not null,
  caller_name text,
  status text not null,
  outcome text,
  end_reason text,
  started_at bigint not null,
  answered_at bigint,
  ended_at bigint,
  duration_seconds bigint not null,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  summary text,
  tags text not null,
  transcript text not null,
  latency text,
  recording_path text,
  recording_format text check (recording_format in ('wav', 'mp3')),
  trunk_id text,
  engine_id text,
  created_at bigint not null,
  usage text,
  fallbacks text not null default '[]',
  sip_status bigint,
  q850_cause bigint,
  variables text not null default '{}',
  metadata text not null default '{}',
  erased_at bigint,
  record_json text,
  waits text
);

create table call_dialogs (
  call_id text not null,
  leg text not null,
  dialog text not null,
  updated_at bigint not null,
  primary key (call_id, leg)
);

create table call_feed (
  seq bigint primary key generated by default as identity,
  account_id text not null,
  call_id text not null,
  type text not null check (type in ('transcript', 'state', 'latency', 'ended')),
  data text not null,
  created_at bigint not null
);

create table call_counts (
  account_id text not null,
  filter text not null,
  value text not null,
  day text not null,
  total bigint not null,
  changes bigint not null default 0,
  primary key (account_id, filter, value, day)
);

create table dial_attempts (
  id text primary key not null,
  account_id text not null,
  call_id text not null,
  campaign_id text not null,
  contact_id text,
  to_number text not null,
  trunk_id text,
  claimed_at bigint not null,
  ended_at bigint,
  outcome text
);

create table engine_requests (
  id text primary key not null,
  account_id text not null,
  kind text not null,
  call_id text,
  payload text not null,
  created_at bigint not null,
  expires_at bigint not null,
  claimed_at bigint,
  claimed_by text,
  done_at bigint,
  result text
);

create table events (
  seq bigint primary key generated by default as identity,
  id text not null,
  account_id text not null,
  type text not null,
  subject_id text not null,
  dedupe text not null,
  data text not null,
  created_at bigint not null
);

create table webhooks (
  id text primary key not null,
  account_id text not null,
  url text not null,
  events text not null,
  is_active bigint not null,
  secret_digest text not null,
  last_triggered_at bigint,
  failure_count bigint not null,
  failing_since bigint,
  disabled_reason text,
  created_at bigint not null,
  deleted_at bigint,
  active_from_seq bigint not null default 0,
  delivery_count bigint not null default 0,
  delivered_count bigint not null default 0
);

create table webhook_queue (
  webhook_id text not null,
  event_seq bigint not null,
  account_id text not null,
  attempts bigint not null,
  next_attempt_at bigint not null,
  created_at bigint not null,
  primary key (webhook_id, event_seq)
);

create table webhook_deliveries (
  id text primary key not null,
  account_id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  url text not null,
  attempt bigint not null,
  success bigint not null,
  status_code bigint,
  request_body text not null,
  response_body text,
  error text,
  duration_ms bigint not null,
  is_replay bigint not null,
  is_test bigint not null,
  created_at bigint not null,
  next_retry_at bigint
);

create table cursors (
  name text primary key not null,
  value bigint not null
);

create table phone_numbers (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  country text,
  area_code text,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  capabilities text not null,
  monthly_cost double precision not null,
  campaign_id text,
  is_active bigint not null,
  status text not null check (status in ('active', 'releasing', 'released')),
  trunk_id text,
  created_at bigint not null,
  released_at bigint,
  suspended_at bigint,
  sip_alias text
);

create table inventory (
  phone_number text primary key not null,
  country text not null,
  area_code text,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  capabilities text not null,
  monthly_cost double precision not null,
  trunk_id text,
  reserved_by text,
  reserved_until bigint,
  owned_by text,
  retired_at bigint,
  created_at bigint not null
);

create table charges (
  id text primary key not null,
  account_id text not null,
  kind text not null check (kind in ('number', 'overage')),
  phone_number text,
  amount double precision not null,
  currency text not null,
  status text not null check (status in ('recorded', 'pending', 'paid', 'refunded', 'failed')),
  payment_intent_id text,
  attempts bigint not null,
  purpose text not null,
  idempotency_key text,
  failing_since bigint,
  created_at bigint not null,
  settled_at bigint,
  phone_number_id text,
  campaign_id text,
  is_purchase bigint not null default 0,
  is_undone bigint not null default 0,
  attended_until bigint not null default 0
);

create table port_orders (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  loa_signed_at text not null,
  account_holder text not null,
  status text not null check (status in ('DRAFT', 'SUBMITTED', 'IN_REVIEW', 'FOC_SCHEDULED', 'COMPLETED', 'REJECTED', 'CANCELLED')),
  status_history text not null,
  foc_date text,
  created_at bigint not null
);

create table port_documents (
  id text primary key not null,
  account_id text not null,
  port_order_id text not null,
  kind text not null check (kind in ('loa', 'bill')),
  content_type text not null,
  file_name text not null,
  path text not null,
  bytes bigint not null,
  created_at bigint not null
);

create table trunks (
  id text primary key not null,
  name text not null,
  host text not null,
  port bigint not null,
  transport text not null check (transport in ('udp', 'tcp', 'tls')),
  username text,
  password_sealed text,
  auth_username text,
  from_domain text,
  outbound_proxy text,
  register bigint not null,
  inbound_allow text not null,
  codecs text not null,
  max_concurrent_calls bigint not null,
  calls_per_second bigint not null,
  country text,
  dial_format text not null check (dial_format in ('e164', '00', 'national')),
  dial_prefix text,
  caller_id_header text not null check (caller_id_header in ('from', 'pai', 'both')),
  srtp bigint not null,
  created_at bigint not null,
  deleted_at bigint,
  backup_trunk_id text references trunks (id),
  destinations text,
  options_ping bigint not null default 1
);

create table trunk_states (
  trunk_id text primary key not null,
  registration_state text not null check (registration_state in ('off', 'registering', 'registered', 'failed')),
  registration_expires_at bigint,
  health_state text not null check (health_state in ('unknown', 'up', 'down')),
  health_checked_at bigint,
  last_error text,
  last_error_at bigint,
  updated_at bigint not null
);

create table appointments (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  call_id text,
  service text,
  starts_at bigint not null,
  ends_at bigint not null,
  name text,
  phone text,
  notes text,
  status text not null check (status in ('booked', 'cancelled')),
  created_at bigint not null,
  erase_after bigint
);

create table do_not_call (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  reason text,
  source text not null check (source in ('api', 'call', 'digits')),
  created_at bigint not null
);

create table idempotency_keys (
  account_id text not null,
  key text not null,
  method text not null,
  path text not null,
  body_hash text not null,
  status_code bigint,
  response text,
  owner text not null,
  created_at bigint not null,
  primary key (account_id, key)
);

create table engine_state (
  id bigint primary key check (id = 1),
  engine_id text not null,
  pid bigint not null,
  hostname text not null,
  started_at bigint not null,
  heartbeat_at bigint not null,
  state text not null check (state in ('starting', 'up', 'draining', 'stopped')),
  sip_uri text,
  media_ws_url text,
  telephony_up bigint not null,
  max_calls bigint not null,
  active_calls bigint not null,
  models text not null,
  metrics text not null,
  pid_namespace text,
  is_late bigint not null default 0
);

create table jobs (
  name text primary key not null,
  last_run_at bigint not null
);

create table campaign_totals (
  campaign_id text primary key not null,
  account_id text not null,
  calls bigint not null,
  completed bigint not null,
  successful bigint not null,
  failed bigint not null,
  voicemails bigint not null,
  answered bigint not null,
  answered_seconds bigint not null
);

create table contact_counts (
  campaign_id text not null,
  status text not null,
  account_id text not null,
  total bigint not null,
  primary key (campaign_id, status)
);

create table mails (
  id text primary key not null,
  box text not null,
  attempts bigint not null,
  next_attempt_at bigint not null,
  expires_at bigint not null,
  created_at bigint not null
);

create table engine_voices (
  id bigint primary key not null check (id = 1),
  voices text not null
);

create table refused_calls (
  id text primary key not null,
  called_number text not null,
  caller_number text not null,
  source_address text not null,
  trunk_id text,
  sip_status bigint not null,
  reason text not null,
  count bigint not null,
  created_at bigint not null
);

create table call_sweeps (
  account_id text primary key not null,
  erased_until bigint not null,
  swept_at bigint not null
);

create table call_timelines (
  call_id text primary key not null,
  account_id text not null,
  data text not null
);

create table sip_accounts (
  id text primary key not null,
  account_id text not null references accounts (id),
  username text not null,
  display_name text,
  password_sealed text,
  calls_to text,
  enabled bigint not null,
  created_at bigint not null,
  deleted_at bigint
);

create table sip_bindings (
  sip_account_id text primary key not null,
  contact text not null,
  transport text not null,
  address text not null,
  port bigint not null,
  user_agent text,
  sip_call_id text not null,
  cseq bigint not null,
  hash text not null,
  registered_at bigint not null,
  expires_at bigint not null
);

create table call_days (
  account_id text not null,
  day text not null,
  direction text not null,
  status text not null,
  reason text not null,
  calls bigint not null,
  ended bigint not null,
  answered bigint not null,
  answered_seconds bigint not null,
  primary key (account_id, day, direction, status, reason)
);

create table call_gaps (
  account_id text not null,
  day text not null,
  gap_ms bigint not null,
  calls bigint not null,
  primary key (account_id, day, gap_ms)
);

create table contact_seconds (
  campaign_id text not null,
  second bigint not null,
  status text not null,
  total bigint not null,
  primary key (campaign_id, second, status)
);

create table settings (
  name text primary key,
  value text not null
);

create table account_hours (
  -- '' is the installation: all accounts together.
  account_id text not null,
  -- Hours since the epoch.
  hour bigint not null,
  outbound_seconds bigint not null,
  -- Calls of any direction that began in the hour; not kept for the installation.
  calls bigint not null,
  primary key (account_id, hour)
);

create table transfer_legs (
  call_id text primary key not null,
  account_id text not null,
  answered_at bigint
);

create table turn_minutes (
  account_id text not null,
  minute bigint not null,
  turns bigint not null,
  failed bigint not null,
  primary key (account_id, minute)
);

create table model_settings (
  kind text primary key check (kind in ('llm', 'stt', 'tts')),
  engine text,
  base_url text,
  model text,
  voices text,
  key_sealed text,
  key_end text,
  fallback_base_url text,
  fallback_model text,
  fallback_key_sealed text,
  fallback_key_end text,
  revision bigint not null,
  changed_at bigint not null
);

create table live_views (
  call_id text primary key,
  account_id text not null,
  watched_until bigint not null,
  version bigint not null default 0,
  words text
);

create unique index users_email on users (email);
create index users_account on users (account_id, created_at, id);
create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_expiry on refresh_tokens (expires_at);
create index revoked_tokens_expiry on revoked_tokens (expires_at);
create index one_time_tokens_user on one_time_tokens (user_id, kind);
create unique index access_tokens_hash on access_tokens (token_hash);
create index access_tokens_user on access_tokens (user_id, created_at, id);
create index agents_list on agents (account_id, created_at, id) where deleted_at is null;
create index businesses_list on businesses (account_id, created_at, id) where deleted_at is null;
create index businesses_deleted on businesses (deleted_at) where deleted_at is not null;
create index business_audit_list on business_audit (account_id, business_id, created_at, id);
create index campaigns_list on campaigns (account_id, created_at, id) where deleted_at is null;
create index campaigns_status on campaigns (status, scheduled_at) where deleted_at is null;
create index campaigns_agent on campaigns (agent_id);
create index campaigns_business on campaigns (business_id);
create index contacts_list on contacts (account_id, campaign_id, created_at, id);
create index contacts_due on contacts (campaign_id, status, next_attempt_at);
create index calls_list on calls (account_id, started_at, id);
create index calls_status on calls (account_id, status, started_at, id);
create index calls_direction on calls (account_id, direction, started_at, id);
create index calls_outcome on calls (account_id, outcome, started_at, id);
create index calls_sentiment on calls (account_id, sentiment, started_at, id);
create index calls_business on calls (account_id, business_id, started_at, id);
create index calls_campaign on calls (account_id, campaign_id, started_at, id);
create index calls_agent on calls (account_id, agent_id, started_at, id);
create index calls_number on calls (account_id, phone_number_id, started_at, id);
create index calls_open on calls (engine_id, id) where ended_at is null;
create index call_feed_call on call_feed (call_id, seq);
create index call_feed_age on call_feed (created_at);
create index dial_attempts_call on dial_attempts (call_id);
create index dial_attempts_contact on dial_attempts (contact_id, claimed_at);
create index engine_requests_open on engine_requests (created_at) where claimed_at is null and done_at is null;
create index engine_requests_call on engine_requests (call_id);
create unique index events_once on events (subject_id, type, dedupe);
create unique index events_id on events (id);
create index webhooks_account on webhooks (account_id, created_at, id) where deleted_at is null;
create index webhook_deliveries_list on webhook_deliveries (account_id, webhook_id, created_at, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);
create unique index phone_numbers_live on phone_numbers (phone_number) where status <> 'released';
create index phone_numbers_list on phone_numbers (account_id, created_at, id) where status = 'active';
create index phone_numbers_campaign on phone_numbers (campaign_id);
create index inventory_free on inventory (country, area_code) where owned_by is null and retired_at is null;
create unique index charges_purpose on charges (purpose) where status in ('recorded', 'pending', 'paid');
create index charges_list on charges (account_id, created_at, id);
create index charges_open on charges (status, created_at) where status = 'pending';
create index port_orders_list on port_orders (account_id, created_at, id);
create index port_documents_order on port_documents (port_order_id);
create index appointments_list on appointments (account_id, created_at, id);
create index appointments_time on appointments (business_id, starts_at) where status = 'booked';
create index appointments_call on appointments (call_id);
create unique index do_not_call_number on do_not_call (account_id, phone_number);
create index do_not_call_list on do_not_call (account_id, created_at, id);
create index idempotency_keys_age on idempotency_keys (created_at);
create index calls_live on calls (account_id, started_at, id) where ended_at is null;
create index campaigns_by_agent on campaigns (account_id, agent_id, created_at, id) where deleted_at is null;
create index campaigns_by_status on campaigns (account_id, status, created_at, id) where deleted_at is null;
create unique index charges_purchase_open on charges (phone_number) where status = 'pending' and is_purchase = 1;
create index charges_key on charges (account_id, idempotency_key) where idempotency_key is not null;
create index charges_number on charges (phone_number_id);
create index phone_numbers_releasing on phone_numbers (status) where status = 'releasing';
create index phone_numbers_account_campaign on phone_numbers (account_id, campaign_id, created_at, id) where status = 'active';
create index calls_open_number on calls (phone_number_id) where ended_at is null;
create index inventory_list on inventory (created_at, phone_number);
create index trunks_list on trunks (created_at, id) where deleted_at is null;
create index port_orders_all on port_orders (created_at, id);
create index charges_purpose_all on charges (account_id, purpose, created_at);
create index inventory_reserved on inventory (reserved_by, country, phone_number) where reserved_by is not null;
create index inventory_offer on inventory (country, phone_number) where owned_by is null and retired_at is null;
create index webhook_queue_retries on webhook_queue (webhook_id, next_attempt_at) where attempts > 0;
create index webhook_queue_event on webhook_queue (event_seq);
create index webhook_deliveries_success on webhook_deliveries (account_id, webhook_id, success, created_at, id);
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;
create index events_age on events (created_at);
create unique index phone_numbers_alias on phone_numbers (sip_alias) where sip_alias is not null and status <> 'released';
create index one_time_tokens_expiry on one_time_tokens (expires_at);
create index refresh_tokens_user on refresh_tokens (user_id) where revoked_at is null;
create index login_failures_age on login_failures (first_at);
create index mails_due on mails (next_attempt_at);
create index refused_calls_by_reason on refused_calls (reason, id);
create index appointments_erase_after on appointments (erase_after) where erase_after is not null;
create index webhook_deliveries_event on webhook_deliveries (event_id);
create unique index sip_accounts_username on sip_accounts (username) where deleted_at is null;
create unique index contacts_number on contacts (account_id, phone_number, campaign_id);
create index contacts_status on contacts (account_id, campaign_id, status, created_at, id);
create index phone_numbers_country on phone_numbers (country) where status <> 'released' and sip_alias is null;
create index inventory_country on inventory (country) where retired_at is null;
create index account_hours_by_hour on account_hours (hour, account_id);
create index turn_minutes_minute on turn_minutes (minute);
create index live_views_age on live_views (watched_until);

-- The kept totals, by one trigger a table. Boolean values are counted, times are ms since the epoch, days are UTC.

create function utc_day(ms bigint) returns text language sql immutable as
$$ select to_char(to_timestamp(ms / 1000) at time zone 'UTC', 'YYYY-MM-DD') $$;

/* The filters of a call that have totals, with their values. */
create function call_filters(c calls) returns table (filter text, value text) language sql immutable as $$
  select f.filter, f.value from (values
    ('all', ''), ('status', c.status), ('direction', c.direction), ('outcome', c.outcome), ('sentiment', c.sentiment),
    ('businessId', c.business_id), ('campaignId', c.campaign_id), ('agentId', c.agent_id),
    ('phoneNumberId', c.phone_number_id)
  ) as f (filter, value) where f.value is not null
$$;

create function count_call(c calls, delta bigint) returns void language sql as $$
  insert into call_counts (account_id, filter, value, day, total)
  select c.account_id, f.filter, f.value, d.day, delta
  from call_filters(c) as f cross join (values (''), (utc_day(c.started_at))) as d (day)
  order by f.filter, f.value, d.day
  on conflict (account_id, filter, value, day)
  do update set total = call_counts.total + excluded.total, changes = call_counts.changes + 1
$$;

create function call_counts_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_call(new, 1);
  elsif tg_op = 'DELETE' then
    perform count_call(old, -1);
  else
    insert into call_counts (account_id, filter, value, day, total)
    select account_id, filter, value, day, sum(delta) from (
      select old.account_id, f.filter, f.value, d.day, -1 as delta
      from call_filters(old) as f cross join (values (''), (utc_day(old.started_at))) as d (day)
      union all
      select new.account_id, f.filter, f.value, d.day, 1
      from call_filters(new) as f cross join (values (''), (utc_day(new.started_at))) as d (day)
    ) as changed (account_id, filter, value, day, delta)
    group by account_id, filter, value, day
    having sum(delta) <> 0 or (day = '' and old.started_at <> new.started_at)
    order by account_id, filter, value, day
    on conflict (account_id, filter, value, day)
    do update set total = call_counts.total + excluded.total, changes = call_counts.changes + 1;
  end if;
  return null;
end $$;

create trigger call_counts_made after insert or delete on calls
for each row execute function call_counts_change();
create trigger call_counts_changed
after update of account_id, status, direction, outcome, sentiment, business_id, campaign_id, agent_id, phone_number_id,
  started_at on calls
for each row when (
  (old.account_id, old.status, old.direction, old.outcome, old.sentiment, old.business_id, old.campaign_id,
    old.agent_id, old.phone_number_id, old.started_at)
  is distinct from
  (new.account_id, new.status, new.direction, new.outcome, new.sentiment, new.business_id, new.campaign_id,
    new.agent_id, new.phone_number_id, new.started_at))
execute function call_counts_change();

create function count_campaign_call(c calls, delta bigint, is_new boolean) returns void language sql as $$
  insert into campaign_totals
    (campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds)
  select c.campaign_id, c.account_id,
    case when is_new then delta else 0 end,
    delta * (c.status = 'COMPLETED')::int,
    delta * (c.status = 'COMPLETED' and coalesce(c.outcome, '') not in ('hung_up', 'agent_failed'))::int,
    delta * (c.status = 'FAILED')::int,
    delta * (c.status = 'VOICEMAIL')::int,
    delta * (c.answered_at is not null and c.ended_at is not null)::int,
    delta * case when c.answered_at is not null and c.ended_at is not null then c.duration_seconds else 0 end
  on conflict (campaign_id) do update set
    calls = campaign_totals.calls + excluded.calls,
    completed = campaign_totals.completed + excluded.completed,
    successful = campaign_totals.successful + excluded.successful,
    failed = campaign_totals.failed + excluded.failed,
    voicemails = campaign_totals.voicemails + excluded.voicemails,
    answered = campaign_totals.answered + excluded.answered,
    answered_seconds = campaign_totals.answered_seconds + excluded.answered_seconds
$$;

create function count_day_call(c calls, delta bigint) returns void language sql as $$
  insert into call_days (account_id, day, direction, status, reason, calls, ended, answered, answered_seconds)
  select c.account_id, utc_day(c.started_at), c.direction, c.status,
    case when c.status = 'FAILED' then coalesce(c.end_reason, '') else '' end,
    delta,
    delta * (c.ended_at is not null)::int,
    delta * (c.answered_at is not null and c.ended_at is not null)::int,
    delta * case when c.answered_at is not null and c.ended_at is not null then c.duration_seconds else 0 end
  on conflict (account_id, day, direction, status, reason) do update set
    calls = call_days.calls + excluded.calls,
    ended = call_days.ended + excluded.ended,
    answered = call_days.answered + excluded.answered,
    answered_seconds = call_days.answered_seconds + excluded.answered_seconds
$$;

create function count_gap(c calls, delta bigint) returns void language sql as $$
  insert into call_gaps (account_id, day, gap_ms, calls)
  select c.account_id, utc_day(c.started_at), round((c.latency::json ->> 'p50Ms')::numeric / 20) * 20, delta
  where (c.latency::json ->> 'turns')::numeric > 0
  on conflict (account_id, day, gap_ms) do update set calls = call_gaps.calls + excluded.calls
$$;

create function call_totals_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform count_campaign_call(old, -1, tg_op = 'DELETE');
    perform count_day_call(old, -1);
    perform count_gap(old, -1);
  end if;
  if tg_op <> 'DELETE' then
    perform count_campaign_call(new, 1, tg_op = 'INSERT');
    perform count_day_call(new, 1);
    perform count_gap(new, 1);
  end if;
  return null;
end $$;

create trigger call_totals_made after insert or delete on calls
for each row execute function call_totals_change();
create trigger call_totals_changed
after update of status, outcome, end_reason, direction, started_at, answered_at, ended_at, duration_seconds, latency
on calls
for each row when (
  (old.status, old.outcome, old.end_reason, old.direction, old.started_at, old.answered_at, old.ended_at,
    old.duration_seconds, old.latency)
  is distinct from
  (new.status, new.outcome, new.end_reason, new.direction, new.started_at, new.answered_at, new.ended_at,
    new.duration_seconds, new.latency))
execute function call_totals_change();

create function count_contact(c contacts, delta bigint) returns void language sql as $$
  insert into contact_counts (campaign_id, status, account_id, total)
  values (c.campaign_id, c.status, c.account_id, delta)
  on conflict (campaign_id, status) do update set total = contact_counts.total + excluded.total;
  insert into contact_seconds (campaign_id, second, status, total)
  values (c.campaign_id, c.created_at / 1000, c.status, delta)
  on conflict (campaign_id, second, status) do update set total = contact_seconds.total + excluded.total
$$;

create function contact_totals_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_contact(old, -1); end if;
  if tg_op <> 'DELETE' then perform count_contact(new, 1); end if;
  return null;
end $$;

create trigger contact_totals_made after insert or delete on contacts
for each row execute function contact_totals_change();
create trigger contact_totals_changed after update of status on contacts
for each row when (old.status <> new.status) execute function contact_totals_change();
