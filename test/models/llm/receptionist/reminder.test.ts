// The receptionist calls somebody the day before their appointment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import { greetingText } from '../../../../models/llm/greeting.ts';
import type { Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['confirm_appointment', 'move_own_appointment', 'cancel_own_appointment', 'end_call'].map((name) => ({
  ...{ name, description: '', parameters: {} },
}));
const variables = {
  appointmentId: 'apt_1',
  appointment: 'Tuesday, November 24 at 11:00 AM',
  appointmentAt: '2026-11-24T11:00:00-05:00',
  service: 'Dental cleaning',
};

/** The agent's sentences and its tool calls, after the greeting. */
async function talk(
  script: readonly string[],
  answers: Record<string, unknown> = {},
  understood = true,
): Promise<string[]> {
  const receptionist = new Receptionist();
  const messages: Message[] = [];
  const lines: string[] = [];
  let memory: unknown = null;
  const reply = async (): Promise<void> => {
    const of = { business: DENTIST, messages, tools: TOOLS, memory, nowMs: NOW, variables };
    const request = dialogueRequest({ ...of, direction: 'outbound' });
    let text = '';
    let tool: { id: string; name: string; arguments: Record<string, unknown> } | null = null;
    for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
      if (chunk.type === 'text') text += chunk.text;
      if (chunk.type === 'memory') memory = JSON.parse(JSON.stringify(chunk.memory));
      if (chunk.type === 'tool-call') tool = chunk;
    }
    lines.push(text.trim());
    messages.push({ role: 'agent', text: text.trim(), interrupted: false });
    if (tool === null) return;
    lines.push(`${tool.name} ${JSON.stringify(tool.arguments)}`);
    if (tool.name === 'end_call') return;
    messages.push({ role: 'tool-call', id: tool.id, name: tool.name, arguments: tool.arguments });
    messages.push({ role: 'tool-result', id: tool.id, name: tool.name, result: answers[tool.name] ?? { ok: true } });
    await reply();
  };
  for (const text of script) {
    messages.push({ role: 'caller', text, understood });
    await reply();
  }
  return lines;
}

test('the greeting names the appointment and asks, in the language of the agent', () => {
  const facts = { template: null, businessName: 'Bright Dental', agentName: 'Sam', callerName: null, variables };
  assert.equal(
    greetingText({ ...facts, direction: 'outbound', language: 'en-US' }),
    "Hello, this is Sam from Bright Dental. It's about your appointment on Tuesday, November 24 at 11:00 AM. Will you be there?",
  );
  const german = { ...facts, variables: { ...variables, appointment: 'Dienstag, 24. November um 11:00' } };
  assert.match(
    greetingText({ ...german, direction: 'outbound', language: 'de-DE' }),
    /Ihren Termin: Dienstag.*Kommen Sie\?$/,
  );
  const other = { ...facts, template: 'Thank you for calling!' };
  assert.match(greetingText({ ...other, direction: 'outbound', language: 'en-US' }), /^Hello, this is Sam.*there\?$/);
  const own = { ...facts, template: 'Hi, {{businessName}}: {{appointment}}, all right?' };
  assert.equal(
    greetingText({ ...own, direction: 'outbound', language: 'en-US' }),
    'Hi, Bright Dental: Tuesday, November 24 at 11:00 AM, all right?',
  );
});

test('a yes confirms it, and the call ends', async () => {
  for (const yes of ['yes', "yes I'll be there", 'see you then', 'I will come', 'sure'])
    assert.deepEqual(
      (await talk([yes])).map((line) => line.split(' ')[0]),
      ['Good.', 'confirm_appointment', 'Thank', 'end_call'],
      yes,
    );
});

test('a yes that is doubted is asked for again, and then believed', async () => {
  const [again, , confirmed] = await talk(['yep', 'yep'], {}, false);
  assert.match(again ?? '', /again/);
  assert.match(confirmed ?? '', /^confirm_appointment/);
  assert.equal((await talk(['yep', 'window'], {}, false)).length, 2);
});

test('somebody who only says hello is asked again', async () => {
  const [again, , confirmed] = await talk(['hello', 'yes']);
  assert.match(again ?? '', /about your appointment on Tuesday.*Will you be there\?$/);
  assert.match(confirmed ?? '', /^confirm_appointment/);
});

test('a no is asked about, and then moved or cancelled', async () => {
  const [asked, , cancel, done] = await talk(["no I can't make it", 'cancel it please'], {
    cancel_own_appointment: { ok: true, service: 'Dental cleaning', startsAt: variables.appointmentAt },
  });
  assert.equal(asked, 'All right. Shall I move it to another time, or cancel it?');
  assert.equal(cancel, 'cancel_own_appointment {"appointmentId":"apt_1"}');
  assert.match(done ?? '', /^I have cancelled your dental cleaning tomorrow at 11/);
  const moved = await talk(['no', 'move it to Wednesday', 'at 3 pm']);
  assert.deepEqual(moved.slice(1, 4), [
    'And at what time?',
    'One moment.',
    'move_own_appointment {"appointmentId":"apt_1","startsAt":"2026-11-25T15:00:00-05:00"}',
  ]);
});

test('a wish is carried out at once, and one that changed meanwhile is said', async () => {
  const [, cancel] = await talk(['please cancel it']);
  assert.match(cancel ?? '', /^cancel_own_appointment/);
  const [when] = await talk(['can we do another day']);
  assert.equal(when, 'To which day shall I move it?');
  const [, , gone] = await talk(['yes'], { confirm_appointment: { ok: false, error: 'not_found' } });
  assert.match(gone ?? '', /has just been changed/);
});
