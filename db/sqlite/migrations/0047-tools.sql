-- Tools of a tenant: what its agents may ask other systems in a call (docs/tools.md).
create table tools (
  id text primary key not null,
  account_id text not null references accounts (id),
  name text not null,
  description text not null,
  kind text not null,
  url text not null,
  method text not null,
  header_names text not null,
  headers_sealed text,
  parameters text not null,
  timeout_ms integer not null,
  mode text not null,
  say_while text,
  assigns text not null,
  phrases text not null,
  when_interrupted text not null,
  only_names text,
  catalogue text,
  catalogue_at integer,
  catalogue_error text,
  created_at integer not null,
  deleted_at integer
) strict;

-- A deleted tool gives its name back.
create unique index tools_name on tools (account_id, name) where deleted_at is null;

-- The tools that each may use, by id and in order.
alter table agents add column tool_ids text not null default '[]';
alter table businesses add column tool_ids text not null default '[]';
alter table campaigns add column tool_ids text not null default '[]';

-- What a business asks its own system as a call begins: {url, timeoutMs, headerNames}, and its headers, sealed.
alter table businesses add column lookup text;
alter table businesses add column lookup_headers_sealed text;
