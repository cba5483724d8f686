-- Persons, chairs and rooms that appointments are made with, and the minutes between two appointments.
alter table businesses add column resources text not null default '[]';
alter table businesses add column buffer_minutes bigint not null default 0;
-- Grows with each change of the appointment; `history` says which they were.
alter table appointments add column resource text;
alter table appointments add column sequence bigint not null default 0;
alter table appointments add column history text not null default '[]';
