-- The kept totals by a log of changes: a trigger writes what a row was and is, one process folds the log into the totals
-- each moment, and the views add what is not folded yet. So no two calls wait for the row of one total, and every answer
-- is exact. What is new has the weight 1, what it was before has -1.
drop trigger call_counts_made on calls;
drop trigger call_counts_changed on calls;
drop trigger call_totals_made on calls;
drop trigger call_totals_changed on calls;
drop trigger contact_totals_made on contacts;
drop trigger contact_totals_changed on contacts;
drop function call_counts_change();
drop function call_totals_change();
drop function contact_totals_change();
drop function count_call(calls, bigint);
drop function call_filters(calls);
drop function count_campaign_call(calls, bigint, boolean);
drop function count_day_call(calls, bigint);
drop function count_gap(calls, bigint);
drop function count_contact(contacts, bigint);

create table call_changes (
  seq bigint generated always as identity primary key,
  weight bigint not null,
  -- The call itself begins or goes; else it only changes.
  is_whole boolean not null,
  account_id text not null,
  campaign_id text not null,
  business_id text not null,
  agent_id text not null,
  phone_number_id text,
  direction text not null,
  status text not null,
  outcome text,
  sentiment text,
  reason text not null,
  day text not null,
  is_ended boolean not null,
  is_answered boolean not null,
  answered_seconds bigint not null,
  gap_ms bigint
);
create index call_changes_account on call_changes (account_id);
create index call_changes_campaign on call_changes (campaign_id);

create table contact_changes (
  seq bigint generated always as identity primary key,
  weight bigint not null,
  account_id text not null,
  campaign_id text not null,
  status text not null,
  second bigint not null
);
create index contact_changes_campaign on contact_changes (campaign_id);

create function log_call(c calls, weight bigint, is_whole boolean) returns void language sql as $$
  insert into call_changes (weight, is_whole, account_id, campaign_id, business_id, agent_id, phone_number_id, direction,
    status, outcome, sentiment, reason, day, is_ended, is_answered, answered_seconds, gap_ms)
  values (weight, is_whole, c.account_id, c.campaign_id, c.business_id, c.agent_id, c.phone_number_id, c.direction,
    c.status, c.outcome, c.sentiment, case when c.status = 'FAILED' then coalesce(c.end_reason, '') else '' end,
    utc_day(c.started_at), c.ended_at is not null, c.answered_at is not null and c.ended_at is not null,
    case when c.answered_at is not null and c.ended_at is not null then c.duration_seconds else 0 end,
    case when (c.latency::json ->> 'turns')::numeric > 0
      then round((c.latency::json ->> 'p50Ms')::numeric / 20) * 20 end)
$$;

create function log_call_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform log_call(old, -1, tg_op = 'DELETE'); end if;
  if tg_op <> 'DELETE' then perform log_call(new, 1, tg_op = 'INSERT'); end if;
  return null;
end $$;

create trigger calls_made after insert or delete on calls for each row execute function log_call_change();
create trigger calls_changed
after update of account_id, status, direction, outcome, sentiment, business_id, campaign_id, agent_id, phone_number_id,
  started_at, end_reason, answered_at, ended_at, duration_seconds, latency on calls
for each row when (
  (old.account_id, old.status, old.direction, old.outcome, old.sentiment, old.business_id, old.campaign_id, old.agent_id,
    old.phone_number_id, old.started_at, old.end_reason, old.answered_at, old.ended_at, old.duration_seconds, old.latency)
  is distinct from
  (new.account_id, new.status, new.direction, new.outcome, new.sentiment, new.business_id, new.campaign_id, new.agent_id,
    new.phone_number_id, new.started_at, new.end_reason, new.answered_at, new.ended_at, new.duration_seconds, new.latency))
execute function log_call_change();

/* Many contacts come in one statement: their changes are counted first. */
create function log_contacts_made() returns trigger language plpgsql as $$
begin
  insert into contact_changes (weight, account_id, campaign_id, status, second)
  select count(*), account_id, campaign_id, status, created_at / 1000 from made group by 2, 3, 4, 5;
  return null;
end $$;
create function log_contacts_gone() returns trigger language plpgsql as $$
begin
  insert into contact_changes (weight, account_id, campaign_id, status, second)
  select -count(*), account_id, campaign_id, status, created_at / 1000 from gone group by 2, 3, 4, 5;
  return null;
