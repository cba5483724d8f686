-- How far an account has come in setting itself up.
alter table accounts add column setup text;
