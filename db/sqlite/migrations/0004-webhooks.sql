-- Where a subscription's events begin: those written before it was made, or while it was inactive, are never its own.
alter table webhooks add column active_from_seq integer not null default 0;
-- How many entries its log has, so that a page's total does not scan it.
alter table webhooks add column delivery_count integer not null default 0;
alter table webhooks add column delivered_count integer not null default 0;
-- Who delivers is decided by a lock that dies with its process (db/process-lock.ts), so that a restart takes over at once.
alter table webhook_queue drop column leased_until;
drop index webhook_queue_due;
create index webhook_queue_retries on webhook_queue (webhook_id, next_attempt_at) where attempts > 0;
create index webhook_queue_event on webhook_queue (event_seq);
create index webhook_deliveries_success on webhook_deliveries (account_id, webhook_id, success, created_at, id);
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;
create index events_age on events (created_at);
-- The primary key is an index already.
drop index webhook_deliveries_id;
