-- Versions of agents and businesses that lead a share of the calls until it is known whether they are worse.
create table canaries (
  id text primary key not null,
  account_id text not null,
  subject text not null,
  subject_id text not null,
  version bigint not null,
  published_version bigint not null,
  changes text not null,
  share bigint not null,
  calls bigint not null,
  actor text not null,
  created_at bigint not null,
  ended_at bigint,
  result text,
  verdict text not null
);
create unique index canaries_running on canaries (subject_id) where ended_at is null;
create index canaries_of_subject on canaries (subject_id, created_at);
