-- The secret address at which a business's appointments are read as a calendar.
create table calendar_feeds (
  business_id text primary key not null,
  account_id text not null,
  token_hash text not null,
  names bigint not null,
  created_at bigint not null
);

-- Calendars elsewhere, which are read for busy times, and some of which have our appointments written into them.
create table calendars (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  kind text not null,
  name text not null,
  resource text,
  address text not null,
  sealed text not null,
  writes bigint not null,
  names bigint not null,
  state text not null,
  error text,
  read_at bigint,
  parsed_at bigint,
  tag text,
  busy_times bigint not null,
  due_at bigint not null,
  created_at bigint not null
);
create index calendars_of_business on calendars (business_id, id);
create index calendars_due on calendars (due_at);

-- When somebody is busy there: times alone.
create table calendar_spans (
  calendar_id text not null,
  starts_at bigint not null,
  ends_at bigint not null,
  primary key (calendar_id, starts_at)
);

-- Our appointments there, as they were written last.
create table calendar_entries (
  calendar_id text not null,
  appointment_id text not null,
  account_id text not null,
  sequence bigint not null,
  starts_at bigint not null,
  ends_at bigint not null,
  is_there bigint not null,
  etag text,
  attempts bigint not null,
  next_attempt_at bigint not null,
  error text,
  primary key (calendar_id, appointment_id)
);
create index calendar_entries_by_age on calendar_entries (ends_at);
