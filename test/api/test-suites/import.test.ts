// Transcripts of other products become cases: each caller's turn after what was said before it; what cannot be read is
// named by its position.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
let suiteId: string;
beforeEach(async () => {
  const { business, agent } = await setUpCampaign(api, api.tenant);
  const body = { name: 'Imported', businessId: business.id, agentId: agent.id };
  suiteId = (await api.tenant.ask('POST', '/test-suites', body)).json.data.id;
});

const send = (transcript: unknown, more: object = {}) =>
  api.tenant.ask('POST', `/test-suites/${suiteId}/import`, { transcript, ...more });
const cases = async () => (await api.tenant.ask('GET', `/test-suites/${suiteId}/cases`)).json.data;
const errors = ({ json }: { json: object }) => (json as { errors?: object[] }).errors;

const SAID = [
  ['agent', 'Willow Dental, how can I help?'],
  ['caller', 'When do you open?'],
  ['agent', 'At nine.'],
  ['caller', 'And on Sunday?'],
] as const;

const EXPECTED = [
  {
    name: 'Turn 1: When do you open?',
    definition: {
      history: [{ role: 'agent', text: SAID[0][1] }],
      turns: [{ say: 'When do you open?', hint: 'At nine.' }],
      checks: [],
    },
  },
  {
    name: 'Turn 2: And on Sunday?',
    definition: {
      history: SAID.slice(0, 3).map(([role, text]) => ({ role, text })),
      turns: [{ say: 'And on Sunday?' }],
      checks: [],
    },
  },
];

const vapi = {
  id: '0194',
  artifact: {
    messages: [
      { role: 'system', message: 'You are a receptionist.', time: 1, secondsFromStart: 0 },
      { role: 'bot', message: SAID[0][1], time: 1, endTime: 2, secondsFromStart: 1, source: '' },
      { role: 'user', message: 'When do', time: 3, endTime: 4, secondsFromStart: 2 },
      { role: 'user', message: 'you open?', time: 4, endTime: 5, secondsFromStart: 3 },
      { role: 'tool_calls', toolCalls: [{ id: '1' }], message: '', time: 5, secondsFromStart: 4 },
      { role: 'tool_call_result', name: 'hours', result: '9', time: 5, secondsFromStart: 4 },
      { role: 'bot', message: SAID[2][1], time: 6, endTime: 7, secondsFromStart: 5, source: '' },
      { role: 'user', message: SAID[3][1], time: 8, endTime: 9, secondsFromStart: 6 },
    ],
  },
};
const retell = {
  event: 'call_ended',
  call: {
    call_id: 'x',
    transcript: SAID.map(([role, text]) => `${role === 'agent' ? 'Agent' : 'User'}: ${text}`).join('\n'),
    transcript_object: SAID.map(([role, content]) => ({
      role: role === 'agent' ? 'agent' : 'user',
      content,
      words: [],
    })),
  },
};

for (const [name, transcript] of Object.entries({
  'a call of Vapi': vapi,
  'the report of a call by its webhook': { message: { type: 'end-of-call-report', ...vapi } },
  'a call of Retell by its webhook': retell,
  'a call of Retell': retell.call,
  'a plain list': SAID.map(([role, text]) => ({ role, text })),
  'a list of messages to a model': SAID.map(([role, content]) => ({
    role: role === 'agent' ? 'assistant' : 'user',
    content,
  })),
  'a transcript of our own': { transcript: SAID.map(([speaker, text]) => ({ speaker, text, timestamp: 0 })) },
})) {
  test(`${name} makes a case of each turn of the caller`, async () => {
    const { status, json, text } = await send(transcript);
    assert.equal(status, 201, text);
    assert.equal(json.data.count, 2);
    assert.deepEqual(
      (await cases()).map((each) => ({ name: each.name, definition: each.definition })),
      EXPECTED,
    );
  });
}

test('checks and a name that are given count for each case', async () => {
  await send(retell, { name: 'Monday', checks: [{ noTool: '*' }], context: { now: '2026-05-04T09:00:00Z' } });
  const [first] = await cases();
  assert.equal(first?.name, 'Monday 1: When do you open?');
  assert.deepEqual(
    [first?.definition.checks, first?.definition.context?.now],
    [[{ noTool: '*' }], '2026-05-04T09:00:00Z'],
  );
});

test('what cannot be read is named by its position, and nothing is imported', async () => {
  const good = { role: 'user', text: 'Hello?' };
  const wrong = async (transcript: unknown, field: string, message: RegExp) => {
    const answer = await send(transcript);
    assert.equal(answer.status, 422, answer.text);
    const [first] = (errors(answer) ?? []) as Array<{ field: string; message: string }>;
    assert.equal(first?.field, field);
    assert.match(first?.message ?? '', message);
  };
  await wrong({ hello: 1 }, 'transcript', /no list of lines/);
  await wrong('Agent: Hello', 'transcript', /no list of lines/);
  await wrong([good, { text: 'x' }], 'transcript[1]', /no role/);
  await wrong([good, { role: 'narrator', text: 'x' }], 'transcript[1].role', /agent, assistant/);
  await wrong([good, { role: 'user', text: 5 }], 'transcript[1]', /no text/);
  await wrong([{ role: 'agent', text: 'Hello.' }], 'transcript', /no words of a caller/);
  await wrong(
    { artifact: { messages: [good, { role: 'user', text: 'x'.repeat(2_001) }] } },
    'transcript.artifact.messages[1]',
    /characters/,
  );
  await wrong([{ role: '__proto__', text: 'x' }], 'transcript[0].role', /one of/);
  assert.deepEqual(await cases(), []);
});
