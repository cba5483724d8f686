// In which order a synchronous engine gets the audio of its callers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streaming } from '../../../models/stt/polled.ts';
import type { PolledSttEngine, SttUtterance } from '../../../models/stt/stt.ts';

const vocabulary = { language: 'en-US', businessName: 'Acme', services: [], questions: [], phrases: [] };
const BLOCK = new Int16Array(480);

/** An engine that notes whose block it is given, and whose result it is asked for. */
async function callers(...callIds: string[]) {
  const order: string[] = [];
  const engine: PolledSttEngine = {
    name: 'noting',
    freeText: false,
    open: async ({ callId }) => ({
      begin: () => undefined,
      write: () => void order.push(callId),
      partial: () => '',
      finish: async () => {
        order.push(`${callId}!`);
        return { text: callId, confidence: 1, understood: true };
      },
      cancel: () => undefined,
      close: () => undefined,
    }),
    close: async () => undefined,
  };
  const stt = streaming(engine);
  const { signal } = new AbortController();
  const results = new Set<string>();
  const utterances: Record<string, SttUtterance> = {};
  for (const callId of callIds) {
    const stream = await stt.openStream({
      callId,
      sampleRateHz: 8_000,
      vocabulary,
      signal,
      onFallback: () => assert.fail(),
    });
    const onEvent = ({ type }: { type: string }) => type === 'final' && results.add(callId);
    utterances[callId] = stream.begin({ expects: 'anything', signal, onEvent });
  }
  const say = (callId: string, blocks: number): void => {
    for (let n = 0; n < blocks; n++) utterances[callId]?.write(BLOCK.slice());
  };
  const heard = async (...wanted: string[]): Promise<string> => {
    while (!wanted.every((callId) => results.has(callId))) await new Promise((resolve) => setImmediate(resolve));
    return order.join(' ');
  };
  const blocks = async (count: number): Promise<string> => {
    while (order.length < count) await new Promise((resolve) => setImmediate(resolve));
    return order.join(' ');
  };
  return { blocks, say, finish: (callId: string) => utterances[callId]?.finish(), heard };
}

test('callers who speak take turns, a block each', async () => {
  const { say, blocks } = await callers('a', 'b');
  say('a', 3);
  say('b', 3);
  assert.equal(await blocks(6), 'a b a b a b');
});

test('who has finished is heard out before those who still speak', async () => {
  const { say, finish, heard } = await callers('speaks', 'waits');
  say('speaks', 20);
  say('waits', 3);
  finish('waits');
  assert.equal(await heard('waits'), 'waits waits waits waits!');
});

test('of those who have finished the one with the least left is first', async () => {
  const { say, finish, heard } = await callers('long', 'short');
  say('long', 20);
  say('short', 2);
  finish('long');
  finish('short');
  assert.match(await heard('long', 'short'), /^short short short! (long )+long!$/);
});
