-- Tokens belong to the environment (APP_ENV) that issued them. Those that are there already become the property of the
-- first API that starts on the data: null until then.
alter table refresh_tokens add column app_env text;
alter table one_time_tokens add column app_env text;
alter table access_tokens add column app_env text;

-- A session token carries the generation of its user's sessions, where it used to be compared by its time of issue: a
-- clock may be set back. Sessions that are under way at a user who has revoked some before have to be refreshed once.
alter table users add column session_generation integer not null default 0;
update users set session_generation = 1 where tokens_valid_from > 0;
alter table users drop column tokens_valid_from;
