-- Appointments that were moved or cancelled in conversations in writing, and references that were wrong: both are
-- bounded, and no process remembers them between two messages.
create table booking_tries (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  subject_id text not null,
  kind text not null,
  created_at integer not null
) strict;
create index booking_tries_of_subject on booking_tries (subject_id, kind, created_at);
create index booking_tries_of_business on booking_tries (business_id, kind, created_at);
create index booking_tries_by_age on booking_tries (created_at);
