// The receptionist hands over without a language model: whom it chooses by the caller's words, and what it says of
// those who did not take the call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { TransferDestination } from '../../../../db/domain/numbers/transfer-destinations.ts';
import { toolDefinitions } from '../../../../engine/dialogue/tools/catalogue.ts';
import type { DialogueBusiness, DialogueChunk, Message } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

/** A Monday, 10:00 in New York. */
const TEN = Date.UTC(2026, 10, 23, 15);
const one = (name: string, description: string, change: Partial<TransferDestination> = {}): TransferDestination => ({
  ...{ name, description, target: '+12125550177', hours: null, extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', after: 'leave', ringSeconds: 25, order: 1, ...change },
});
const CLOSED = [{ day: 'sunday', open: '09:00', close: '10:00' } as const];
const PERSONS = [
  one('Billing', 'Invoices, refunds and payments'),
  one('Anna', 'Root canal and dental cleaning'),
  one('Lab', 'Crowns and bridges', { hours: CLOSED }),
];

async function reply(messages: Message[], change: Partial<DialogueBusiness> = {}, language = 'en-US') {
  const business: DialogueBusiness = { ...DENTIST, transferNumber: null, destinations: PERSONS, ...change };
  const chunks: DialogueChunk[] = [];
  const request = {
    ...{ business, agentName: 'Sam', callerNumber: null, callerName: null, direction: 'inbound' as const, language },
    ...{ additionalLanguages: [], instructions: null, variables: {}, messages, memory: null, nowMs: TEN },
    tools: toolDefinitions({ business, languages: [], isReminder: false, nowMs: TEN }),
  };
  for await (const chunk of new Receptionist().reply(request, new AbortController().signal)) chunks.push(chunk);
  const tool = chunks.find((chunk) => chunk.type === 'tool-call');
  const text = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : [])).join('');
  return { text, args: tool?.type === 'tool-call' ? tool.arguments : null };
}
const says = (text: string): Message[] => [{ role: 'caller', text, understood: true }];

const choices: Array<[words: string, destination: string | undefined]> = [
  ['can I speak to billing please', 'Billing'],
  ['I want to talk to Anna', 'Anna'],
  ['put me through to somebody about my invoice', 'Billing'],
  ['I need to speak to a person about a refund', 'Billing'],
  ['can I speak to someone about my dental cleaning, a human please', 'Anna'],
  ['can I speak to a person please', undefined],
];
for (const [words, destination] of choices) {
  test(`"${words}" asks for ${destination ?? 'whoever is there'}`, async () => {
    const { args } = await reply(says(words));
    assert.deepEqual(args, destination === undefined ? {} : { destination });
  });
}

test('who cannot be called at this hour is said to be so, and somebody else offered', async () => {
  const { text, args } = await reply(says('can I speak to the lab please'));
  assert.equal(args, null);
  assert.match(text, /Lab can't be reached at this hour.*somebody else/);
});

test('out of all hours nobody is promised', async () => {
  const destinations = PERSONS.map((each) => ({ ...each, hours: [...CLOSED] }));
  for (const words of ['can I speak to a person please', 'can I talk to Anna'] as const) {
    const { text, args } = await reply(says(words), { destinations });
    assert.equal(args, null);
    assert.doesNotMatch(text, /connect|put you through/);
  }
});

test('a name in another sentence asks for nobody', async () => {
  const { args } = await reply(says('when are you open'), { destinations: [one('Open desk', '')] });
  assert.equal(args, null);
});

const failed = (result: 'busy' | 'declined' | 'machine', message: string | null = null): Message[] => {
  const tried = [
    { name: 'Billing', result: 'no_answer' as const, message: null },
    { name: 'Anna', result, message },
    { name: 'Lab', result: 'withdrawn' as const, message: null },
  ];
  return [...says('a person please'), { role: 'note', note: { kind: 'transfer-failed', tried }, text: '' }];
};

test('it says what became of whom, in the words of the language', async () => {
  assert.match((await reply(failed('busy'))).text, /^I'm sorry, Anna is on another call\./);
  assert.match((await reply(failed('machine'))).text, /Anna is not answering\./);
  const { text } = await reply(failed('declined', 'I call back at four'));
  assert.match(text, /Anna cannot take the call right now\. The message for you is: I call back at four\. Is there/);
  const german = await reply(failed('declined', 'Ich rufe zurück'), {}, 'de-DE');
  assert.match(
    german.text,
    /Anna kann das Gespräch gerade nicht annehmen\. Ich soll Ihnen ausrichten: Ich rufe zurück\./,
  );
});

test('in another language key 1 asks for whoever is there', async () => {
  const pressed: Message[] = [{ role: 'note', note: { kind: 'digits', digits: '1' }, text: '' }];
  assert.deepEqual((await reply(pressed, {}, 'de-DE')).args, {});
});
