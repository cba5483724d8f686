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
  started_at integer not null,
  call_id text not null,
  score real,
  primary key (account_id, name, value, started_at, call_id)
) strict, without rowid;
create index call_outputs_call on call_outputs (call_id);

insert into call_outputs (account_id, name, value, started_at, call_id, score)
select account_id, found.key,
  case found.type when 'true' then 'true' when 'false' then 'false' else cast(found.atom as text) end,
  started_at, calls.id, score
from calls, json_each(analysis, '$.data') as found
where analysis is not null and found.type in ('true', 'false', 'integer', 'real', 'text') and length(found.atom) <= 200;

insert into sqlite_stat1 (tbl, idx, stat) values
  ('calls', 'calls_judged', '1000000 100000 2 1 1 1 1 1 1'),
  ('calls', 'calls_score', '1000000 100000 2000 2 1 1 1 1 1'),
  ('calls', 'calls_disposition', '1000000 100000 20000 2 1'),
  ('call_outputs', 'sqlite_autoindex_call_outputs_1', '5000000 500000 100000 5000 2 1'),
  ('call_outputs', 'call_outputs_call', '5000000 5 1 1 1 1');
