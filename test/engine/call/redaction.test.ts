// Redaction of a call: the agent hears its callers' words as they are, and nothing that is written has the private
// ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RedactionPolicy } from '../../../db/domain/redaction/policy.ts';
import { CallStage } from './stage.ts';

const CARD = '4111 1111 1111 1111';
const POLICY: RedactionPolicy = { kinds: ['card'], transcript: true, webhooks: true, audio: false };

async function conversation(redaction: RedactionPolicy | null) {
  let heard = '';
  const stage = await new CallStage({
    business: { redaction: redaction && JSON.stringify(redaction) },
    model: ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'caller') heard = last.text;
      if (last?.role === 'tool-result') return [{ type: 'text', text: `I noted ${CARD}.` }];
      return [{ type: 'tool-call', id: 't1', name: 'opt_out', arguments: { reason: `Card ${CARD}` } }];
    },
  }).start(4_000);
  await stage.says(`my card is ${CARD}`, 5_000);
  await stage.hangsUp();
  const [end] = stage.of('endCall');
  assert.ok(end);
  const { transcript, timeline, eventRedaction } = end;
  const kept = stage.writes.filter(({ operation }) => operation !== 'optOut');
  return { heard, transcript: JSON.stringify(transcript), timeline, eventRedaction, kept: JSON.stringify(kept) };
}

test('the agent works with a card that no write has', async () => {
  const { heard, transcript, kept, timeline } = await conversation(POLICY);
  assert.equal(heard, `my card is ${CARD}`);
  assert.match(transcript, /my card is \[card\]/);
  assert.match(transcript, /I noted \[card\]/);
  assert.match(JSON.stringify(timeline), /"reason":"Card \[card\]"/);
  assert.equal(kept.includes('4111'), false);
});

test('without a policy everything is kept as it was said', async () => {
  const { transcript, eventRedaction } = await conversation(null);
  assert.match(transcript, /my card is 4111/);
  assert.equal(eventRedaction, null);
});

test('a transcript that is kept may be left out of the events alone', async () => {
  const { transcript, eventRedaction } = await conversation({ ...POLICY, transcript: false });
  assert.match(transcript, /my card is 4111/);
  assert.deepEqual((eventRedaction as { kinds: string[] }).kinds, ['card']);
});
