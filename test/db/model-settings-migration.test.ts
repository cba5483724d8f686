// Settings of an ADMIN survive the migration that makes room for speech-to-speech models.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteMigrations } from '../../db/sqlite/migrate.ts';
import { openRaw } from '../../db/sqlite/open.ts';

test('settings of before stay as they were, and a speech-to-speech model may be set beside them', (t) => {
  const raw = openRaw(':memory:');
  t.after(() => raw.close());
  const migrations = sqliteMigrations();
  for (const { version, sql } of migrations) if (version < 72) raw.exec(sql);
  raw.exec(`insert into model_settings values
    ('stt', 'deepgram', 'https://a.example', 'nova-3', null, 'sealed', 'x4Qf', null, null, null, null, 3, 17),
    ('llm', 'openai', 'https://b.example', 'm', null, 'k', 'end1', 'https://c.example', 'n', 'l', 'end2', 9, 18)`);
  const rows = () => raw.prepare('select * from model_settings order by kind').all() as object[];
  const before = rows();
  raw.exec(migrations.find(({ version }) => version === 72)?.sql ?? '');
  assert.deepEqual(
    rows(),
    before.map((row) => ({ ...row, voice: null })),
  );
  raw.exec("insert into model_settings (kind, voice, revision, changed_at) values ('speech-to-speech', 'v', 1, 1)");
  assert.throws(() => raw.exec("insert into model_settings (kind, revision, changed_at) values ('vad', 1, 1)"));
});
