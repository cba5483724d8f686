-- The number that the caller dialled first, of a call that was forwarded to one of ours.
alter table calls add column forwarded_from text;
create index calls_forwarded on calls (account_id, forwarded_from, started_at, id) where forwarded_from is not null;

-- Who answers a number when (db/domain/number-routes.ts).
alter table phone_numbers add column routes text not null default '[]';
