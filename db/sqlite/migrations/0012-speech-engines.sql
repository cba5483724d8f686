-- One row: the voices that the running engine can speak with, as its speech engines found them at its start.
create table engine_voices (
  id integer primary key not null check (id = 1),
  voices text not null
) strict;

-- Where the built-in engine did the work of a call's chosen one: [{model, from, to, count}] as JSON.
alter table calls add column fallbacks text not null default '[]';
