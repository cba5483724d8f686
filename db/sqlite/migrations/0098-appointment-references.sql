-- By which a caller proves that an appointment is theirs when they call from another number; null: it was booked before.
alter table appointments add column reference text;
