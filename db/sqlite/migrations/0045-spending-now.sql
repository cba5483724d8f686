-- What accounts spend under the names by which both databases are asked (0043).
create view account_hours_now as select * from account_hours;
create view account_usage_now as select * from account_usage;
