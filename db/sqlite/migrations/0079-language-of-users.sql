-- The language of mails to a user, that of the browser at the registration. Null: English.
alter table users add column language text;
