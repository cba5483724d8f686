-- Contacts of a campaign by status and the second in which they were added: they tell where a deep page begins, as
-- call_counts does for calls. A day would be too long: a list of a million is imported within a minute.

create table contact_seconds (
  campaign_id text not null,
  second integer not null,
  status text not null,
  total integer not null,
  primary key (campaign_id, second, status)
) strict, without rowid;

insert into contact_seconds (campaign_id, second, status, total)
select campaign_id, created_at / 1000, status, count(*) from contacts group by 1, 2, 3;

create trigger contact_seconds_insert after insert on contacts begin
  insert into contact_seconds (campaign_id, second, status, total)
  values (new.campaign_id, new.created_at / 1000, new.status, 1)
  on conflict (campaign_id, second, status) do update set total = total + 1;
end;

create trigger contact_seconds_delete after delete on contacts begin
  update contact_seconds set total = total - 1
  where campaign_id = old.campaign_id and second = old.created_at / 1000 and status = old.status;
end;

create trigger contact_seconds_update after update of status on contacts when old.status <> new.status begin
  update contact_seconds set total = total - 1
  where campaign_id = old.campaign_id and second = old.created_at / 1000 and status = old.status;
  insert into contact_seconds (campaign_id, second, status, total)
  values (new.campaign_id, new.created_at / 1000, new.status, 1)
  on conflict (campaign_id, second, status) do update set total = total + 1;
end;
