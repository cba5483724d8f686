-- Process ids say something only among processes of one PID name space: containers have their own, and may have equal
-- host names. Null: not known.
alter table engine_state add column pid_namespace text;
