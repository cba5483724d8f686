-- The trunk that takes over where a trunk's INVITE fails before anything rang.
alter table trunks add column backup_trunk_id text references trunks (id);
