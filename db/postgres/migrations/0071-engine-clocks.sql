-- Ms that the database's clock is ahead of the engine's: the status tells of a machine whose clock is wrong.
alter table engines add column clock_skew_ms bigint not null default 0;
