-- Accounts of softphones that register here. account_id: the tenant whose calls they make and whose calls may be
-- transferred to them. calls_to: `demo`, a campaign's id, or null for a phone that can only be called.
create table sip_accounts (
  id text primary key not null,
  account_id text not null references accounts (id),
  username text not null,
  display_name text,
  password_sealed text,
  calls_to text,
  enabled integer not null,
  created_at integer not null,
  deleted_at integer
) strict;

-- A deleted account gives its name back.
create unique index sip_accounts_username on sip_accounts (username) where deleted_at is null;

-- Where each phone is reached until expires_at (RFC 3261 10). Written by the engine, which reads them again at its start.
create table sip_bindings (
  sip_account_id text primary key not null,
  contact text not null,
  transport text not null,
  address text not null,
  port integer not null,
  user_agent text,
  sip_call_id text not null,
  cseq integer not null,
  hash text not null,
  registered_at integer not null,
  expires_at integer not null
) strict;
