-- People whom the installation's identity provider knows, and the users who they are here; how much a user may do in the
-- account (null: everything); and sessions that came from the provider, which end at a time however often they are renewed.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text not null,
  created_at integer not null,
  last_used_at integer not null,
  primary key (issuer, subject)
) strict;
create index user_identities_of_user on user_identities (user_id);
alter table users add column access text;
alter table one_time_tokens add column provider text;
alter table refresh_tokens add column provider text;
alter table refresh_tokens add column ends_at integer;
