-- Whether the trunk's health is asked by OPTIONS: some peers never answer them.
alter table trunks add column options_ping integer not null default 1;
