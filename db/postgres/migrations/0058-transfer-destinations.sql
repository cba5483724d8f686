-- Persons to whom a caller may be handed (docs/transfers.md): [{name, description, target, hours, extensionDigits, mode,
-- accept, ringSeconds, order}]. A campaign's list, where there is one, takes the place of its business's.
alter table businesses add column destinations text not null default '[]';
alter table campaigns add column destinations text not null default '[]';
