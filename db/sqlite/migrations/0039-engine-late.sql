-- Whether the engine refuses new calls for now because the running ones come too late.
alter table engine_state add column is_late integer not null default 0;
