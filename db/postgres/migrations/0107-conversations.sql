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
  silent_until bigint,
  due_at bigint,
  claimed_by text,
  claim_until bigint,
  attempts bigint not null,
  sealed text,
  last_message_at bigint not null,
  created_at bigint not null
);
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
  segments bigint not null,
  status text not null,
  carrier_id text,
  reference text,
  error text,
  attempts bigint not null,
  due_at bigint,
  created_at bigint not null,
  done_at bigint
);
create unique index messages_of_carrier on messages (carrier_id, reference) where reference is not null;
create index messages_of on messages (conversation_id, created_at, id);
create index messages_of_account on messages (account_id, created_at);
create index messages_due on messages (due_at) where due_at is not null;

-- Who wants no texts from a number.
create table text_opt_outs (
  account_id text not null,
  own_number text not null,
  person_number text not null,
  created_at bigint not null,
  primary key (account_id, own_number, person_number)
);

-- What was made at a carrier for texts, and an appointment that was booked in writing.
alter table carriers add column text_parts text;
alter table appointments add column conversation_id text;
create index appointments_of_conversation on appointments (conversation_id) where conversation_id is not null;
