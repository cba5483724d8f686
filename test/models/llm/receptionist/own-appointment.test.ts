// A caller cancels or moves what they have booked, with the receptionist alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['find_own_appointments', 'move_own_appointment', 'cancel_own_appointment', 'schedule_appointment'].map(
  (name) => ({ name, description: '', parameters: {} }),
);
const CLEANING = { appointmentId: 'apt_1', service: 'Dental cleaning', startsAt: '2026-11-24T11:00:00-05:00' };
const CANAL = { appointmentId: 'apt_2', service: 'Root canal', startsAt: '2026-11-26T14:00:00-05:00' };

type Answers = Record<string, unknown>;

/** The agent's sentences and its tool calls, in order. */
async function talk(script: readonly string[], answers: Answers, tools = TOOLS): Promise<string[]> {
  const receptionist = new Receptionist();
  const messages: Message[] = [];
  const lines: string[] = [];
  let memory: unknown = null;
  const reply = async (): Promise<void> => {
    const request = dialogueRequest({ business: DENTIST, messages, tools, memory, nowMs: NOW });
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
    messages.push({ role: 'tool-call', id: tool.id, name: tool.name, arguments: tool.arguments });
    messages.push({ role: 'tool-result', id: tool.id, name: tool.name, result: answers[tool.name] ?? { ok: true } });
    await reply();
  };
  for (const text of script) {
    messages.push({ role: 'caller', text, understood: true });
    await reply();
  }
  return lines;
}

const one = { find_own_appointments: { ok: true, appointments: [CLEANING] } };

test('the only appointment is named, and cancelled after a yes', async () => {
  const lines = await talk(['i need to cancel my appointment', 'yes please'], {
    ...one,
    cancel_own_appointment: { ok: true, ...CLEANING },
  });
  assert.match(lines[2] ?? '', /You have a dental cleaning tomorrow at 11 a\.m\. Shall I cancel it\?/);
  assert.equal(lines[4], 'cancel_own_appointment {"appointmentId":"apt_1"}');
  assert.match(lines[5] ?? '', /^I have cancelled your dental cleaning tomorrow at 11 a\.m\./);
});

test('nothing is cancelled after a no; of several the next one is named', async () => {
  const two = { find_own_appointments: { ok: true, appointments: [CLEANING, CANAL] } };
  const lines = await talk(["i can't make my appointment", 'no', 'yes'], two);
  assert.match(lines[3] ?? '', /root canal on Thursday, November 26 at 2 p\.m\. Shall I cancel it\?/);
  assert.equal(lines[5], 'cancel_own_appointment {"appointmentId":"apt_2"}');
  const kept = await talk(['please cancel my booking', 'no'], one);
  assert.ok(!kept.some((line) => line.startsWith('cancel_own')), kept.join('\n'));
});

test('it is moved to the day and the time that the caller names, at once or one after the other', async () => {
  const answers = { ...one, move_own_appointment: { ok: true, ...CLEANING, startsAt: '2026-11-25T15:00:00-05:00' } };
  const step = await talk(['can i move my appointment', 'yes', 'to wednesday', 'at three'], answers);
  for (const question of ['To which day shall I move it?', 'And at what time?'])
    assert.ok(step.includes(question), step.join('\n'));
  const wish = 'move_own_appointment {"appointmentId":"apt_1","startsAt":"2026-11-25T15:00:00-05:00"}';
  assert.ok(step.includes(wish), step.join('\n'));
  assert.match(step.at(-1) ?? '', /^Done, it is now your dental cleaning on Wednesday, November 25 at 3 p\.m\./);
  const once = await talk(['i would like to reschedule my appointment to wednesday at three', 'yes'], answers);
  assert.ok(once.includes(wish), once.join('\n'));
});

test('a time that is taken is answered with others, one of which is chosen', async () => {
  const alternatives = ['2026-11-25T15:30:00-05:00', '2026-11-25T16:00:00-05:00'];
  const lines = await talk(['move my appointment to wednesday at three', 'yes', 'half past three'], {
    ...one,
    move_own_appointment: { ok: false, error: 'taken', alternatives },
  });
  assert.match(lines.join('\n'), /that time isn't free\. How about on Wednesday, November 25 at 3:30 p\.m\. or/);
  assert.ok(
    lines.includes('move_own_appointment {"appointmentId":"apt_1","startsAt":"2026-11-25T15:30:00-05:00"}'),
    lines.join('\n'),
  );
});

test('who has none under this number is told so; a question about cancelling changes nothing', async () => {
  const lines = await talk(['cancel my appointment'], { find_own_appointments: { ok: false, error: 'not_found' } });
  assert.match(lines.at(-1) ?? '', /can't find an appointment under this number/);
  const asked = await talk(['what is your cancellation policy'], {});
  assert.ok(!asked.some((line) => line.includes('own_appointment')), asked.join('\n'));
});
