-- Sign-ins to Google and Microsoft for calendars there: a code or an address that waits for its person, then tokens.
create table calendar_sign_ins (
  id text primary key not null,
  account_id text not null,
  kind text not null,
  state text not null,
  error text,
  sealed text not null,
  ask_at integer not null,
  ask_every_ms integer not null,
  expires_at integer not null,
  created_at integer not null
) strict;
create index calendar_sign_ins_of_account on calendar_sign_ins (account_id, id);
create index calendar_sign_ins_by_age on calendar_sign_ins (expires_at);

-- Until when a process renews a calendar's access: no two of them do it at once.
alter table calendars add column renewing_until integer not null default 0;
