-- How the newest INVITEs of each trunk were read: numbers as they came and as they were taken, and by which rule.
create table read_invites (
  id text primary key not null,
  trunk_id text not null,
  called_received text not null,
  caller_received text not null,
  called_number text not null,
  caller_number text not null,
  rule text not null,
  created_at bigint not null
);
create index read_invites_by_trunk on read_invites (trunk_id, id);
