-- Visitors of web sites who write: by the SHA-256 of the token that their browser keeps, one conversation each.
create table widget_visitors (
  token_hash text primary key not null,
  account_id text not null,
  key_id text not null,
  conversation_id text not null,
  created_at integer not null
) strict;
create index widget_visitors_of_conversation on widget_visitors (conversation_id);
