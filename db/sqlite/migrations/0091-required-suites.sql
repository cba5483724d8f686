-- Suites that must have passed before drafts are published.
alter table test_suites add column required_to_publish integer not null default 0;
