-- Whom a business tells what happened on its calls, and what waits to be told: ids only, texts are composed when sent.
alter table businesses add column notify text not null default '[]';
alter table businesses add column notify_sealed text;
create index businesses_that_tell on businesses (id) where notify <> '[]';
create table notices (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  target text not null,
  kind text not null,
  subject_id text not null,
  call_id text,
  due_at integer not null,
  message_id text,
  created_at integer not null
) strict;
create unique index notices_once on notices (business_id, target, kind, subject_id);
create index notices_due on notices (due_at) where message_id is null;
create index notices_of_message on notices (message_id) where message_id is not null;
create index notices_of_call on notices (call_id);
create table notice_messages (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  target text not null,
  channel text not null,
  recipient text not null,
  kinds text not null,
  notices integer not null,
  status text not null,
  attempts integer not null,
  next_attempt_at integer,
  error text,
  is_test integer not null,
  created_at integer not null,
  done_at integer
) strict;
create index notice_messages_of_business on notice_messages (account_id, business_id, created_at);
create index notice_messages_to on notice_messages (account_id, target, created_at);
create index notice_messages_due on notice_messages (next_attempt_at) where next_attempt_at is not null;
create index notice_messages_by_age on notice_messages (created_at);
-- Of the events before this release nobody is told.
insert into cursors (name, value) select 'notices', max(seq) from events having max(seq) is not null;
