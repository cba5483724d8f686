-- When a server's catalogue was last asked for; `catalogue_at` is when it was read.
alter table tools add column catalogue_tried_at integer;
update tools set catalogue_tried_at = catalogue_at;
update tools set catalogue_at = null where catalogue is null;
