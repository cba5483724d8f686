-- Suites that must have passed before drafts are published.
alter table test_suites add column required_to_publish bigint not null default 0;
