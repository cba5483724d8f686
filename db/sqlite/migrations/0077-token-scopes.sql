-- What a personal access token may do (JSON, an array of scopes), and until when. Null: everything, and until it is revoked.
alter table access_tokens add column scopes text;
alter table access_tokens add column expires_at integer;
