-- Statistics for the planner, fixed instead of measured. Without any, SQLite (3.5x) takes two bounds on started_at for so
-- selective that it walks all calls of the account between them and throws away those of other campaigns or states; with
-- these it takes the index of the filter and walks its bounds. Columns: table, index, rows and rows per prefix.
analyze sqlite_schema;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('calls', 'calls_list', '1000000 100000 2 1'),
  ('calls', 'calls_status', '1000000 100000 20000 2 1'),
  ('calls', 'calls_direction', '1000000 100000 50000 2 1'),
  ('calls', 'calls_outcome', '1000000 100000 12000 2 1'),
  ('calls', 'calls_sentiment', '1000000 100000 25000 2 1'),
  ('calls', 'calls_business', '1000000 100000 30000 2 1'),
  ('calls', 'calls_campaign', '1000000 100000 5000 2 1'),
  ('calls', 'calls_agent', '1000000 100000 25000 2 1'),
  ('calls', 'calls_number', '1000000 100000 10000 2 1'),
  ('calls', 'calls_live', '100 10 1 1'),
  ('calls', 'calls_open', '100 50 1');