end $$;
create function log_contacts_changed() returns trigger language plpgsql as $$
begin
  insert into contact_changes (weight, account_id, campaign_id, status, second)
  select sum(weight), account_id, campaign_id, status, created_at / 1000 from (
    select -1 as weight, account_id, campaign_id, status, created_at from before
    union all select 1, account_id, campaign_id, status, created_at from after
  ) as changed group by 2, 3, 4, 5 having sum(weight) <> 0;
  return null;
end $$;
create trigger contacts_made after insert on contacts referencing new table as made
for each statement execute function log_contacts_made();
create trigger contacts_gone after delete on contacts referencing old table as gone
for each statement execute function log_contacts_gone();
create trigger contacts_changed after update on contacts referencing old table as before new table as after
for each statement execute function log_contacts_changed();

/* The filters of a call that have totals, with their values, by day and over all days (''). */
create function counted_keys(c call_changes) returns table (filter text, value text, day text) language sql immutable as $$
  select f.filter, f.value, d.day from (values
    ('all', ''), ('status', c.status), ('direction', c.direction), ('outcome', c.outcome), ('sentiment', c.sentiment),
    ('businessId', c.business_id), ('campaignId', c.campaign_id), ('agentId', c.agent_id),
    ('phoneNumberId', c.phone_number_id)
  ) as f (filter, value) cross join (values (''), (c.day)) as d (day) where f.value is not null
$$;

create view call_counts_now as
  select account_id, filter, value, day, sum(total)::bigint as total, sum(changes)::bigint as changes from (
    select account_id, filter, value, day, total, changes from call_counts
    union all
    select c.account_id, k.filter, k.value, k.day, c.weight, 1
    from call_changes as c cross join lateral counted_keys(c) as k
  ) as counted group by account_id, filter, value, day;

create view campaign_totals_now as
  select campaign_id, account_id, sum(calls)::bigint as calls, sum(completed)::bigint as completed,
    sum(successful)::bigint as successful, sum(failed)::bigint as failed, sum(voicemails)::bigint as voicemails,
    sum(answered)::bigint as answered, sum(answered_seconds)::bigint as answered_seconds
  from (
    select campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds
    from campaign_totals
    union all
    select campaign_id, account_id, weight * is_whole::int, weight * (status = 'COMPLETED')::int,
      weight * (status = 'COMPLETED' and coalesce(outcome, '') not in ('hung_up', 'agent_failed'))::int,
      weight * (status = 'FAILED')::int, weight * (status = 'VOICEMAIL')::int, weight * is_answered::int,
      weight * answered_seconds
    from call_changes
  ) as counted group by campaign_id, account_id;

create view call_days_now as
  select account_id, day, direction, status, reason, sum(calls)::bigint as calls, sum(ended)::bigint as ended,
    sum(answered)::bigint as answered, sum(answered_seconds)::bigint as answered_seconds
  from (
    select account_id, day, direction, status, reason, calls, ended, answered, answered_seconds from call_days
    union all
    select account_id, day, direction, status, reason, weight, weight * is_ended::int, weight * is_answered::int,
      weight * answered_seconds
    from call_changes
  ) as counted group by account_id, day, direction, status, reason;

create view call_gaps_now as
  select account_id, day, gap_ms, sum(calls)::bigint as calls from (
    select account_id, day, gap_ms, calls from call_gaps
    union all
    select account_id, day, gap_ms, weight from call_changes where gap_ms is not null
  ) as counted group by account_id, day, gap_ms;

create view contact_counts_now as
  select campaign_id, status, account_id, sum(total)::bigint as total from (
    select campaign_id, status, account_id, total from contact_counts
    union all
    select campaign_id, status, account_id, weight from contact_changes
  ) as counted group by campaign_id, status, account_id;

create view contact_seconds_now as
  select campaign_id, second, status, sum(total)::bigint as total from (
    select campaign_id, second, status, total from contact_seconds
    union all
    select campaign_id, second, status, weight from contact_changes
  ) as counted group by campaign_id, second, status;

/* Folds up to so many changes of calls, the oldest first; returns their number. */
create function fold_calls(most int) returns bigint language sql as $$
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
    from gone group by 1, 2 order by 1
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
  select count(*) from gone
$$;

/* The same for contacts. */
create function fold_contacts(most int) returns bigint language sql as $$
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
  select count(*) from gone
$$;
