-- The user part that a number answers to beside its digits (`sip:demo@…`), and what sign-in looks up.

alter table phone_numbers add column sip_alias text;
create unique index phone_numbers_alias on phone_numbers (sip_alias) where sip_alias is not null and status <> 'released';
create index one_time_tokens_expiry on one_time_tokens (expires_at);
create index refresh_tokens_user on refresh_tokens (user_id) where revoked_at is null;
create index login_failures_age on login_failures (first_at);
