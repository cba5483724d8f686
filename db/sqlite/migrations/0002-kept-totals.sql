-- Totals that are kept, not counted: a page of calls, a campaign's stats and its dialler must cost the same at a million
-- rows. Triggers keep them, so that no writer can forget; each row is changed in the transaction of the call or contact.

-- call_counts: one row per filter value and UTC day, and one with day '' over all days.
insert into call_counts (account_id, filter, value, day, total)
select account_id, filter, value, day, count(*) from (
  select account_id, 'all' as filter, '' as value, date(started_at / 1000, 'unixepoch') as day from calls
  union all select account_id, 'status', status, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'direction', direction, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'outcome', outcome, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'sentiment', sentiment, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'businessId', business_id, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'campaignId', campaign_id, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'agentId', agent_id, date(started_at / 1000, 'unixepoch') from calls
  union all select account_id, 'phoneNumberId', phone_number_id, date(started_at / 1000, 'unixepoch') from calls
) where value is not null group by account_id, filter, value, day;
insert into call_counts (account_id, filter, value, day, total)
select account_id, filter, value, '', sum(total) from call_counts group by account_id, filter, value;

create trigger call_counts_insert after insert on calls begin
  insert into call_counts (account_id, filter, value, day, total)
  select new.account_id, f.filter, f.value, d.day, 1
  from (
    select 'all' as filter, '' as value
    union all select 'status', new.status
    union all select 'direction', new.direction
    union all select 'outcome', new.outcome
    union all select 'sentiment', new.sentiment
    union all select 'businessId', new.business_id
    union all select 'campaignId', new.campaign_id
    union all select 'agentId', new.agent_id
    union all select 'phoneNumberId', new.phone_number_id
  ) f
  cross join (select '' as day union all select date(new.started_at / 1000, 'unixepoch')) d
  where f.value is not null
  on conflict (account_id, filter, value, day) do update set total = total + 1;
end;

create trigger call_counts_delete after delete on calls begin
  insert into call_counts (account_id, filter, value, day, total)
  select old.account_id, f.filter, f.value, d.day, -1
  from (
    select 'all' as filter, '' as value
    union all select 'status', old.status
    union all select 'direction', old.direction
    union all select 'outcome', old.outcome
    union all select 'sentiment', old.sentiment
    union all select 'businessId', old.business_id
    union all select 'campaignId', old.campaign_id
    union all select 'agentId', old.agent_id
    union all select 'phoneNumberId', old.phone_number_id
  ) f
  cross join (select '' as day union all select date(old.started_at / 1000, 'unixepoch')) d
  where f.value is not null
  on conflict (account_id, filter, value, day) do update set total = total - 1;
end;

create trigger call_counts_update
after update of account_id, status, direction, outcome, sentiment, business_id, campaign_id, agent_id, phone_number_id,
  started_at on calls
when old.account_id <> new.account_id or old.status <> new.status or old.direction <> new.direction
  or old.outcome is not new.outcome or old.sentiment is not new.sentiment or old.business_id <> new.business_id
  or old.campaign_id <> new.campaign_id or old.agent_id <> new.agent_id
  or old.phone_number_id is not new.phone_number_id or old.started_at <> new.started_at
begin
  insert into call_counts (account_id, filter, value, day, total)
  select account_id, filter, value, day, sum(delta) from (
    select f.account_id, f.filter, f.value, d.day, f.delta
    from (
      select -1 as delta, old.account_id as account_id, 'all' as filter, '' as value
      union all select -1, old.account_id, 'status', old.status
      union all select -1, old.account_id, 'direction', old.direction
      union all select -1, old.account_id, 'outcome', old.outcome
      union all select -1, old.account_id, 'sentiment', old.sentiment
      union all select -1, old.account_id, 'businessId', old.business_id
      union all select -1, old.account_id, 'campaignId', old.campaign_id
      union all select -1, old.account_id, 'agentId', old.agent_id
      union all select -1, old.account_id, 'phoneNumberId', old.phone_number_id
    ) f
    cross join (select '' as day union all select date(old.started_at / 1000, 'unixepoch')) d
    union all
    select f.account_id, f.filter, f.value, d.day, f.delta
    from (
      select 1 as delta, new.account_id as account_id, 'all' as filter, '' as value
      union all select 1, new.account_id, 'status', new.status
      union all select 1, new.account_id, 'direction', new.direction
      union all select 1, new.account_id, 'outcome', new.outcome
      union all select 1, new.account_id, 'sentiment', new.sentiment
      union all select 1, new.account_id, 'businessId', new.business_id
      union all select 1, new.account_id, 'campaignId', new.campaign_id
      union all select 1, new.account_id, 'agentId', new.agent_id
      union all select 1, new.account_id, 'phoneNumberId', new.phone_number_id
    ) f
    cross join (select '' as day union all select date(new.started_at / 1000, 'unixepoch')) d
  )
  where value is not null
  group by account_id, filter, value, day
  having sum(delta) <> 0
  on conflict (account_id, filter, value, day) do update set total = total + excluded.total;
