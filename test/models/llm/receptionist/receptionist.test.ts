// Whole conversations with the receptionist, printed and compared with the transcripts beside this file.
// `UPDATE_TRANSCRIPTS=1` rewrites them: read the diff as a caller would.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import { type CallNote, noteText } from '../../../../models/llm/call-note.ts';
import type { DialogueBusiness, DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** Monday, 23 November 2026, 10:20 in New York. */
const NOW = Date.parse('2026-11-23T10:20:00-05:00');
const TOOLS = [
  'transfer_call',
  'end_call',
  'check_availability',
  'schedule_appointment',
  'schedule_callback',
  'opt_out',
].map((name) => ({
  name,
  description: '',
  parameters: {},
}));

type ToolRun = (name: string, args: Record<string, unknown>) => unknown;

/** Every quarter-hour until 16:00 is free except 15:00; offers six, as the engine's tool does. */
const calendar: ToolRun = (name, args) => {
  if (name !== 'check_availability') return { ok: true };
  const slots: string[] = [];
  const to = DateTime.fromISO(String(args.to), { zone: DENTIST.timezone });
  let at = DateTime.fromISO(String(args.from), { zone: DENTIST.timezone });
  at = at.set({ minute: Math.ceil(at.minute / 15) * 15 });
  for (; at < to && slots.length < 6; at = at.plus({ minutes: 15 })) {
    const minutes = at.hour * 60 + at.minute;
    if (minutes >= 540 && minutes <= 960 && minutes !== 900) slots.push(at.toISO() ?? '');
  }
  return { ok: true, slots };
};

interface Talk {
  lines: string[];
  /** The answer that the last reply expects. */
  expects: string;
  memory: unknown;
  tools: Array<{ name: string; args: Record<string, unknown> }>;
}

/** A caller's sentence (`?words`: heard but not understood), or a note of the call. */
type Line = string | CallNote;

async function talk(
  script: readonly Line[],
  { business = DENTIST, run = calendar, nowMs = NOW, ...rest }: Partial<DialogueRequest> & { run?: ToolRun } = {},
): Promise<Talk> {
  const receptionist = new Receptionist();
  const messages: Message[] = [];
  const result: Talk = { lines: [], expects: '', memory: null, tools: [] };
  const reply = async (): Promise<void> => {
    const request = dialogueRequest({ business, messages, tools: TOOLS, memory: result.memory, nowMs, ...rest });
    let text = '';
    let tool: { id: string; name: string; arguments: Record<string, unknown> } | null = null;
    for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
      if (chunk.type === 'text') text += chunk.text;
      if (chunk.type === 'expects') result.expects = chunk.expects;
      // The memory must survive being stored.
      if (chunk.type === 'memory') result.memory = JSON.parse(JSON.stringify(chunk.memory));
      if (chunk.type === 'tool-call') tool = chunk;
    }
    if (text) {
      result.lines.push(`agent:  ${text.trim()}${tool ? '' : `  (${result.expects})`}`);
      messages.push({ role: 'agent', text: text.trim(), interrupted: false });
    }
    if (!tool) return;
    const { id, name, arguments: args } = tool;
    result.tools.push({ name, args });
    result.lines.push(`tool:   ${name} ${JSON.stringify(args)}`);
    messages.push({ role: 'tool-call', id, name, arguments: args });
    if (name === 'end_call' || name === 'transfer_call') return;
    messages.push({ role: 'tool-result', id, name, result: run(name, args) });
    await reply();
  };
  await reply();
  for (const line of script) {
    if (typeof line !== 'string') {
      const text = noteText(line, 'en-US');
      result.lines.push(`note:   ${text}`);
      messages.push({ role: 'note', note: line, text });
      await reply();
      continue;
    }
    const understood = !line.startsWith('?');
    const text = line.replace(/^\?/, '');
    result.lines.push(`caller: ${text}${understood ? '' : '  (not understood)'}`);
    messages.push({ role: 'caller', text, understood });
    await reply();
  }
  return result;
}

