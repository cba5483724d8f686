-- Texts to persons about their appointments: whether a business wants them, and each that is to be sent, once.
alter table businesses add column appointment_texts text;
create table appointment_texts (
  appointment_id text not null,
  kind text not null,
  sequence bigint not null,
  account_id text not null,
  business_id text not null,
  due_at bigint,
  message_id text,
  created_at bigint not null,
  primary key (appointment_id, kind, sequence)
);
create index appointment_texts_due on appointment_texts (due_at) where due_at is not null;
create index appointment_texts_by_age on appointment_texts (created_at);
