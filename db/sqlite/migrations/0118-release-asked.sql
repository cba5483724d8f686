-- The carrier was asked to take the number back, and its answer is not known.
alter table phone_numbers add column release_asked_at integer;
create index phone_numbers_release_asked on phone_numbers (release_asked_at) where release_asked_at is not null;
