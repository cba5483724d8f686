-- Erasure of calls: on request, and by a nightly sweep of the accounts that keep calls for a number of days.
alter table calls add column erased_at integer;

-- Days after which an account's calls are erased; null: never.
alter table accounts add column retention_days integer;

-- erased_until: every call that began before it is erased. swept_at: when the sweep last ended, or the days were set.
create table call_sweeps (
  account_id text primary key not null,
  erased_until integer not null,
  swept_at integer not null
) strict, without rowid;

-- An appointment whose call was erased before its time came keeps its names until then.
alter table appointments add column erase_after integer;
create index appointments_erase_after on appointments (erase_after) where erase_after is not null;

-- The log entries of a call's events.
create index webhook_deliveries_event on webhook_deliveries (event_id);
