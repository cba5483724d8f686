-- The index of passages by terms that the service makes of their words: stems of their language, codes, and the mark of
-- their business before each. The words of one business are counted by themselves, and others' cost nothing. Documents
-- that were there before are indexed again by the API (api/documents/reindex.ts).
drop trigger passages_insert;
drop trigger passages_delete;
drop table passage_terms;
drop table passage_words;

alter table passages add column mark text not null default '';
alter table passages add column heading_terms text not null default '';
alter table passages add column body_terms text not null default '';
alter table documents add column index_version integer not null default 0;
create index documents_index on documents (index_version);

-- Only which passages have a term. What is deleted leaves no trace of its words in it.
create virtual table passage_words using fts5 (
  words, content = '', columnsize = 0, detail = 'none', tokenize = 'unicode61 remove_diacritics 0'
);
insert into passage_words (passage_words, rank) values ('secure-delete', 1);

create trigger passages_insert after insert on passages begin
  insert into passage_words (rowid, words) values (
    new.seq,
    replace(new.heading_terms, ' ', ' ' || new.mark || 'h') || replace(new.body_terms, ' ', ' ' || new.mark || 'b')
  );
end;
create trigger passages_delete after delete on passages when old.mark <> '' begin
  insert into passage_words (passage_words, rowid, words) values (
    'delete',
    old.seq,
    replace(old.heading_terms, ' ', ' ' || old.mark || 'h') || replace(old.body_terms, ' ', ' ' || old.mark || 'b')
  );
end;

-- The names and codes of a business's documents, each once, and in how many documents it is; and those of a document.
create table knowledge_names (
  seq integer primary key autoincrement,
  account_id text not null,
  business_id text not null references businesses (id) on delete cascade,
  mark text not null,
  term text not null,
  sound text not null,
  grams text not null,
  uses integer not null
) strict;
create unique index knowledge_names_term on knowledge_names (business_id, term);
create table document_names (
  document_id text primary key not null references documents (id) on delete cascade,
  account_id text not null,
  business_id text not null,
  terms text not null
) strict;

create virtual table name_grams using fts5 (
  grams, content = '', columnsize = 0, detail = 'none', tokenize = 'unicode61 remove_diacritics 0'
);
insert into name_grams (name_grams, rank) values ('secure-delete', 1);

create trigger knowledge_names_insert after insert on knowledge_names begin
  insert into name_grams (rowid, grams) values (new.seq, replace(new.grams, ' ', ' ' || new.mark));
end;
create trigger knowledge_names_delete after delete on knowledge_names begin
  insert into name_grams (name_grams, rowid, grams)
  values ('delete', old.seq, replace(old.grams, ' ', ' ' || old.mark));
end;
