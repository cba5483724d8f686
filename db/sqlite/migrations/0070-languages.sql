-- A voice and a key for each of an agent's languages (db/domain/call-languages.ts).
alter table agents add column languages text not null default '[]';
-- Those in which a call was led, in order.
alter table calls add column languages text not null default '[]';
