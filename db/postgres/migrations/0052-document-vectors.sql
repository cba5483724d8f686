-- Vectors of passages (embeddings), in blocks, and how far a document has them (docs/knowledge.md).
alter table documents add column vector_kind text;
alter table documents add column vectors_due_at bigint;
alter table documents add column vector_failures bigint not null default 0;
alter table documents add column vector_error text;

create table document_vectors (
  document_id text not null references documents (id) on delete cascade,
  block bigint not null,
  account_id text not null,
  business_id text not null,
  kind text not null,
  seqs text not null,
  vectors bytea not null,
  primary key (document_id, block)
);
create index document_vectors_business on document_vectors (business_id, kind);
