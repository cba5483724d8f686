-- How often the calls of a filter's value have changed, in its row over all days (day ''): what was read of its days holds until
-- this changes. Other rows count too, which nobody asks for.
alter table call_counts add column changes integer not null default 0;

drop trigger call_counts_insert;
drop trigger call_counts_delete;
drop trigger call_counts_update;

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
  on conflict (account_id, filter, value, day) do update set total = total + 1, changes = changes + 1;
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
  on conflict (account_id, filter, value, day) do update set total = total - 1, changes = changes + 1;
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
  having sum(delta) <> 0 or (day = '' and old.started_at <> new.started_at)
  on conflict (account_id, filter, value, day) do update set total = total + excluded.total, changes = changes + 1;
end;
