-- The diary asks for the appointments of some days.
create index appointments_days on appointments (account_id, starts_at);