const SCRIPTS: Record<string, { script: Line[]; options?: Parameters<typeof talk>[1] }> = {
  hours: {
    script: [
      'what are your opening hours',
      'are you open on sunday',
      'are you open now',
      'how late are you open on saturday',
      'are you open tomorrow',
      'are you open on the weekend',
      'no thank you goodbye',
    ],
  },
  callback: {
    script: [
      'could you call me back tomorrow at four',
      'actually call me in half an hour',
      'please call me back',
      'in the evening',
      'when are you open',
      'can I call you back at three',
      'give me a call on friday morning',
    ],
  },
  'callback-at-night': {
    script: ['call me back tonight at eleven', 'yes please', 'call me back at midnight', 'no thanks'],
    options: {
      run: (name, args) => {
        const at = DateTime.fromISO(String(args.at), { setZone: true });
        if (name !== 'schedule_callback' || (at.hour >= 9 && at.hour < 20)) return { ok: true };
        const next = at.plus({ days: at.hour >= 20 ? 1 : 0 }).set({ hour: 9, minute: 0 });
        return { ok: false, error: 'outside_hours', alternatives: [next.toISO({ suppressMilliseconds: true })] };
      },
    },
  },
  'callback-that-cannot-be': {
    script: ['call me back at four', 'ok thanks bye'],
    options: { run: () => ({ ok: false, error: 'not_allowed', message: '' }) },
  },
  'after-hours': {
    script: ['are you open right now', 'when do you close today', 'thanks bye'],
    options: { nowMs: Date.parse('2026-11-28T20:00:00-05:00') },
  },
  prices: {
    script: [
      'what services do you offer',
      'how much is a dental cleaning',
      'how long does a root canal take',
      'what does teeth whitening cost',
      'how much is a consultation',
      "that's all thank you",
    ],
  },
  questions: {
    script: [
      'do you take insurance',
      'is there parking',
      'where are you located',
      "what's your phone number",
      'what is your email address',
      "what's your cancellation policy",
      'who am i talking to',
      'no',
    ],
  },
  'booking-step-by-step': {
    script: [
      "i'd like to book an appointment",
      'a cleaning please',
      'tomorrow',
      'at ten',
      'my name is sarah johnson',
      'yes please',
      'no thanks',
    ],
  },
  // A recogniser that hears "bye" for "hi", "by" and "my", and a caller who does mean it.
  'booking-misheard-as-goodbye': {
    script: [
      "bye i'd like to book an appointment",
      'bye a cleaning please',
      'bye wednesday',
      'bye ten',
      'bye the name is sarah johnson',
      'yes please',
      'do you have a good dentist for whitening',
      "no that's all bye bye have a nice day",
    ],
  },
  'booking-answered-with-a-goodbye': {
    script: [
      'book a cleaning for tomorrow and that is all',
      'at ten bye',
      'my name is sarah thank you bye',
      "that's it",
      'no thank you bye now',
    ],
  },
  'booking-left-by-goodbye': {
    script: ["i'd like to book a cleaning", 'bye the way i have to go sorry bye for now'],
  },
  'booking-at-once': {
    script: ['can i book a consultation for next tuesday at half past two', "it's david miller", 'yes', 'bye'],
  },
  'booking-with-obstacles': {
    script: [
      'i need an appointment for teeth whitening on sunday',
      'how much does it cost',
      'on wednesday then',
      'at three',
      'the first one',
      'anna smith',
      'no, make it thursday at eleven',
      'yes',
      'goodbye',
    ],
  },
  'booking-any-time': {
    script: ['book a dental cleaning', 'tomorrow afternoon', 'the earliest', '?mumble', 'yes', 'no'],
  },
  'booking-by-its-service': {
    script: ['do you do teeth whitening', 'yes please', 'on friday', 'at ten', 'pat', 'yes', 'no'],
  },
  'wish-without-the-word': {
    script: ['i want a root canal on wednesday', 'in the afternoon', 'any time', 'skip', 'yes'],
  },
  'offer-declined': { script: ['a consultation', 'no', 'no'] },
  'booking-given-up': { script: ["i'd like to make an appointment", 'no never mind', 'no'] },
  'booking-full': {
    script: ['book a consultation tomorrow at nine', 'yes', 'at ten', 'skip that', 'yes', 'bye'],
    options: {
      run: (name, args) =>
        String(args.from).startsWith('2026-11-24') && name === 'check_availability'
          ? { ok: true, slots: [] }
          : calendar(name, args),
    },
  },
  'booking-lost-to-another': {
    script: ['book a consultation tomorrow at nine', 'tom baker', 'yes', 'ten thirty', 'yes', 'bye'],
    options: {
      run: (() => {
        let attempts = 0;
        return (name: string, args: Record<string, unknown>) =>
          name === 'schedule_appointment' && ++attempts === 1 ? { ok: false, error: 'taken' } : calendar(name, args);
      })(),
    },
  },
  'not-understood': {
    script: ['?blah', '?blah blah', '?more blah', 'yes'],
  },
  // A sentence that no phrase of the recogniser fits: the same words again would not either.
  'sentence-not-understood': { script: ['?do you have anything on monday', 'where are you'] },
  'not-understood-without-a-person': {
    script: ['?blah', '?blah', '?blah', '?blah', '?blah'],
    options: {
      business: { ...DENTIST, transferNumber: null, fallbackMessage: 'I am having trouble understanding you.' },
    },
  },
  // Words that were heard, and that no rule knows: who is asked to repeat them says the same again.
  'beyond-its-rules': {
    script: [
      'do you know anything about the history of venice',
      'i lost my debit card can you send me a new one',
      'where are you located',
    ],
  },
  'beyond-its-rules-without-a-person': {
    script: ['do you know anything about the history of venice', 'and what about rome then', 'to my checking account'],
    options: { business: { ...DENTIST, transferNumber: null } },
  },
  'number-said-again': { script: ["what's your phone number", 'can you repeat that'] },
  'number-asked-again': { script: ["what's your phone number", "sorry what's your phone number"] },
  'yes-for-a-name': {
    script: ['book a dental cleaning for tomorrow at ten', 'yes', 'sarah johnson', 'yes', 'no thanks'],
  },
  'yes-for-a-name-twice': { script: ['book a dental cleaning for tomorrow at ten', 'yes', 'yes', 'yes'] },
  person: { script: ['can i speak to a person'] },
  'person-not-there': {
    script: ['let me talk to a manager', 'no'],
    options: { business: { ...DENTIST, transferNumber: null } },
  },
  'opt-out': { script: ['please stop calling me'], options: { direction: 'outbound', callerName: 'Pat' } },
  'repeat-and-silence': {
    script: [
      'what are your hours',
      'could you repeat that',
      { kind: 'silent', last: false },
      { kind: 'digits', digits: '0' },
    ],
  },
  'silence-to-the-end': {
    script: [
      { kind: 'silent', last: false },
      { kind: 'silent', last: true },
    ],
  },
  'template-and-keys': {
    script: ['book a consultation for tomorrow at eleven', { kind: 'digits', digits: '1' }, 'thank you', 'no'],
    options: {
      callerName: 'Maria Garcia',
      business: {
        ...DENTIST,
        greetingTemplate: 'Hi {{callerName}}, {agentName} here at {businessName}, what can I do for you?',
      },
    },
  },
};

