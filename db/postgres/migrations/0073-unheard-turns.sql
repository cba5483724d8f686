-- Of the failed turns of a minute those that the recogniser did not hear: the status names the part that failed.
alter table turn_minutes add column unheard bigint not null default 0;
