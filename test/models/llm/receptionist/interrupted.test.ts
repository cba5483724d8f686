// Callers who interrupt an answer: they have not heard the question at its end, and answer none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['end_call', 'schedule_appointment'].map((name) => ({ name, description: '', parameters: {} }));

async function replyTo(messages: Message[], memory: unknown) {
  const fields: Partial<DialogueRequest> = { business: DENTIST, messages, tools: TOOLS, memory, nowMs: NOW };
  let said = '';
  let next: unknown = null;
  let ends = false;
  for await (const chunk of new Receptionist().reply(dialogueRequest(fields), new AbortController().signal)) {
    if (chunk.type === 'text') said += chunk.text;
    if (chunk.type === 'memory') next = chunk.memory;
    if (chunk.type === 'tool-call') ends = chunk.name === 'end_call';
  }
  return { said: said.trim(), memory: next, ends };
}

/** A caller says "no" when they have heard so much of the answer; null: all of it. */
async function noAfter(question: string, heard: string | null) {
  const asked: Message[] = [{ role: 'caller', text: question, understood: true }];
  const { said, memory } = await replyTo(asked, null);
  assert.ok(said.includes('?'), said);
  const words: Message = { role: 'agent', text: heard ?? said, interrupted: heard !== null };
  return replyTo([...asked, words, { role: 'caller', text: 'no', understood: true }], memory);
}

for (const question of ['what are your opening hours', 'how much is a cleaning']) {
  test(`"${question}": a "no" over the answer stops it and does not end the call`, async () => {
    const over = await noAfter(question, 'We are open Monday to');
    assert.deepEqual([over.said, over.ends], ['All right. What would you like to know?', false]);
  });
}

test('a "no" to "What else can I do for you?" ends the call', async () => {
  assert.equal((await noAfter('what are your opening hours', null)).ends, true);
});
