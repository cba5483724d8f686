-- A business's wish that its appointments are reminded of by a call, placed as one of a campaign's.
create table appointment_reminders (
  business_id text primary key not null,
  account_id text not null,
  campaign_id text not null,
  day_before_at text,
  hours_before bigint,
  created_at bigint not null
);

-- The call that reminded of an appointment, and what came of it.
alter table appointments add column reminder_call_id text;
alter table appointments add column reminder text;
create index appointments_reminding on appointments (reminder_call_id) where reminder = 'calling';
