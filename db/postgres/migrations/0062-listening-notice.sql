-- How the caller learns that somebody listens to the call (docs/live-calls.md).
alter table campaigns add column listening_notice text not null default 'none'
  check (listening_notice in ('none', 'tone', 'announcement'));
