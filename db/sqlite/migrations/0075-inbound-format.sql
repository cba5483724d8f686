-- How a trunk writes the numbers of its INVITEs where they can be read in two ways (db/domain/trunk-defaults.ts).
alter table trunks add column inbound_format text not null default 'auto';
