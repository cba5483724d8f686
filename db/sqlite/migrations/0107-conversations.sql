-- Conversations in writing: one for each person and number of ours, or of a user who tries an agent; and their messages.
create table conversations (
  id text primary key not null,
  account_id text not null,
  kind text not null,
  business_id text not null,
  campaign_id text not null,
  agent_id text not null,
  phone_number_id text,
  own_number text not null,
  person_number text not null,
  answered_by text not null,
  taken_by text,
  note text,
  silent_until integer,
  due_at integer,
  claimed_by text,
  claim_until integer,
  attempts integer not null,
  sealed text,
  last_message_at integer not null,
  created_at integer not null
) strict;
create unique index conversations_of_person on conversations (account_id, own_number, person_number) where kind = 'sms';
create index conversations_by_age on conversations (account_id, last_message_at, id);
create index conversations_of_number on conversations (account_id, person_number);
create index conversations_due on conversations (due_at) where due_at is not null;

-- A message of a carrier stands once. One that is to be sent is `waiting` until its carrier is asked, and `sending` while it is.
create table messages (
  id text primary key not null,
  account_id text not null,
  conversation_id text not null,
  author text not null,
  user_id text,
  text text not null,
  sealed text,
  segments integer not null,
  status text not null,
  carrier_id text,
  reference text,
  error text,
  attempts integer not null,
  due_at integer,
  created_at integer not null,
  done_at integer
) strict;
create unique index messages_of_carrier on messages (carrier_id, reference) where reference is not null;
create index messages_of on messages (conversation_id, created_at, id);
create index messages_of_account on messages (account_id, created_at);
create index messages_due on messages (due_at) where due_at is not null;

-- Who wants no texts from a number.
create table text_opt_outs (
  account_id text not null,
  own_number text not null,
  person_number text not null,
  created_at integer not null,
  primary key (account_id, own_number, person_number)
) strict;

-- What was made at a carrier for texts, and an appointment that was booked in writing.
alter table carriers add column text_parts text;
alter table appointments add column conversation_id text;
create index appointments_of_conversation on appointments (conversation_id) where conversation_id is not null;
