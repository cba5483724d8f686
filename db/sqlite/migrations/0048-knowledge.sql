-- Documents of a business, cut into passages under their headings, which calls are answered from (docs/knowledge.md).
create table documents (
  id text primary key not null,
  account_id text not null references accounts (id),
  business_id text not null references businesses (id) on delete cascade,
  name text not null,
  kind text not null,
  characters integer not null,
  passages integer not null,
  created_at integer not null
) strict;
create index documents_business on documents (business_id, created_at);

create table passages (
  seq integer primary key autoincrement,
  document_id text not null references documents (id) on delete cascade,
  account_id text not null,
  business_id text not null,
  heading text not null,
  body text not null
) strict;
create index passages_document on passages (document_id);
create index passages_business on passages (business_id);

-- The index of their words. What is deleted leaves no trace of its words in it.
create virtual table passage_words using fts5 (
  heading, body, content = 'passages', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
insert into passage_words (passage_words, rank) values ('secure-delete', 1);

-- How many passages have a word.
create virtual table passage_terms using fts5vocab ('passage_words', 'row');

create trigger passages_insert after insert on passages begin
  insert into passage_words (rowid, heading, body) values (new.seq, new.heading, new.body);
end;
create trigger passages_delete after delete on passages begin
  insert into passage_words (passage_words, rowid, heading, body) values ('delete', old.seq, old.heading, old.body);
end;
