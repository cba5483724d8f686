-- Prices of models and trunks, in millionths of a currency's unit. None is changed: a newer one takes an older one's
-- place for the calls that begin from then on.
create table prices (
  id text primary key,
  kind text not null,
  engine text,
  model text,
  trunk_id text,
  direction text,
  prefix text,
  rates text not null,
  first_seconds integer not null,
  step_seconds integer not null,
  currency text not null,
  valid_from integer not null,
  created_at integer not null
) strict;
create index prices_of_numbers on prices (kind, prefix, trunk_id);
create index prices_list on prices (created_at, id);
