-- A speech-to-speech model is one more kind of model that an ADMIN may set, with a voice of its own.
alter table model_settings drop constraint model_settings_kind_check;
alter table model_settings add constraint model_settings_kind_check
  check (kind in ('llm', 'stt', 'tts', 'speech-to-speech'));
alter table model_settings add column voice text;
