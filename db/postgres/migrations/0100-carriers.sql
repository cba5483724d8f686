-- Accounts at carriers with an API: their keys sealed, the trunk that was made there, and what the last test said.
create table carriers (
  id text primary key not null,
  kind text not null,
  name text not null,
  key_id text,
  key_sealed text not null,
  key_end text,
  offered_to text not null,
  monthly_cost double precision,
  trunk_id text,
  trunk_parts text not null default '{}',
  trunk_secret text,
  tested_at bigint,
  findings text not null default '[]',
  created_at bigint not null
);
