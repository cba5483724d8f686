-- The calls with one number: the caller's, or that of the person called.
create index calls_party on calls (account_id, (case direction when 'inbound' then from_number else to_number end), started_at, id);
