-- The first schema: every resource of the interface, the outbox, the requests to the engine and the live feed.
-- Times are ms since the epoch, flags 0 or 1, JSON is text. db/schema.ts is the same in TypeScript.

create table accounts (
  id text primary key not null,
  name text not null,
  plan text not null check (plan in ('STARTER', 'PRO', 'ENTERPRISE')),
  timezone text not null,
  default_campaign_id text,
  overage_enabled integer not null,
  billing_customer_id text,
  created_at integer not null
) strict;

create table account_usage (
  account_id text not null,
  month text not null,
  seconds integer not null,
  primary key (account_id, month)
) strict, without rowid;

create table users (
  id text primary key not null,
  account_id text not null,
  email text not null,
  password_hash text,
  role text not null check (role in ('USER', 'ADMIN')),
  email_verified_at integer,
  totp_secret text,
  totp_enabled_at integer,
  totp_last_step integer,
  tokens_valid_from integer not null,
  created_at integer not null
) strict;

create table recovery_codes (
  user_id text not null,
  code_hash text not null,
  used_at integer,
  primary key (user_id, code_hash)
) strict, without rowid;

create table login_failures (
  key text primary key not null,
  failures integer not null,
  first_at integer not null,
  locked_until integer
) strict;

create table refresh_tokens (
  token_hash text primary key not null,
  family_id text not null,
  user_id text not null,
  expires_at integer not null,
  used_at integer,
  revoked_at integer,
  created_at integer not null
) strict;

create table revoked_tokens (
  jti text primary key not null,
  expires_at integer not null
) strict;

create table one_time_tokens (
  token_hash text primary key not null,
  kind text not null check (kind in ('verify-email', 'invite', 'reset', 'pending-2fa')),
  user_id text not null,
  tries integer not null,
  expires_at integer not null,
  used_at integer,
  created_at integer not null
) strict;

create table access_tokens (
  id text primary key not null,
  account_id text not null,
  user_id text not null,
  name text not null,
  token_hash text not null,
  role text not null check (role in ('USER', 'ADMIN')),
  last_used_at integer,
  revoked_at integer,
  created_at integer not null
) strict;

create table agents (
  id text primary key not null,
  account_id text not null,
  name text not null,
  description text,
  voice_id text not null,
  language text not null,
  primary_language text not null,
  additional_languages text not null,
  is_active integer not null,
  created_at integer not null,
  deleted_at integer
) strict;

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
  interruption_sensitivity real not null,
  max_call_duration_minutes integer not null,
  silence_threshold_ms integer not null,
  business_context text,
  created_at integer not null,
  deleted_at integer
) strict;

create table business_audit (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  actor text not null,
  action text not null,
  changes text not null,
  created_at integer not null
) strict;

create table campaigns (
  id text primary key not null,
  account_id text not null,
  name text not null,
  description text,
  agent_id text not null,
  business_id text not null,
  status text not null,
  scheduled_at integer,
  calling_window text,
  max_concurrent_calls integer not null,
  max_attempts integer not null,
  retry_delay_minutes integer not null,
  voicemail_action text not null check (voicemail_action in ('hangup', 'leave_message')),
  voicemail_message text,
  recording_enabled integer not null,
  recording_format text not null check (recording_format in ('wav', 'mp3')),
  started_at integer,
  completed_at integer,
  created_at integer not null,
  deleted_at integer
) strict;

create table contacts (
  id text primary key not null,
  account_id text not null,
  campaign_id text not null,
  phone_number text not null,
  name text,
  email text,
  status text not null,
  attempts integer not null,
  last_call_id text,
  next_attempt_at integer,
  created_at integer not null
) strict;

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
  started_at integer not null,
  answered_at integer,
  ended_at integer,
  duration_seconds integer not null,
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  summary text,
  tags text not null,
  transcript text not null,
  latency text,
  recording_path text,
  recording_format text check (recording_format in ('wav', 'mp3')),
  trunk_id text,
  engine_id text,
  created_at integer not null
) strict;

create table call_dialogs (
  call_id text not null,
  leg text not null,
  dialog text not null,
  updated_at integer not null,
  primary key (call_id, leg)
) strict, without rowid;

create table call_feed (
  seq integer primary key autoincrement,
  account_id text not null,
  call_id text not null,
  type text not null check (type in ('transcript', 'state', 'latency', 'ended')),
  data text not null,
  created_at integer not null
) strict;

create table call_counts (
  account_id text not null,
  filter text not null,
  value text not null,
  day text not null,
  total integer not null,
  primary key (account_id, filter, value, day)
) strict, without rowid;

create table dial_attempts (
  id text primary key not null,
  account_id text not null,
  call_id text not null,
  campaign_id text not null,
  contact_id text,
  to_number text not null,
  trunk_id text,
  claimed_at integer not null,
  ended_at integer,
  outcome text
) strict;

create table engine_requests (
  id text primary key not null,
  account_id text not null,
  kind text not null,
  call_id text,
  payload text not null,
  created_at integer not null,
  expires_at integer not null,
  claimed_at integer,
  claimed_by text,
  done_at integer,
  result text
) strict;

create table events (
  seq integer primary key autoincrement,
  id text not null,
  account_id text not null,
  type text not null,
  subject_id text not null,
  dedupe text not null,
  data text not null,
  created_at integer not null
) strict;

