-- Whether a trunk's side can be asked by REFER to call a person itself; 0: the two calls are joined here.
alter table trunks add column accepts_refer integer not null default 1;
