-- ISO 4217; null: that of the business's country.
alter table businesses add column currency text;
