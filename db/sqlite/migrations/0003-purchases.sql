-- What a purchase needs to be finished or undone after a crash: the number's id and campaign travel with the charge.

alter table charges add column phone_number_id text;
alter table charges add column campaign_id text;
alter table charges add column is_purchase integer not null default 0;
alter table charges add column is_undone integer not null default 0;
alter table charges add column attended_until integer not null default 0;
alter table phone_numbers add column suspended_at integer;

create unique index charges_purchase_open on charges (phone_number) where status = 'pending' and is_purchase = 1;
create index charges_key on charges (account_id, idempotency_key) where idempotency_key is not null;
create index charges_number on charges (phone_number_id);
create index phone_numbers_releasing on phone_numbers (status) where status = 'releasing';
create index phone_numbers_account_campaign on phone_numbers (account_id, campaign_id, created_at, id) where status = 'active';
create index calls_open_number on calls (phone_number_id) where ended_at is null;
create index inventory_list on inventory (created_at, phone_number);
create index trunks_list on trunks (created_at, id) where deleted_at is null;
create index port_orders_all on port_orders (created_at, id);
create index charges_purpose_all on charges (account_id, purpose, created_at);
create index inventory_reserved on inventory (reserved_by, country, phone_number) where reserved_by is not null;
create index inventory_offer on inventory (country, phone_number) where owned_by is null and retired_at is null;
