-- One row: the voices that the running engine can speak with, as its speech engines found them at its start.
create table engine_voices (
  id integer primary key not null check (id = 1),
  voices text not null
) strict;
