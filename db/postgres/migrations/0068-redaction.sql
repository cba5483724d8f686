-- What is taken out of what is kept of a business's calls (db/domain/redaction/policy.ts).
alter table businesses add column redaction text;
