-- What a call asked of the dialogue model's server: requests and tokens, as JSON; null without one.
alter table calls add column usage text;
