-- Running calls that somebody watches, and the words that are being said on them now.
create table live_views (
  call_id text primary key,
  account_id text not null,
  watched_until integer not null,
  version integer not null default 0,
  words text
);
create index live_views_age on live_views (watched_until);
