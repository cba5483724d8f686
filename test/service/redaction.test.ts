// A caller says a card number over real SIP: nothing that can be read or heard afterwards has it, and the times of
// everything else in the recording stay.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { INSTANT } from '../../bench/rig/conversation/scenario.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted, say } from '../support/conversation.ts';
import { useService } from '../support/use-service.ts';

const CARD = '4111 1111 1111 1111';
const speech = await renderSpeech('What are your opening hours today?', 'flite-slt');
const { service, rest } = useService(
  { ...INSTANT, FAKE_STT_TEXT: `my card is ${CARD}`, FAKE_LLM_REPLY: 'Thank you very much.' },
  {
    prepare: async () => {
      const [business] = await rest.must('GET', '/businesses');
      await rest.must('PATCH', `/businesses/${business?.id}`, { redaction: { kinds: ['card'], audio: true } });
    },
  },
);

test('a card is in no transcript, no event and no recording', async () => {
  const { caller, number } = await greeted(service);
  await say(caller, speech);
  await caller.hangUp();
  caller.call.close();
  const call = await rest.endedCall(number);
  const spoken = call.transcript.find(({ speaker }) => speaker === 'caller');
  assert.equal(spoken?.text, 'my card is [card]');
  const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
  const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(Math.abs(seconds - call.durationSeconds) <= 1.5, `${seconds} s of ${call.durationSeconds}`);
  const levelOf = (channel: number, fromMs: number, toMs: number): number => {
    const at = (ms: number) => Math.round((ms * wav.sampleRateHz) / 1_000);
    return rms((wav.channelsSamples[channel] ?? new Int16Array()).subarray(at(fromMs), at(toMs)));
  };
  const answer = call.transcript.find(
    ({ speaker, timestamp }) => speaker === 'agent' && timestamp > (spoken?.timestamp ?? 0),
  );
  assert.ok(spoken && answer);
  assert.equal(levelOf(0, spoken.timestamp, answer.timestamp), 0, 'the caller is silent over the card');
  assert.ok(levelOf(1, 0, spoken.timestamp - 400) > 50, 'the greeting is there');
  assert.ok(levelOf(1, answer.timestamp, answer.timestamp + 800) > 50, 'the answer is there');
});

test('no file of the installation has it', async () => {
  const folder = service.dataDir;
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return existsSync(path) && !name.includes('sock') && hasCard(path);
  });
  assert.deepEqual(found, []);
});

function hasCard(path: string): boolean {
  try {
    const bytes = readFileSync(path);
    return bytes.includes(CARD) || bytes.includes(CARD.replaceAll(' ', ''));
  } catch {
    return false;
  }
}
