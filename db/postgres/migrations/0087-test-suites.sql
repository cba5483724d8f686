-- Suites of tests, their cases, their runs, and what came of each case.
create table test_suites (
  id text primary key not null,
  account_id text not null,
  business_id text not null,
  campaign_id text,
  agent_id text not null,
  name text not null,
  run_on_save bigint not null default 0,
  judge text,
  due_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index test_suites_list on test_suites (account_id, created_at, id);
create index test_suites_due on test_suites (due_at) where due_at is not null;

create table test_cases (
  id text primary key not null,
  account_id text not null,
  suite_id text not null,
  kind text not null,
  name text not null,
  position bigint not null,
  definition text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index test_cases_list on test_cases (suite_id, position, id);

create table test_runs (
  id text primary key not null,
  account_id text not null,
  suite_id text not null,
  status text not null,
  cause text not null,
  seed bigint not null,
  agent_version bigint,
  business_version bigint,
  total bigint not null,
  passed bigint not null default 0,
  failed bigint not null default 0,
  errors bigint not null default 0,
  touched_at bigint not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint
);
create index test_runs_list on test_runs (account_id, created_at, id);
create index test_runs_of_suite on test_runs (suite_id, created_at, id);
create index test_runs_open on test_runs (touched_at) where ended_at is null;
create index test_runs_ended on test_runs (ended_at) where ended_at is not null;

create table test_results (
  id text primary key not null,
  account_id text not null,
  run_id text not null,
  case_id text not null,
  kind text not null,
  case_name text not null,
  position bigint not null,
  definition text not null,
  status text not null,
  checks text not null default '[]',
  transcript text not null default '[]',
  error text,
  call_id text,
  recording text,
  attempts bigint not null default 0,
  claimed_by text,
  claim_until bigint,
  duration_ms bigint
);
create index test_results_list on test_results (run_id, position, id);
