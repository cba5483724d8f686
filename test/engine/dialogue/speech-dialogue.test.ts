import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpeechDialogue } from '../../../engine/dialogue/speech-dialogue.ts';
import type { DialogueModel, DialogueRequest } from '../../../models/llm/llm.ts';
import type { SpeechAsk } from '../../../models/speech-to-speech/speech-to-speech.ts';

const LOST = { type: 'lost', code: 'LLM_TIMEOUT', message: 'it said nothing' } as const;

const REQUEST: DialogueRequest = {
  ...{ epoch: 1, business: { name: 'Acme' } as DialogueRequest['business'], agentName: 'Sam', callerNumber: null },
  ...{ callerName: null, direction: 'inbound', language: 'en-US', additionalLanguages: [], instructions: null },
  ...{ variables: {}, messages: [], tools: [], memory: null, nowMs: 0 },
};

/** A reply of the session, and what has come of it; the cascade says one sentence. */
function begun() {
  const asks: SpeechAsk[] = [];
  const cascade: DialogueModel = {
    name: 'cascade',
    complete: null,
    reply: async function* () {
      yield { type: 'text', text: 'The cascade answers.' };
    },
  };
  const dialogue = new SpeechDialogue({ cascade, instructions: null, ask: (ask) => asks.push(ask) });
  const abort = new AbortController();
  const said: string[] = [];
  let isOver = false;
  const over = (async () => {
    for await (const chunk of dialogue.reply(REQUEST, abort.signal))
      if (chunk.type === 'voiced' || chunk.type === 'text') said.push(chunk.text);
    isOver = true;
  })();
  return { dialogue, asks, said, abort, over, isOver: () => isOver };
}

/** Everything that can happen without time has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a session that is lost in mid answer ends the reply only when the shard has dropped it', async () => {
  const { dialogue, said, abort, over, isOver } = begun();
  await settled();
  dialogue.receive({ type: 'sounds', epoch: 1, round: 0 });
  dialogue.receive({ type: 'words', epoch: 1, round: 0, text: 'We are open ' });
  dialogue.receive(LOST);
  await settled();
  assert.deepEqual([said, isOver()], [['', 'We are open '], false]);
  abort.abort();
  await over;
  assert.deepEqual(said, ['', 'We are open ']);
});

test('a session that is lost before its first sound: the cascade goes on with the same reply', async () => {
  const { dialogue, said, over } = begun();
  await settled();
  dialogue.receive(LOST);
  await over;
  assert.deepEqual(said, ['The cascade answers.']);
});
