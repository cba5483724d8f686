-- What an account's overview is made of, kept by UTC day like call_counts: calls by direction, status and, where they failed,
-- reason; and how many calls had which response gap, in steps of 20 ms.
create table call_days (
  account_id text not null,
  day text not null,
  direction text not null,
  status text not null,
  reason text not null,
  calls integer not null,
  ended integer not null,
  answered integer not null,
  answered_seconds integer not null,
  primary key (account_id, day, direction, status, reason)
) strict, without rowid;

create table call_gaps (
  account_id text not null,
  day text not null,
  gap_ms integer not null,
  calls integer not null,
  primary key (account_id, day, gap_ms)
) strict, without rowid;

insert into call_days (account_id, day, direction, status, reason, calls, ended, answered, answered_seconds)
select account_id, date(started_at / 1000, 'unixepoch'), direction, status,
  case when status = 'FAILED' then coalesce(end_reason, '') else '' end, count(*),
  sum(ended_at is not null), sum(answered_at is not null and ended_at is not null),
  sum(case when answered_at is not null and ended_at is not null then duration_seconds else 0 end)
from calls group by 1, 2, 3, 4, 5;

insert into call_gaps (account_id, day, gap_ms, calls)
select account_id, date(started_at / 1000, 'unixepoch'), round(json_extract(latency, '$.p50Ms') / 20.0) * 20, count(*)
from calls where json_extract(latency, '$.turns') > 0 group by 1, 2, 3;

create trigger call_days_insert after insert on calls begin
  insert into call_days (account_id, day, direction, status, reason, calls, ended, answered, answered_seconds)
  values (new.account_id, date(new.started_at / 1000, 'unixepoch'), new.direction, new.status,
    case when new.status = 'FAILED' then coalesce(new.end_reason, '') else '' end, 1, new.ended_at is not null,
    new.answered_at is not null and new.ended_at is not null,
    case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end)
  on conflict (account_id, day, direction, status, reason) do update set calls = calls + 1,
    ended = ended + excluded.ended, answered = answered + excluded.answered,
    answered_seconds = answered_seconds + excluded.answered_seconds;
end;

create trigger call_days_delete after delete on calls begin
  update call_days set calls = calls - 1, ended = ended - (old.ended_at is not null),
    answered = answered - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where account_id = old.account_id and day = date(old.started_at / 1000, 'unixepoch') and direction = old.direction
    and status = old.status and reason = case when old.status = 'FAILED' then coalesce(old.end_reason, '') else '' end;
end;

create trigger call_days_update
after update of status, end_reason, direction, started_at, answered_at, ended_at, duration_seconds on calls
begin
  update call_days set calls = calls - 1, ended = ended - (old.ended_at is not null),
    answered = answered - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where account_id = old.account_id and day = date(old.started_at / 1000, 'unixepoch') and direction = old.direction
    and status = old.status and reason = case when old.status = 'FAILED' then coalesce(old.end_reason, '') else '' end;
  insert into call_days (account_id, day, direction, status, reason, calls, ended, answered, answered_seconds)
  values (new.account_id, date(new.started_at / 1000, 'unixepoch'), new.direction, new.status,
    case when new.status = 'FAILED' then coalesce(new.end_reason, '') else '' end, 1, new.ended_at is not null,
    new.answered_at is not null and new.ended_at is not null,
    case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end)
  on conflict (account_id, day, direction, status, reason) do update set calls = calls + 1,
    ended = ended + excluded.ended, answered = answered + excluded.answered,
    answered_seconds = answered_seconds + excluded.answered_seconds;
end;

create trigger call_gaps_insert after insert on calls when json_extract(new.latency, '$.turns') > 0 begin
  insert into call_gaps (account_id, day, gap_ms, calls)
  values (new.account_id, date(new.started_at / 1000, 'unixepoch'),
    round(json_extract(new.latency, '$.p50Ms') / 20.0) * 20, 1)
  on conflict (account_id, day, gap_ms) do update set calls = calls + 1;
end;

create trigger call_gaps_delete after delete on calls when json_extract(old.latency, '$.turns') > 0 begin
  update call_gaps set calls = calls - 1
  where account_id = old.account_id and day = date(old.started_at / 1000, 'unixepoch')
    and gap_ms = round(json_extract(old.latency, '$.p50Ms') / 20.0) * 20;
end;

create trigger call_gaps_update after update of latency, started_at on calls
when old.latency is not new.latency or old.started_at <> new.started_at begin
  update call_gaps set calls = calls - 1
  where json_extract(old.latency, '$.turns') > 0 and account_id = old.account_id
    and day = date(old.started_at / 1000, 'unixepoch')
    and gap_ms = round(json_extract(old.latency, '$.p50Ms') / 20.0) * 20;
  insert into call_gaps (account_id, day, gap_ms, calls)
  select new.account_id, date(new.started_at / 1000, 'unixepoch'),
    round(json_extract(new.latency, '$.p50Ms') / 20.0) * 20, 1
  where json_extract(new.latency, '$.turns') > 0
  on conflict (account_id, day, gap_ms) do update set calls = calls + 1;
end;