for (const [name, { script, options }] of Object.entries(SCRIPTS)) {
  test(`conversation: ${name}`, async () => {
    const { lines } = await talk(script, options);
    const path = new URL(`./transcripts/${name}.txt`, import.meta.url);
    const printed = `${lines.join('\n')}\n`;
    if (process.env.UPDATE_TRANSCRIPTS === '1') writeFileSync(path, printed);
    assert.ok(existsSync(path), `no transcript ${name}.txt`);
    assert.equal(printed, readFileSync(path, 'utf8'));
  });
}

test("a booking has service, start with offset, name and the caller's number", async () => {
  const { tools } = await talk(['book a dental cleaning for tomorrow at ten', 'sarah johnson', 'yes']);
  assert.deepEqual(tools.at(-1), {
    name: 'schedule_appointment',
    args: {
      service: 'Dental cleaning',
      startsAt: '2026-11-24T10:00:00-05:00',
      name: 'Sarah Johnson',
      phone: '+15550100',
    },
  });
});

test('the same request gives the same reply, and discarded memory leaves no trace', async () => {
  const one = await talk(['book a consultation', 'tomorrow']);
  const two = await talk(['book a consultation', 'tomorrow']);
  assert.deepEqual(one, two);
});

test('memory from another model or an older version is ignored', async () => {
  for (const memory of [undefined, 'x', 7, { other: true }, { receptionist: null }]) {
    const { lines } = await talk([], { memory });
    assert.match(lines[0] ?? '', /Thank you for calling Bright Smile Dental/);
  }
});

