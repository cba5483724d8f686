-- Contacts of a campaign of a million. One index of numbers in place of two: numbers come in no order, so each index of them
-- costs an import a page for each contact. Lists with a status have an index in their own order. The statistics make SQLite
-- look numbers up one by one; without them it takes a list of numbers for so long that it walks the whole campaign instead.

drop index contacts_number;
drop index contacts_by_number;
create unique index contacts_number on contacts (account_id, phone_number, campaign_id);
create index contacts_status on contacts (account_id, campaign_id, status, created_at, id);

insert into sqlite_stat1 (tbl, idx, stat) values
  ('contacts', 'contacts_number', '10000000 1000000 2 1'),
  ('contacts', 'contacts_list', '10000000 1000000 1000000 1000 1'),
  ('contacts', 'contacts_status', '10000000 1000000 1000000 300000 1000 1'),
  ('contacts', 'contacts_due', '10000000 1000000 300000 2');
