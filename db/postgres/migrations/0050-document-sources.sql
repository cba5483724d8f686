-- Where a document was read from, when it is to be read again, and why that failed (docs/knowledge.md).
alter table documents add column source_url text;
alter table documents add column refresh_hours bigint;
alter table documents add column refresh_at bigint;
alter table documents add column read_at bigint;
alter table documents add column error text;
alter table documents add column text_hash text;
create index documents_refresh on documents (refresh_at) where refresh_at is not null;
