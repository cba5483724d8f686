-- What a business or a campaign wants to know of each call (docs/results.md): [{name, schema, description}], and
-- [{name, question}].
alter table businesses add column outputs text not null default '[]';
alter table businesses add column criteria text not null default '[]';
alter table campaigns add column outputs text not null default '[]';
alter table campaigns add column criteria text not null default '[]';

-- What was found of a call: {data, reasons, criteria, by, analysedAt}; its share of the criteria that are met, and its
-- word for the whole.
alter table calls add column analysis text;
alter table calls add column score double precision;
alter table calls add column disposition text;
