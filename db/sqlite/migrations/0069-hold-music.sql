-- What callers of a business hear while a person is looked for, in place of our own music (media/hold-music.ts).
create table hold_music (
  business_id text primary key not null references businesses (id) on delete cascade,
  account_id text not null,
  duration_ms integer not null,
  samples blob not null,
  updated_at integer not null
) strict;
