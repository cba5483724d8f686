-- Changes that no call obeys until they are published.
alter table businesses add column drafts bigint not null default 0;
create table drafts (
  subject_id text primary key not null,
  account_id text not null,
  subject text not null,
  number bigint not null,
  changes text not null,
  created_at bigint not null
);
create index drafts_of_account on drafts (account_id);
-- The version that each was made from, and when it began and ceased to lead calls.
alter table versions add column base_number bigint;
alter table versions add column live_from bigint;
alter table versions add column live_until bigint;
update versions set live_from = created_at, live_until = (
  select min(later.created_at) from versions later
  where later.account_id = versions.account_id and later.subject_id = versions.subject_id and later.number > versions.number
);
-- Versions of the agent by which a campaign's calls are led, each with its share.
alter table campaigns add column split text not null default '[]';
