-- A speech-to-speech model is one more kind of model that an ADMIN may set, with a voice of its own.
create table model_settings_of_all_kinds (
  kind text primary key check (kind in ('llm', 'stt', 'tts', 'speech-to-speech')),
  engine text,
  base_url text,
  model text,
  voices text,
  key_sealed text,
  key_end text,
  fallback_base_url text,
  fallback_model text,
  fallback_key_sealed text,
  fallback_key_end text,
  revision integer not null,
  changed_at integer not null,
  voice text
);
insert into model_settings_of_all_kinds
  (kind, engine, base_url, model, voices, key_sealed, key_end, fallback_base_url, fallback_model, fallback_key_sealed,
   fallback_key_end, revision, changed_at)
  select kind, engine, base_url, model, voices, key_sealed, key_end, fallback_base_url, fallback_model,
    fallback_key_sealed, fallback_key_end, revision, changed_at
  from model_settings;
drop table model_settings;
alter table model_settings_of_all_kinds rename to model_settings;