test('without the booking tool nothing is promised', async () => {
  const { lines, tools } = await talk(['i want to book an appointment'], { tools: [] });
  assert.match(lines.at(-1) ?? '', /can't make appointments/);
  assert.deepEqual(tools, []);
});

test('an empty business still answers everything with a sentence', async () => {
  const empty: DialogueBusiness = {
    ...DENTIST,
    hours: [],
    services: [],
    faqs: [],
    address: null,
    phone: null,
    email: null,
    description: null,
    transferNumber: null,
    timezone: 'Not/AZone',
  };
  const script = [
    'what are your hours',
    'what services do you have',
    'how much is it',
    'where are you',
    'your email',
    'your number',
    'a person please',
    'book an appointment',
    'tomorrow at ten',
  ];
  const { lines } = await talk(script, { business: empty });
  const said = lines.filter((line) => line.startsWith('agent:'));
  assert.ok(said.length >= script.length + 1);
  assert.ok(
    said.every((line) => /[.?!] {2}\(|[.?!]$/.test(line)),
    said.join('\n'),
  );
  assert.ok(!said.some((line) => /null|undefined|NaN/.test(line)));
});

test('over 300 random conversations: never silent, never "undefined", books only what was confirmed', async () => {
  const sentences: Line[] = [
    'yes',
    'no',
    'tomorrow',
    'at ten',
    'next friday at three',
    'a cleaning',
    'book an appointment',
    'what are your hours',
    '?noise',
    'sarah',
    'the first one',
    'how much is a root canal',
    'hello',
    'thank you',
    'the thirty first',
    'any time',
    'in the morning',
    { kind: 'digits', digits: '12#' },
    'repeat that',
    'november thirtieth',
    'cancel that',
    'on sunday',
  ];
  const random = seededRandom(5);
  for (let round = 0; round < 300; round++) {
    const script = Array.from({ length: 8 }, () => sentences[Math.floor(random() * sentences.length)] ?? 'yes');
    const { lines, tools } = await talk(script, { callerNumber: `+1555${round}` });
    const printed = lines.join('\n');
    assert.ok(!/undefined|null|NaN|Invalid/.test(printed), printed);
    for (const [index, line] of lines.entries()) {
      if (!/^(caller|note):/.test(line)) continue;
      const ended = tools.some(({ name }) => name === 'end_call' || name === 'transfer_call');
      assert.ok(ended || /^(agent|tool):/.test(lines[index + 1] ?? ''), printed);
      if (lines[index + 1]?.includes('schedule_appointment') || lines[index + 2]?.includes('schedule_appointment'))
        assert.ok(/^caller: (yes|next|at|in|the|any)|pressed 1/.test(line), printed);
    }
    for (const { name, args } of tools)
      if (name === 'schedule_appointment') assert.ok(Date.parse(String(args.startsAt)) > NOW, printed);
  }
});

test('a number that begins with 9 or 0 is neither an opt-out nor a request for a person', async () => {
  for (const digits of ['9', '9175551234#', '0417#']) {
    const { tools } = await talk([{ kind: 'digits', digits }]);
    assert.deepEqual(tools, [], digits);
  }
});

test('a question that the business has answered beats a service with some of its words', async () => {
  const workshop: DialogueBusiness = {
    ...DENTIST,
    services: [
      { name: 'Bike repair', duration: 60, price: 75 },
      { name: 'Inspection', duration: 30, price: 20 },
    ],
    faqs: [{ question: 'Do you also repair e-bikes and cargo bikes?', answer: 'Yes, e-bikes of every make.' }],
  };
  for (const line of ['do you repair e-bikes', 'do you repair e bikes', 'can you repair my e bike']) {
    const { lines } = await talk([line], { business: workshop });
    assert.match(lines.at(-1) ?? '', /Yes, e-bikes of every make\./, line);
  }
  const { lines } = await talk(['how much is a bike repair'], { business: workshop });
  assert.match(lines.at(-1) ?? '', /\$75/);
});

test('prices are said in the currency of the business', async () => {
  const london: DialogueBusiness = { ...DENTIST, currency: 'GBP' };
  const { lines } = await talk(['how much is teeth whitening', 'what are your prices'], { business: london });
  assert.match(lines.join('\n'), /£249\.50/);
  assert.doesNotMatch(lines.join('\n'), /\$/);
});
