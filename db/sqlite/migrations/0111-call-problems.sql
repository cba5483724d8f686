-- Somebody's word that a line of a call went wrong; at most one for a line. It goes with the call.
create table call_problems (
  call_id text not null,
  at_ms integer not null,
  account_id text not null,
  kind text not null,
  note text,
  created_at integer not null,
  primary key (call_id, at_ms)
) strict;
create index call_problems_of_kind on call_problems (account_id, kind, call_id);