create table webhooks (
  id text primary key not null,
  account_id text not null,
  url text not null,
  events text not null,
  is_active integer not null,
  secret_digest text not null,
  last_triggered_at integer,
  failure_count integer not null,
  failing_since integer,
  disabled_reason text,
  created_at integer not null,
  deleted_at integer
) strict;

create table webhook_queue (
  webhook_id text not null,
  event_seq integer not null,
  account_id text not null,
  attempts integer not null,
  next_attempt_at integer not null,
  leased_until integer,
  created_at integer not null,
  primary key (webhook_id, event_seq)
) strict, without rowid;

create table webhook_deliveries (
  id text primary key not null,
  account_id text not null,
  webhook_id text not null,
  event_id text not null,
  event_type text not null,
  url text not null,
  attempt integer not null,
  success integer not null,
  status_code integer,
  request_body text not null,
  response_body text,
  error text,
  duration_ms integer not null,
  is_replay integer not null,
  is_test integer not null,
  created_at integer not null,
  next_retry_at integer
) strict;

create table cursors (
  name text primary key not null,
  value integer not null
) strict;

create table phone_numbers (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  country text,
  area_code text,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  capabilities text not null,
  monthly_cost real not null,
  campaign_id text,
  is_active integer not null,
  status text not null check (status in ('active', 'releasing', 'released')),
  trunk_id text,
  created_at integer not null,
  released_at integer
) strict;

create table inventory (
  phone_number text primary key not null,
  country text not null,
  area_code text,
  type text not null check (type in ('local', 'mobile', 'toll_free')),
  capabilities text not null,
  monthly_cost real not null,
  trunk_id text,
  reserved_by text,
  reserved_until integer,
  owned_by text,
  retired_at integer,
  created_at integer not null
) strict;

create table charges (
  id text primary key not null,
  account_id text not null,
  kind text not null check (kind in ('number', 'overage')),
  phone_number text,
  amount real not null,
  currency text not null,
  status text not null check (status in ('recorded', 'pending', 'paid', 'refunded', 'failed')),
  payment_intent_id text,
  attempts integer not null,
  purpose text not null,
  idempotency_key text,
  failing_since integer,
  created_at integer not null,
  settled_at integer
) strict;

create table port_orders (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  loa_signed_at text not null,
  account_holder text not null,
  status text not null check (status in ('DRAFT', 'SUBMITTED', 'IN_REVIEW', 'FOC_SCHEDULED', 'COMPLETED', 'REJECTED', 'CANCELLED')),
  status_history text not null,
  foc_date text,
  created_at integer not null
) strict;

create table port_documents (
  id text primary key not null,
  account_id text not null,
  port_order_id text not null,
  kind text not null check (kind in ('loa', 'bill')),
  content_type text not null,
  file_name text not null,
  path text not null,
  bytes integer not null,
  created_at integer not null
) strict;

create table trunks (
  id text primary key not null,
  name text not null,
  host text not null,
  port integer not null,
  transport text not null check (transport in ('udp', 'tcp', 'tls')),
  username text,
  password_sealed text,
  auth_username text,
  from_domain text,
  outbound_proxy text,
  register integer not null,
  inbound_allow text not null,
  codecs text not null,
  max_concurrent_calls integer not null,
  calls_per_second integer not null,
  country text,
  dial_format text not null check (dial_format in ('e164', '00', 'national')),
  dial_prefix text,
  caller_id_header text not null check (caller_id_header in ('from', 'pai', 'both')),
  srtp integer not null,
  created_at integer not null,
  deleted_at integer
) strict;

create table trunk_states (
  trunk_id text primary key not null,
  registration_state text not null check (registration_state in ('off', 'registering', 'registered', 'failed')),
  registration_expires_at integer,
  health_state text not null check (health_state in ('unknown', 'up', 'down')),
  health_checked_at integer,
  last_error text,
  last_error_at integer,
  active_calls integer not null,
  updated_at integer not null
) strict;

create table appointments (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  call_id text,
  service text,
  starts_at integer not null,
  ends_at integer not null,
  name text,
  phone text,
  notes text,
  status text not null check (status in ('booked', 'cancelled')),
  created_at integer not null
) strict;

create table do_not_call (
  id text primary key not null,
  account_id text not null,
  phone_number text not null,
  reason text,
  source text not null check (source in ('api', 'call', 'digits')),
  created_at integer not null
) strict;

create table idempotency_keys (
  account_id text not null,
  key text not null,
  method text not null,
  path text not null,
  body_hash text not null,
  status_code integer,
  response text,
  owner text not null,
  created_at integer not null,
  primary key (account_id, key)
) strict;

create table engine_state (
  id integer primary key check (id = 1),
  engine_id text not null,
  pid integer not null,
  hostname text not null,
  started_at integer not null,
  heartbeat_at integer not null,
  state text not null check (state in ('starting', 'up', 'draining', 'stopped')),
  sip_uri text,
  media_ws_url text,
  telephony_up integer not null,
  max_calls integer not null,
  active_calls integer not null,
  models text not null,
  metrics text not null
) strict;

create table jobs (
  name text primary key not null,
  last_run_at integer not null
) strict;

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
create unique index contacts_number on contacts (campaign_id, phone_number);
create index contacts_list on contacts (account_id, campaign_id, created_at, id);
create index contacts_due on contacts (campaign_id, status, next_attempt_at);
create index contacts_by_number on contacts (account_id, phone_number);

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
create index webhook_queue_due on webhook_queue (next_attempt_at);
create unique index webhook_deliveries_id on webhook_deliveries (id);
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
