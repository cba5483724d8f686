-- Mails that wait to be sent: sealed, since most carry a token or a code, and deleted when they are sent.
create table mails (
  id text primary key not null,
  box text not null,
  attempts integer not null,
  next_attempt_at integer not null,
  expires_at integer not null,
  created_at integer not null
) strict;
create index mails_due on mails (next_attempt_at);
