// The receptionist books with one of several of the staff: it asks whom, and takes "anybody" for an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['check_availability', 'schedule_appointment'].map((name) => ({ name, description: '', parameters: {} }));
const STAFF = ['Anna', 'Doctor Ben Wood'].map((name) => ({ name, aliases: [], hours: null }));

/** The agent's sentences and its tool calls, in order. */
async function talk(script: readonly string[], resources = STAFF): Promise<string[]> {
  const receptionist = new Receptionist();
  const messages: Message[] = [];
  const lines: string[] = [];
  let memory: unknown = null;
  for (const said of script) {
    messages.push({ role: 'caller', text: said, understood: true });
    const request = dialogueRequest({
      business: { ...DENTIST, resources },
      messages,
      tools: TOOLS,
      memory,
      nowMs: NOW,
    });
    let text = '';
    for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
      if (chunk.type === 'text') text += chunk.text;
      if (chunk.type === 'memory') memory = JSON.parse(JSON.stringify(chunk.memory));
      if (chunk.type === 'tool-call') text += `${chunk.name} ${JSON.stringify(chunk.arguments)}`;
    }
    lines.push(text.trim());
    messages.push({ role: 'agent', text: text.trim(), interrupted: false });
  }
  return lines;
}

const BOOK = "I'd like to book a dental cleaning";

test('whom is asked once, and the search is for them', async () => {
  const [whom, day, , search] = await talk([BOOK, 'with Ben please', 'tomorrow', 'at eleven']);
  assert.equal(whom, 'With whom: Anna or Doctor Ben Wood? Anybody is fine, too.');
  assert.match(day ?? '', /day/);
  assert.match(search ?? '', /check_availability .*"staff":"Doctor Ben Wood"/);
});

test('anybody is an answer, and a day in its place is one too', async () => {
  for (const answer of ['anybody', "it doesn't matter", 'anyone is fine']) {
    const [, day, , search] = await talk([BOOK, answer, 'tomorrow', 'at eleven']);
    assert.match(day ?? '', /day/, answer);
    assert.match(search ?? '', /check_availability (?!.*staff)/, answer);
  }
  const [, time] = await talk([BOOK, 'tomorrow']);
  assert.match(time ?? '', /time/);
});

test('one who was named at once is not asked about; a caller of the same name is nobody’s wish', async () => {
  const [day] = await talk([`${BOOK} with Anna`]);
  assert.match(day ?? '', /day/);
  const [whom] = await talk(["this is Anna, I'd like to book a dental cleaning"]);
  assert.match(whom ?? '', /^With whom/);
});

test('one alone, or nobody, is no question', async () => {
  for (const resources of [[], STAFF.slice(0, 1)]) assert.match((await talk([BOOK], resources))[0] ?? '', /day/);
});