end;

-- campaign_totals: what a campaign's stats are made of. "Answered" = has an answer and has ended.
create table campaign_totals (
  campaign_id text primary key not null,
  account_id text not null,
  calls integer not null,
  completed integer not null,
  successful integer not null,
  failed integer not null,
  voicemails integer not null,
  answered integer not null,
  answered_seconds integer not null
) strict, without rowid;

insert into campaign_totals (campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds)
select campaign_id, max(account_id), count(*),
  sum(status = 'COMPLETED'),
  sum(status = 'COMPLETED' and outcome is not 'hung_up'),
  sum(status = 'FAILED'),
  sum(status = 'VOICEMAIL'),
  sum(answered_at is not null and ended_at is not null),
  sum(case when answered_at is not null and ended_at is not null then duration_seconds else 0 end)
from calls group by campaign_id;

create trigger campaign_totals_insert after insert on calls begin
  insert into campaign_totals (campaign_id, account_id, calls, completed, successful, failed, voicemails, answered, answered_seconds)
  values (new.campaign_id, new.account_id, 1,
    new.status = 'COMPLETED',
    new.status = 'COMPLETED' and new.outcome is not 'hung_up',
    new.status = 'FAILED',
    new.status = 'VOICEMAIL',
    new.answered_at is not null and new.ended_at is not null,
    case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end)
  on conflict (campaign_id) do update set
    calls = calls + 1,
    completed = completed + excluded.completed,
    successful = successful + excluded.successful,
    failed = failed + excluded.failed,
    voicemails = voicemails + excluded.voicemails,
    answered = answered + excluded.answered,
    answered_seconds = answered_seconds + excluded.answered_seconds;
end;

create trigger campaign_totals_delete after delete on calls begin
  update campaign_totals set
    calls = calls - 1,
    completed = completed - (old.status = 'COMPLETED'),
    successful = successful - (old.status = 'COMPLETED' and old.outcome is not 'hung_up'),
    failed = failed - (old.status = 'FAILED'),
    voicemails = voicemails - (old.status = 'VOICEMAIL'),
    answered = answered - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where campaign_id = old.campaign_id;
end;

create trigger campaign_totals_update
after update of status, outcome, answered_at, ended_at, duration_seconds on calls
begin
  update campaign_totals set
    completed = completed + (new.status = 'COMPLETED') - (old.status = 'COMPLETED'),
    successful = successful + (new.status = 'COMPLETED' and new.outcome is not 'hung_up')
      - (old.status = 'COMPLETED' and old.outcome is not 'hung_up'),
    failed = failed + (new.status = 'FAILED') - (old.status = 'FAILED'),
    voicemails = voicemails + (new.status = 'VOICEMAIL') - (old.status = 'VOICEMAIL'),
    answered = answered + (new.answered_at is not null and new.ended_at is not null)
      - (old.answered_at is not null and old.ended_at is not null),
    answered_seconds = answered_seconds
      + case when new.answered_at is not null and new.ended_at is not null then new.duration_seconds else 0 end
      - case when old.answered_at is not null and old.ended_at is not null then old.duration_seconds else 0 end
  where campaign_id = new.campaign_id;
end;

-- contact_counts: contacts of a campaign by status.
create table contact_counts (
  campaign_id text not null,
  status text not null,
  account_id text not null,
  total integer not null,
  primary key (campaign_id, status)
) strict, without rowid;

insert into contact_counts (campaign_id, status, account_id, total)
select campaign_id, status, max(account_id), count(*) from contacts group by campaign_id, status;

create trigger contact_counts_insert after insert on contacts begin
  insert into contact_counts (campaign_id, status, account_id, total)
  values (new.campaign_id, new.status, new.account_id, 1)
  on conflict (campaign_id, status) do update set total = total + 1;
end;

create trigger contact_counts_delete after delete on contacts begin
  update contact_counts set total = total - 1 where campaign_id = old.campaign_id and status = old.status;
end;

create trigger contact_counts_update after update of status on contacts when old.status <> new.status begin
  update contact_counts set total = total - 1 where campaign_id = old.campaign_id and status = old.status;
  insert into contact_counts (campaign_id, status, account_id, total)
  values (new.campaign_id, new.status, new.account_id, 1)
  on conflict (campaign_id, status) do update set total = total + 1;
end;

-- The account's running calls: `GET /live`.
create index calls_live on calls (account_id, started_at, id) where ended_at is null;
-- Active campaigns of an agent or business, and `?agentId=`.
create index campaigns_by_agent on campaigns (account_id, agent_id, created_at, id) where deleted_at is null;
create index campaigns_by_status on campaigns (account_id, status, created_at, id) where deleted_at is null;
