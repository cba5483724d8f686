-- Versions of agents and businesses that lead a share of the calls until it is known whether they are worse.
create table canaries (
  id text primary key not null,
  account_id text not null,
  subject text not null,
  subject_id text not null,
  version integer not null,
  published_version integer not null,
  changes text not null,
  share integer not null,
  calls integer not null,
  actor text not null,
  created_at integer not null,
  ended_at integer,
  result text,
  verdict text not null
) strict;
create unique index canaries_running on canaries (subject_id) where ended_at is null;
create index canaries_of_subject on canaries (subject_id, created_at);
