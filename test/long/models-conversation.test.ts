// Whole conversations by voice: a caller's sentences are synthesised, recognised with the grammar of the dialogue's
// state and answered by the receptionist. Asserts on the tool calls, as an API client would see their results.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DateTime } from 'luxon';
import { dialogueRequest } from '../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../bench/rig/rows/businesses.ts';
import type { Message } from '../../models/llm/llm.ts';
import { Receptionist } from '../../models/llm/receptionist/receptionist.ts';
import { SoundswallowerStt } from '../../models/stt/soundswallower/soundswallower.ts';
import type { Expectation } from '../../models/stt/stt.ts';
import { mix, noise, say } from '../support/models/sounds.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = ['transfer_call', 'end_call', 'check_availability', 'schedule_appointment', 'opt_out'].map((name) => ({
  name,
  description: '',
  parameters: {},
}));

let stt: SoundswallowerStt;
before(async () => {
  stt = await SoundswallowerStt.create(1);
});
after(() => stt.close());

/** Six free quarter-hours from the requested time on. */
function runTool(name: string, args: Record<string, unknown>): unknown {
  if (name !== 'check_availability') return { ok: true };
  const from = DateTime.fromISO(String(args.from), { zone: DENTIST.timezone });
  return { ok: true, slots: Array.from({ length: 6 }, (_, n) => from.plus({ minutes: 15 * n }).toISO()) };
}

async function converse(sentences: readonly string[], voiceId: string) {
  const session = await stt.open({
    callId: 'call',
    sampleRateHz: 8_000,
    vocabulary: {
      language: 'en-US',
      businessName: DENTIST.name,
      services: DENTIST.services.map(({ name }) => name),
      questions: DENTIST.faqs.map(({ question }) => question),
      phrases: [],
    },
  });
  const receptionist = new Receptionist();
  const messages: Message[] = [];
  const tools: Array<{ name: string; args: Record<string, unknown> }> = [];
  const said: string[] = [];
  let memory: unknown = null;
  let expects: Expectation = 'anything';
  const reply = async (): Promise<void> => {
    let text = '';
    let tool: { id: string; name: string; arguments: Record<string, unknown> } | null = null;
    const request = dialogueRequest({ messages, tools: TOOLS, memory, nowMs: NOW });
    for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
      if (chunk.type === 'text') text += chunk.text;
      if (chunk.type === 'expects') expects = chunk.expects;
      if (chunk.type === 'memory') memory = chunk.memory;
      if (chunk.type === 'tool-call') tool = chunk;
    }
    said.push(text.trim());
    messages.push({ role: 'agent', text, interrupted: false });
    if (!tool) return;
    tools.push({ name: tool.name, args: tool.arguments });
    if (tool.name === 'end_call' || tool.name === 'transfer_call') return;
    messages.push({ role: 'tool-result', id: tool.id, name: tool.name, result: runTool(tool.name, tool.arguments) });
    await reply();
  };
  await reply();
  for (const sentence of sentences) {
    const audio = mix(await say(sentence, { voiceId }), noise(700, 20, 1));
    session.begin(expects);
    for (let at = 0; at < audio.length; at += 160) session.write(audio.subarray(at, at + 160));
    const { text, understood } = await session.finish();
    said.push(`(${sentence} → ${text}${understood ? '' : ', not understood'})`);
    messages.push({ role: 'caller', text, understood });
    await reply();
  }
  session.close();
  return { tools, printed: said.join('\n') };
}

test('a caller asks for hours and a price, then books by voice, step by step', async () => {
  const { tools, printed } = await converse(
    [
      'Are you open on Saturday?',
      'How much is a dental cleaning?',
      "I'd like to book a dental cleaning.",
      'Tomorrow.',
      'At ten a.m.',
      'Sarah Johnson.',
      'Yes, please.',
      'No, thank you.',
    ],
    'flite-slt',
  );
  assert.match(printed, /On Saturday we are open from 10 a\.m\. to 2 p\.m\./);
  assert.match(printed, /A dental cleaning (costs|is) \$120/);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['check_availability', 'schedule_appointment', 'end_call'],
    printed,
  );
  assert.deepEqual(tools[1]?.args, {
    service: 'Dental cleaning',
    startsAt: '2026-11-24T10:00:00-05:00',
    name: 'Sarah Johnson',
    phone: '+15550100',
  });
});

test('another voice books with a single sentence', async () => {
  const { tools, printed } = await converse(
    [
      'Can I book a consultation for tomorrow at three p.m.?',
      'My name is Peter Clark.',
      'Yes, that is right.',
      'Goodbye.',
    ],
    'flite-awb',
  );
  assert.equal(tools[1]?.args.startsAt, '2026-11-24T15:00:00-05:00', printed);
  assert.equal(tools[1]?.args.name, 'Peter Clark');
  assert.equal(tools.at(-1)?.name, 'end_call');
});

test('a caller who wants a person is connected, one who wants no calls is taken off the list', async () => {
  assert.equal((await converse(['Can I speak to a person, please?'], 'flite-slt')).tools.at(-1)?.name, 'transfer_call');
  const { tools } = await converse(['Stop calling me.'], 'flite-awb');
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['opt_out', 'end_call'],
  );
});

test('a caller who talks of something else is asked again, and then offered a person', async () => {
  const { tools, printed } = await converse(
    [
      'I think the government should lower taxes.',
      'I think the government should lower taxes.',
      'I think the government should lower taxes.',
      'Yes, please.',
    ],
    'flite-slt',
  );
  assert.match(printed, /connect you with a person/);
  assert.equal(tools.at(-1)?.name, 'transfer_call', printed);
});
