// A caller says what a tool is for, and the built-in recogniser knows the words: they come with the call's vocabulary.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ToolTable } from '../../../db/schema/tools.ts';
import { vocabulary } from '../../../engine/call/setup.ts';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { setupOf } from '../../engine/call/stage-setup.ts';
import { say } from '../../support/models/sounds.ts';

let stt: SoundswallowerStt;
before(async () => {
  stt = await SoundswallowerStt.create(1);
});
after(() => stt.close());

const tool = (...phrases: string[]): ToolTable => ({ phrases: JSON.stringify(phrases) }) as ToolTable;
const SAID = ['where is my order', 'is my car ready', 'check my balance'];

for (const voiceId of ['flite-slt', 'flite-awb'])
  test(`what the tools are used at is understood from ${voiceId}`, async () => {
    const setup = { ...setupOf({}), tools: [tool('Where is my order?', 'Is my car ready?'), tool('check my balance')] };
    const session = await stt.open({ callId: 'call', sampleRateHz: 8_000, vocabulary: vocabulary(setup) });
    const heard: string[] = [];
    for (const text of SAID) {
      session.begin('anything');
      const audio = await say(text, { voiceId });
      for (let at = 0; at < audio.length; at += 160) session.write(audio.subarray(at, at + 160));
      const result = await session.finish();
      heard.push(result.understood ? result.text : '');
    }
    session.close();
    assert.deepEqual(heard, SAID);
  });
