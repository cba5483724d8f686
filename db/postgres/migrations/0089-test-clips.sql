-- The caller's own sentences of a call that is kept as a test: PCM16, mono.
create table test_clips (
  case_id text not null,
  position bigint not null,
  account_id text not null,
  suite_id text not null,
  call_id text not null,
  sample_rate_hz bigint not null,
  audio bytea not null,
  primary key (case_id, position)
);
create index test_clips_of_call on test_clips (call_id);
create index test_clips_of_suite on test_clips (suite_id);
