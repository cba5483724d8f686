-- The stages of each answered turn of a call, its interruptions, and when each side spoke: times only, as JSON. A table
-- of its own, so that lists of calls do not read it.
create table call_timelines (
  call_id text primary key not null,
  account_id text not null,
  data text not null
) strict;
