-- How the network ended a call: the final status of its INVITE (RFC 3261 21), the cause of its Reason header (RFC 3326).
alter table calls add column sip_status integer;
alter table calls add column q850_cause integer;

-- Calls that were refused before there was a call: the newest ones. Alike ones of some seconds are one row.
create table refused_calls (
  id text primary key not null,
  called_number text not null,
  caller_number text not null,
  source_address text not null,
  trunk_id text,
  sip_status integer not null,
  reason text not null,
  count integer not null,
  created_at integer not null
) strict;
create index refused_calls_by_reason on refused_calls (reason, id);
