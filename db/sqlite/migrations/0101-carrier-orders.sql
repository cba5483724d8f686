-- Numbers that carriers with an API offer stand beside the stock while an account has reserved or bought them, and each
-- purchase at a carrier has a journal. An offer is no number of the installation's: it makes no country a home country.
alter table inventory add column carrier_id text;
alter table inventory add column carrier_price text;
drop index inventory_offer;
create index inventory_offer on inventory (country, phone_number)
  where owned_by is null and retired_at is null and carrier_id is null;
drop index inventory_country;
create index inventory_country on inventory (country) where retired_at is null and carrier_id is null;
create index inventory_of_carrier on inventory (carrier_id, reserved_until) where carrier_id is not null;
create table carrier_orders (
  id text primary key not null,
  carrier_id text not null,
  account_id text not null,
  phone_number text not null,
  phone_number_id text not null,
  state text not null,
  is_unwanted integer not null default 0,
  tries integer not null default 0,
  error text,
  attended_until integer not null,
  due_at integer not null,
  created_at integer not null,
  changed_at integer not null
) strict;
create unique index carrier_orders_open on carrier_orders (phone_number) where state in ('ordered', 'bought');
create index carrier_orders_due on carrier_orders (due_at) where state in ('ordered', 'bought');
create index carrier_orders_of on carrier_orders (carrier_id, created_at);
