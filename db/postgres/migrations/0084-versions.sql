-- The versions of agents, businesses and tools: what a call was to run by, after each change.
create table versions (
  id text primary key not null,
  account_id text not null,
  subject text not null,
  subject_id text not null,
  number bigint not null,
  content text not null,
  actor text,
  restored_from bigint,
  created_at bigint not null
);
create unique index versions_of_subject on versions (account_id, subject_id, number);
alter table agents add column version bigint not null default 1;
alter table businesses add column version bigint not null default 1;
alter table tools add column version bigint not null default 1;
-- By which a call was led.
alter table calls add column agent_version bigint;
alter table calls add column business_version bigint;
