-- What a campaign says and asks for in its calls, in place of the business's greeting and beside its prompt.
alter table campaigns add column greeting_template text;
alter table campaigns add column instructions text;

-- Of a contact and a call: `variables` fill the placeholders of greeting, prompt, instructions and voicemail message;
-- `metadata` is the client's own and only handed back. Both are flat objects of strings as JSON.
alter table contacts add column variables text not null default '{}';
alter table contacts add column metadata text not null default '{}';
alter table calls add column variables text not null default '{}';
alter table calls add column metadata text not null default '{}';
