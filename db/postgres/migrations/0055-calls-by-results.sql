-- Lists of calls by what was found of them (docs/results.md). Only analysed calls are in these indexes. `calls_judged`
-- has what a range of scores is mostly asked with, so that rows which are skipped are not read.
create index calls_judged on calls (account_id, started_at, id, score, disposition, campaign_id, business_id, agent_id)
  where score is not null;
create index calls_score on calls (account_id, score, started_at, id, disposition, campaign_id, business_id, agent_id)
  where score is not null;
create index calls_disposition on calls (account_id, disposition, started_at, id) where disposition is not null;

-- The values of a call's outputs that are no lists and no objects, as text of at most 200 characters; with its score.
create table call_outputs (
  account_id text not null,
  name text not null,
  value text not null,
  started_at bigint not null,
  call_id text not null,
  score double precision,
  primary key (account_id, name, value, started_at, call_id) include (score)
);
create index call_outputs_call on call_outputs (call_id);

insert into call_outputs (account_id, name, value, started_at, call_id, score)
select account_id, found.key, found.value #>> '{}', started_at, calls.id, score
from calls, json_each(analysis::json -> 'data') as found
where analysis is not null and analysis not like '%\u0000%' and json_typeof(found.value) in ('boolean', 'number', 'string')
  and length(found.value #>> '{}') <= 200;
