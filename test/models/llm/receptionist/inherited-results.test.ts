// The model that asked for a tool fails before it spoke about the result. The receptionist, which stands in for it and
// remembers nothing of the wish, says what the result says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import { LANGUAGES } from '../../../../models/llm/phrases/languages.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['transfer_call', 'end_call', 'check_availability', 'schedule_appointment', 'schedule_callback'].map(
  (name) => ({ name, description: '', parameters: {} }),
);

interface Ran {
  name: string;
  args?: Record<string, unknown>;
  result: unknown;
}

/** The words that the caller hears after these tools ran, and the tool that the receptionist asks for. */
async function hears(ran: readonly Ran[], changes: Partial<DialogueRequest> = {}, further: readonly string[] = []) {
  const messages: Message[] = [{ role: 'caller', text: 'please do', understood: true }];
  for (const [index, { name, args = {}, result }] of ran.entries()) {
    messages.push({ role: 'tool-call', id: `call_${index}`, name, arguments: args });
    messages.push({ role: 'tool-result', id: `call_${index}`, name, result });
  }
  const receptionist = new Receptionist({ isStandIn: true });
  let memory: unknown = null;
  const answer = async () => {
    const request = dialogueRequest({ business: DENTIST, tools: TOOLS, nowMs: NOW, memory, messages, ...changes });
    let text = '';
    let tool: { name: string; arguments: Record<string, unknown> } | null = null;
    for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
      if (chunk.type === 'text') text += chunk.text;
      if (chunk.type === 'memory') memory = chunk.memory;
      if (chunk.type === 'tool-call') tool = chunk;
    }
    messages.push({ role: 'agent', text: text.trim(), interrupted: false });
    return { text: text.trim(), tool };
  };
  let heard = await answer();
  for (const words of further) {
    messages.push({ role: 'caller', text: words, understood: true });
    heard = await answer();
  }
  return heard;
}

const said = async (...given: Parameters<typeof hears>): Promise<string> => (await hears(...given)).text;

const BOOKED = { ok: true, appointmentId: 'a', service: 'Dental cleaning', startsAt: '2026-11-24T11:00:00-05:00' };

test('an appointment is confirmed with the time of the result', async () => {
  const ran = { name: 'schedule_appointment', args: { startsAt: '2026-11-24T11:00' }, result: BOOKED };
  assert.match(await said([ran]), /a dental cleaning tomorrow at 11\b/);
  // The result counts where it differs from the wish, and a time in another zone is the same time here.
  const moved = { ...ran, result: { ...BOOKED, startsAt: '2026-11-27T14:30:00Z' } };
  assert.match(await said([moved]), /on Friday, November 27 at 9:30\b/);
  // A server of the tenant may leave it out: then it is as asked.
  assert.match(await said([{ ...ran, result: { ok: true } }]), /tomorrow at 11\b/);
});

test('a look-up and the booking after it: the booking is told, once', async () => {
  const slots = ['2026-11-24T11:00:00-05:00', '2026-11-24T12:00:00-05:00'];
  const text = await said([
    { name: 'check_availability', result: { ok: true, slots } },
    { name: 'schedule_appointment', args: { startsAt: slots[0] }, result: { ok: false, error: 'taken' } },
    { name: 'schedule_appointment', args: { startsAt: slots[0] }, result: BOOKED },
  ]);
  assert.match(text, /tomorrow at 11\b/);
  assert.doesNotMatch(text, /12|taken/);
});

test('two tools of one reply are both told', async () => {
  const text = await said([
    { name: 'schedule_appointment', result: BOOKED },
    { name: 'schedule_callback', result: { ok: true, at: '2026-11-25T16:00:00-05:00' } },
  ]);
  assert.match(text, /booked.*24 November.*11.*call you back on Wednesday, November 25 at 4\b/);
});

test('free times are offered, and one of them can be booked', async () => {
  const result = {
    ok: true,
    service: 'Dental cleaning',
    slots: ['2026-11-26T09:00:00-05:00', '2026-11-26T10:00:00-05:00', '2026-11-27T10:00:00-05:00'],
  };
  const ran = [{ name: 'check_availability', args: { service: 'cleaning' }, result }];
  assert.match(await said(ran), /On Thursday, November 26 I have 9.* or 10/);
  assert.match(await said(ran, {}, ['ten please', 'my name is ada']), /cleaning on Thursday, November 26 at 10/);
  const { tool } = await hears(ran, {}, ['ten please', 'my name is ada', 'yes']);
  assert.equal(tool?.name, 'schedule_appointment');
  assert.equal(tool?.arguments.startsAt, '2026-11-26T10:00:00-05:00');
  const none = [{ name: 'check_availability', result: { ok: true, slots: [] } }];
  assert.doesNotMatch(await said(none), /\b(today|booked for)\b/);
});

