// The engine's part in conversations in writing, beside its calls.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import { TextAnswers } from '../../../engine/written/answers.ts';

const path = join(temporaryFolder('text-answers-'), 'voice.db');
freshDatabase(path);
const read = openDatabase(path);
after(() => read.destroy());

test('it stops at once: calls are refused, and handed over, only afterwards', async () => {
  const answers = new TextAnswers({
    ...{ read, engineId: 'eng_1', clock: new VirtualClock() },
    ...{
      writer: { run: async () => null as never },
      log: { warn() {}, error() {} },
      outage: { explains: () => false },
    },
    answer: async () => ({ readIds: [], text: null, sealed: null, note: null }),
  });
  answers.start();
  // It has looked, and waits for its next look, which this clock never brings.
  await new Promise((resolve) => setImmediate(resolve));
  let isStopped = false;
  const stopping = answers.stop().then(() => {
    isStopped = true;
  });
  for (let turns = 0; turns < 20 && !isStopped; turns++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isStopped, true);
  await stopping;
});
