-- The logs of changes at a lower price. A trigger's insert has a plan that its connection keeps: the body of a function
-- in SQL is planned anew by each statement that calls it, which took four times as long as the insert itself.
-- Which filters a change counts for, as bits in their order: a call that is answered stays its agent's.
alter table call_changes add column counted bigint not null default 511;

create or replace function counted_keys(c call_changes) returns table (filter text, value text, day text)
language sql immutable as $$
  select f.filter, f.value, d.day from (values
    (1, 'all', ''), (2, 'status', c.status), (4, 'direction', c.direction), (8, 'outcome', c.outcome),
    (16, 'sentiment', c.sentiment), (32, 'businessId', c.business_id), (64, 'campaignId', c.campaign_id),
    (128, 'agentId', c.agent_id), (256, 'phoneNumberId', c.phone_number_id)
  ) as f (bit, filter, value) cross join (values (''), (c.day)) as d (day)
  where f.value is not null and c.counted & f.bit <> 0
$$;

create or replace function log_call_change() returns trigger language plpgsql as $$
declare
  c calls;
  moved bigint;
begin
  if tg_op = 'UPDATE' then
    moved := case when old.started_at <> new.started_at or old.account_id <> new.account_id then 511 else
      2 * (old.status <> new.status)::int + 4 * (old.direction <> new.direction)::int
      + 8 * (old.outcome is distinct from new.outcome)::int + 16 * (old.sentiment is distinct from new.sentiment)::int
      + 32 * (old.business_id <> new.business_id)::int + 64 * (old.campaign_id <> new.campaign_id)::int
      + 128 * (old.agent_id <> new.agent_id)::int
      + 256 * (old.phone_number_id is distinct from new.phone_number_id)::int end;
    insert into call_changes (weight, is_whole, counted, account_id, campaign_id, business_id, agent_id, phone_number_id,
      direction, status, outcome, sentiment, reason, day, is_ended, is_answered, answered_seconds, gap_ms)
    values
      (-1, false, moved, old.account_id, old.campaign_id, old.business_id, old.agent_id, old.phone_number_id,
        old.direction, old.status, old.outcome, old.sentiment,
        case when old.status = 'FAILED' then coalesce(old.end_reason, '') else '' end,
        to_char(to_timestamp(old.started_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'),
        old.ended_at is not null, old.answered_at is not null and old.ended_at is not null,
        case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end,
        case when (old.latency::json ->> 'turns')::numeric > 0
          then round((old.latency::json ->> 'p50Ms')::numeric / 20) * 20 end),
      (1, false, moved, new.account_id, new.campaign_id, new.business_id, new.agent_id, new.phone_number_id,
        new.direction, new.status, new.outcome, new.sentiment,
        case when new.status = 'FAILED' then coalesce(new.end_reason, '') else '' end,
        to_char(to_timestamp(new.started_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'),
        new.ended_at is not null, new.answered_at is not null and new.ended_at is not null,
        case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end,
        case when (new.latency::json ->> 'turns')::numeric > 0
          then round((new.latency::json ->> 'p50Ms')::numeric / 20) * 20 end);
    return null;
  end if;
  if tg_op = 'INSERT' then c := new; else c := old; end if;
  insert into call_changes (weight, is_whole, counted, account_id, campaign_id, business_id, agent_id, phone_number_id,
    direction, status, outcome, sentiment, reason, day, is_ended, is_answered, answered_seconds, gap_ms)
  values
    (case tg_op when 'INSERT' then 1 else -1 end, true, 511, c.account_id, c.campaign_id, c.business_id, c.agent_id,
      c.phone_number_id, c.direction, c.status, c.outcome, c.sentiment,
      case when c.status = 'FAILED' then coalesce(c.end_reason, '') else '' end,
      to_char(to_timestamp(c.started_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'),
      c.ended_at is not null, c.answered_at is not null and c.ended_at is not null,
      case when c.answered_at is not null and c.ended_at is not null then c.duration_seconds else 0 end,
      case when (c.latency::json ->> 'turns')::numeric > 0
        then round((c.latency::json ->> 'p50Ms')::numeric / 20) * 20 end);
  return null;
end $$;
drop function log_call(calls, bigint, boolean);

-- A contact's status is what totals count. Its other changes, and a statement that changes no row, cost nothing: the
-- row's own trigger asks first, and imports have the one of their statement.
drop trigger contacts_changed on contacts;
drop function log_contacts_changed();
create function log_contact_changed() returns trigger language plpgsql as $$
begin
  insert into contact_changes (weight, account_id, campaign_id, status, second) values
    (-1, old.account_id, old.campaign_id, old.status, old.created_at / 1000),
    (1, new.account_id, new.campaign_id, new.status, new.created_at / 1000);
  return null;
end $$;
create trigger contacts_changed after update of account_id, campaign_id, status, created_at on contacts
for each row when (
  (old.account_id, old.campaign_id, old.status, old.created_at)
  is distinct from (new.account_id, new.campaign_id, new.status, new.created_at))
execute function log_contact_changed();

-- What accounts spend, by the same means: all calls of an account, and all of the installation, ended one after the
-- other, because each added to the row of its hour. The installation's sum is made of the accounts' as they are folded.
create table hour_changes (
  seq bigint generated always as identity primary key,
  account_id text not null,
  hour bigint not null,
  outbound_seconds bigint not null,
  calls bigint not null
);
create index hour_changes_account on hour_changes (account_id, hour);

create table usage_changes (
  seq bigint generated always as identity primary key,
  account_id text not null,
  month text not null,
  seconds bigint not null
);
create index usage_changes_account on usage_changes (account_id, month);

create view account_hours_now as
  select account_id, hour, sum(outbound_seconds)::bigint as outbound_seconds, sum(calls)::bigint as calls from (
    select account_id, hour, outbound_seconds, calls from account_hours
    union all
    select account_id, hour, outbound_seconds, calls from hour_changes
    union all
    select '', hour, outbound_seconds, 0 from hour_changes where outbound_seconds <> 0
  ) as counted group by account_id, hour;

create view account_usage_now as
  select account_id, month, sum(seconds)::bigint as seconds from (
    select account_id, month, seconds from account_usage
    union all
    select account_id, month, seconds from usage_changes
  ) as counted group by account_id, month;

-- Folding, with a plan that its connection keeps too.
drop function fold_calls(int);
create function fold_calls(most int) returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  with gone as (
    delete from call_changes where seq in (select seq from call_changes order by seq limit most) returning *
  ), counts as (
    insert into call_counts (account_id, filter, value, day, total, changes)
    select g.account_id, k.filter, k.value, k.day, sum(g.weight), count(*)
    from gone as g cross join lateral counted_keys(g::call_changes) as k
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, filter, value, day) do update set
      total = call_counts.total + excluded.total, changes = call_counts.changes + excluded.changes
  ), totals as (
    insert into campaign_totals
      (campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds)
    select campaign_id, account_id, sum(weight * is_whole::int), sum(weight * (status = 'COMPLETED')::int),
      sum(weight * (status = 'COMPLETED' and coalesce(outcome, '') not in ('hung_up', 'agent_failed'))::int),
      sum(weight * (status = 'FAILED')::int), sum(weight * (status = 'VOICEMAIL')::int), sum(weight * is_answered::int),
      sum(weight * answered_seconds)
    from gone where is_whole or is_ended group by 1, 2 order by 1
    on conflict (campaign_id) do update set
      calls = campaign_totals.calls + excluded.calls,
      completed = campaign_totals.completed + excluded.completed,
      successful = campaign_totals.successful + excluded.successful,
      failed = campaign_totals.failed + excluded.failed,
      voicemails = campaign_totals.voicemails + excluded.voicemails,
      answered = campaign_totals.answered + excluded.answered,
      answered_seconds = campaign_totals.answered_seconds + excluded.answered_seconds
  ), days as (
    insert into call_days (account_id, day, direction, status, reason, calls, ended, answered, answered_seconds)
    select account_id, day, direction, status, reason, sum(weight), sum(weight * is_ended::int),
      sum(weight * is_answered::int), sum(weight * answered_seconds)
    from gone group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, direction, status, reason) do update set
      calls = call_days.calls + excluded.calls,
      ended = call_days.ended + excluded.ended,
      answered = call_days.answered + excluded.answered,
      answered_seconds = call_days.answered_seconds + excluded.answered_seconds
  ), gaps as (
    insert into call_gaps (account_id, day, gap_ms, calls)
    select account_id, day, gap_ms, sum(weight) from gone where gap_ms is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, day, gap_ms) do update set calls = call_gaps.calls + excluded.calls
  )
  select count(*) into folded from gone;
  return folded;
end $$;

drop function fold_contacts(int);
create function fold_contacts(most int) returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  with gone as (
    delete from contact_changes where seq in (select seq from contact_changes order by seq limit most) returning *
  ), counts as (
    insert into contact_counts (campaign_id, status, account_id, total)
    select campaign_id, status, min(account_id), sum(weight) from gone group by 1, 2 order by 1, 2
    on conflict (campaign_id, status) do update set total = contact_counts.total + excluded.total
  ), seconds as (
    insert into contact_seconds (campaign_id, second, status, total)
    select campaign_id, second, status, sum(weight) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (campaign_id, second, status) do update set total = contact_seconds.total + excluded.total
  )
  select count(*) into folded from gone;
  return folded;
end $$;

create function fold_spending(most int) returns bigint language plpgsql as $$
declare
  folded bigint;
  months bigint;
begin
  with gone as (
    delete from hour_changes where seq in (select seq from hour_changes order by seq limit most) returning *
  ), hours as (
    insert into account_hours (account_id, hour, outbound_seconds, calls)
    select account_id, hour, sum(outbound_seconds), sum(calls) from (
      select account_id, hour, outbound_seconds, calls from gone
      union all
      select '', hour, outbound_seconds, 0 from gone where outbound_seconds <> 0
    ) as each group by 1, 2 order by 1, 2
    on conflict (account_id, hour) do update set
      outbound_seconds = account_hours.outbound_seconds + excluded.outbound_seconds,
      calls = account_hours.calls + excluded.calls
  )
  select count(*) into folded from gone;
  with gone as (
    delete from usage_changes where seq in (select seq from usage_changes order by seq limit most) returning *
  ), used as (
    insert into account_usage (account_id, month, seconds)
    select account_id, month, sum(seconds) from gone group by 1, 2 order by 1, 2
    on conflict (account_id, month) do update set seconds = account_usage.seconds + excluded.seconds
  )
  select count(*) into months from gone;
  return folded + months;
end $$;

-- What a write of an engine begins with, in the statement that takes its locks and after them: an engine that others took
-- for dead writes nothing, and an operation is applied once.
create function enter_operation(engine text, operations text[], at bigint) returns void language plpgsql as $$
declare
  noted bigint;
begin
  if engine is not null and exists (select from engines where id = engine and state = 'dead') then
    raise exception 'another engine has taken this one for dead' using errcode = 'VO001';
  end if;
  if cardinality(operations) > 0 then
    insert into applied_operations (id, applied_at) select unnest(operations), at on conflict (id) do nothing;
    get diagnostics noted = row_count;
    if noted < cardinality(operations) then
      raise exception 'it has been applied before' using errcode = 'VO002';
    end if;
  end if;
end $$;
