-- Where a session is used, for the list that its user sees; null before this release.
alter table refresh_tokens add column signed_in_at integer;
alter table refresh_tokens add column user_agent text;
alter table refresh_tokens add column address text;
