-- Which engine listens, thinks and speaks, as an ADMIN set it (db/domain/model-settings.ts). A variable of the environment wins.
create table model_settings (
  kind text primary key check (kind in ('llm', 'stt', 'tts')),
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
  changed_at integer not null
);
