// Words that a short "no" is taken for, measured by the real decoders: believed where they were said.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Lexicon } from '../../../models/stt/soundswallower/pronunciation.ts';
import { soundswallowerModelPath } from '../../../models/stt/soundswallower/soundswallower.ts';
import { WordCheck } from '../../../models/stt/soundswallower/word-check.ts';
import { say } from '../../support/models/sounds.ts';

let check: WordCheck;
before(async () => {
  const path = soundswallowerModelPath();
  check = await WordCheck.create(path, new Lexicon(path, () => []));
});
after(() => check.delete());

for (const [said, mistaken] of [
  ['no', 'wow'],
  ['no', 'yep'],
] as const)
  test(`"${said}" is not believed to be "${mistaken}", which is where it was said`, async () => {
    for (const voiceId of ['flite-slt', 'flite-awb', 'flite-rms']) {
      const sound = (text: string): Promise<Int16Array> => say(text, { voiceId, leadMs: 250, tailMs: 300 });
      assert.equal(check.likelihood(await sound(said), mistaken), 0, voiceId);
      assert.ok(check.likelihood(await sound(mistaken), mistaken) > 0, voiceId);
    }
  });