test('a time that is taken is told as such, with the times of the result', async () => {
  const args = { service: 'Dental cleaning', startsAt: '2026-11-24T11:00', name: 'Ada' };
  const alternatives = ['2026-11-24T11:30:00-05:00', '2026-11-24T12:00:00-05:00'];
  const taken = { ok: false, error: 'taken', alternatives };
  const ran = [{ name: 'schedule_appointment', args, result: taken }];
  assert.match(await said(ran), /that time is taken\. Tomorrow I have 11:30.* or noon/);
  assert.match(await said(ran, {}, ['half past eleven']), /tomorrow at 11:30.*for Ada/);
  const closed = [{ name: 'schedule_appointment', args, result: { ok: false, error: 'closed', alternatives: [] } }];
  assert.doesNotMatch(await said(closed), /taken|all set|booked for/);
});

test('a call back is promised for the time of the result, or refused with its own', async () => {
  const ok = { name: 'schedule_callback', result: { ok: true, at: '2026-11-23T16:00:00-05:00' } };
  assert.match(await said([ok]), /call you back today at 4\b/);
  const refused = { ok: false, error: 'outside_hours', alternatives: ['2026-11-24T09:00:00-05:00'] };
  assert.match(await said([{ ...ok, result: refused }]), /How about tomorrow at 9\b/);
});

test("a tenant's tool is told by its data: moved, cancelled, a time that was looked up", async () => {
  const cases: Array<[string, unknown, RegExp]> = [
    ['move_appointment', { appointment: { startsAt: '2026-12-01T11:00', status: 'ok' } }, /now on Tuesday.*11/],
    ['reschedule', { from: '2026-11-24T09:00', to: '2026-12-01T11:00' }, /1 December 2026 at 11/],
    ['reschedule', { from: '2026-12-01T11:00', to: '2026-12-01T11:30' }, /has been moved\./],
    ['changeBooking', { old_start: '2026-11-24T09:00', new_start: '2026-12-01 11:00' }, /1 December 2026 at 11/],
    ['cancel_booking', { id: 7, startsAt: '2026-12-01T11:00' }, /cancelled: on Tuesday, 1 December 2026 at 11/],
    ['cancel_booking', { status: 'cancelled', cancelledAt: '2026-11-23T10:00' }, /^It is cancelled\./],
    ['book_table', { date: '2026-12-01', time: '19:30', status: 'confirmed' }, /booked: on Tuesday.* at 7:30/],
    ['book_table', { id: 9, createdAt: '2026-11-23T10:00:00Z' }, /^It is booked\./],
    ['next_visit', { startsAt: '2026-12-01T16:00:00Z' }, /on Tuesday, 1 December 2026 at 11/],
    ['order_state', { message: 'It leaves the house tonight.' }, /^It leaves the house tonight\./],
  ];
  for (const [name, data, expected] of cases)
    assert.match(await said([{ name, result: { ok: true, data } }]), expected, `${name} ${JSON.stringify(data)}`);
  const failed = [{ name: 'cancel_booking', result: { ok: false, error: 'refused', message: '' } }];
  assert.match(await said(failed), /that did not work/);
});

test('a person who cannot be had, and a wish not to be called that could not be kept, are no success', async () => {
  const failed = { ok: false, error: 'nobody_reachable' };
  assert.match(await said([{ name: 'transfer_call', result: failed }]), /nobody/);
  const { text, tool } = await hears([{ name: 'opt_out', result: { ok: false, error: 'failed' } }]);
  assert.doesNotMatch(text, /won't be called/);
  assert.equal(tool, null);
});

for (const language of Object.keys(LANGUAGES)) {
  test(`in ${language} each result is told in its language, and never in silence`, async () => {
    const slots = ['2026-11-26T09:00:00-05:00', '2026-11-26T10:00:00-05:00'];
    const at = { startsAt: '2026-11-24T11:00:00-05:00' };
    const timed: Ran[] = [
      { name: 'schedule_appointment', result: BOOKED },
      { name: 'schedule_callback', result: { ok: true, at: at.startsAt } },
      { name: 'move_own_appointment', result: { ok: true, ...at } },
      { name: 'cancel_own_appointment', result: { ok: true, ...at } },
      { name: 'move_appointment', result: { ok: true, data: at } },
      { name: 'cancel_appointment', result: { ok: true, data: at } },
    ];
    for (const ran of timed) assert.match(await said([ran], { language }), /\b11\b/, ran.name);
    const free = await said([{ name: 'check_availability', result: { ok: true, slots } }], { language });
    assert.match(free, /\b9\b.*\b10\b/);
    const all = ['schedule_appointment', 'schedule_callback', 'check_availability', 'transfer_call', 'opt_out'];
    for (const name of [...all, 'move_own_appointment', 'cancel_own_appointment'])
      assert.notEqual(await said([{ name, result: { ok: false, error: 'failed' } }], { language }), '', name);
    assert.notEqual(await said([{ name: 'send_digits', result: { ok: true } }], { language }), '');
  });
}
