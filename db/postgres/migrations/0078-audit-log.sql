-- Who did what in an account and in the installation: the names of changed fields, never their values.
create table audit_log (
  id text primary key not null,
  account_id text,
  actor text not null,
  token_id text,
  action text not null,
  resource text not null,
  resource_id text,
  fields text not null,
  address text,
  created_at bigint not null
);
create index audit_log_list on audit_log (account_id, created_at, id);
create index audit_log_age on audit_log (created_at, id);
