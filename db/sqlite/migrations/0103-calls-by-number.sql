-- The calls with one number: the caller's, or that of the person called.
create index calls_party on calls (account_id, (case direction when 'inbound' then from_number else to_number end), started_at, id);
insert into sqlite_stat1 (tbl, idx, stat) values ('calls', 'calls_party', '1000000 100000 20 1 1');
