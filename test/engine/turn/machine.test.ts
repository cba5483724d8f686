import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from './stage.ts';

test('a turn ends exactly the configured silence after the last speech, and its reply is heard in that moment', () => {
  const stage = new Stage({ partials: true, thinkMs: 0, sttMs: 0 })
    .answered()
    .says(3_000, 1_500, 'what are your opening hours')
    .run(6_000);
  assert.equal(stage.when('commit-reply'), 5_100);
  assert.equal(stage.when('open-playout', 3_000), 5_100);
});
