-- How much was written down of a run: an account keeps so many of its newest ones.
alter table test_runs add column bytes bigint not null default 0;
