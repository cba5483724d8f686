-- Where calls may go (db/rules/destinations.ts): policies of the installation, its trunks and its accounts.
create table settings (
  name text primary key,
  value text not null
);

alter table trunks add column destinations text;
alter table accounts add column destinations text;

-- The countries of the numbers that the installation has, without reading all of them.
create index phone_numbers_country on phone_numbers (country) where status <> 'released' and sip_alias is null;
create index inventory_country on inventory (country) where retired_at is null;
