-- What the carrier knows of a port order: the name of the carrier that has it whole, when it was asked last, and when it
-- was told of a cancellation.
alter table port_orders add column carrier text;
alter table port_orders add column carrier_asked_at bigint not null default 0;
alter table port_orders add column carrier_ended_at bigint;
update port_orders set carrier_ended_at = created_at where status in ('COMPLETED', 'REJECTED', 'CANCELLED');
create index port_orders_at_carrier on port_orders (carrier_asked_at) where carrier_ended_at is null;
