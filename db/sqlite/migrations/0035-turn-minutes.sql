-- Turns of callers by minute, and those in which the agent's model failed, for the last hour: older rows are deleted when a turn
-- is counted.
create table turn_minutes (
  account_id text not null,
  minute integer not null,
  turns integer not null,
  failed integer not null,
  primary key (account_id, minute)
) strict, without rowid;

create index turn_minutes_minute on turn_minutes (minute);
