-- Vectors of passages (embeddings), in blocks, and how far a document has them (docs/knowledge.md).
alter table documents add column vector_kind text;
alter table documents add column vectors_due_at integer;
alter table documents add column vector_failures integer not null default 0;
alter table documents add column vector_error text;

create table document_vectors (
  document_id text not null references documents (id) on delete cascade,
  block integer not null,
  account_id text not null,
  business_id text not null,
  kind text not null,
  seqs text not null,
  vectors blob not null,
  primary key (document_id, block)
) strict;
create index document_vectors_business on document_vectors (business_id, kind);
