-- The recordings of simulations: an MP3 of both sides, gone with its result.
create table test_recordings (
  result_id text primary key not null,
  account_id text not null,
  run_id text not null,
  bytes bigint not null,
  created_at bigint not null,
  audio bytea not null
);
create index test_recordings_list on test_recordings (account_id, created_at, result_id);
create index test_recordings_of_run on test_recordings (run_id);

-- The call that a case was made of, with which the case and its results go.
alter table test_cases add column call_id text;
update test_cases set call_id = (select max(call_id) from test_clips where case_id = test_cases.id);
update test_results set call_id = (select call_id from test_cases where id = test_results.case_id);
create index test_cases_of_call on test_cases (call_id) where call_id is not null;
create index test_results_of_call on test_results (call_id) where call_id is not null;
