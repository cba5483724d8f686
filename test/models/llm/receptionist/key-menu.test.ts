// The receptionist in a language in which it cannot converse: what the keys do, and that it offers nothing it cannot
// keep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { CallNote } from '../../../../models/llm/call-note.ts';
import type { DialogueBusiness, DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import { LANGUAGES, phrasesFor } from '../../../../models/llm/phrases/languages.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';

const TOOLS = ['transfer_call', 'end_call', 'opt_out'].map((name) => ({ name, description: '', parameters: {} }));

async function hears(last: Message, changes: Partial<DialogueRequest> = {}, receptionist = new Receptionist()) {
  const request = dialogueRequest({
    agentName: 'Mia',
    callerNumber: '+492211234567',
    language: 'de-DE',
    messages: [last],
    tools: TOOLS,
    nowMs: 0,
    ...changes,
  });
  const said: string[] = [];
  let tool: { name: string; arguments: Record<string, unknown> } | null = null;
  let memory: unknown = null;
  let isCallBackPromised = false;
  let isUnanswered = false;
  for await (const chunk of receptionist.reply(request, new AbortController().signal)) {
    if (chunk.type === 'text') said.push(chunk.text.trim());
    if (chunk.type === 'tool-call') tool = { name: chunk.name, arguments: chunk.arguments };
    if (chunk.type === 'memory') memory = chunk.memory;
    if (chunk.type === 'call-back-promised') isCallBackPromised = true;
    if (chunk.type === 'unanswered') isUnanswered = true;
  }
  return { said: said.join(' '), tool, memory, isCallBackPromised, isUnanswered };
}

const note = (value: CallNote): Message => ({ role: 'note', note: value, text: '' });
const key = (digits: string): Message => note({ kind: 'digits', digits });
const words = (text: string): Message => ({ role: 'caller', text, understood: true });
const { menu } = LANGUAGES.de;

test('in every language but English the greeting goes on with a menu that says what it is', () => {
  const receptionist = new Receptionist();
  const call = { business: DENTIST, direction: 'inbound' as const, nowMs: 0 };
  for (const language of Object.keys(LANGUAGES)) {
    const invitation = receptionist.invitation({ ...call, language });
    if (language === 'en') assert.equal(invitation, null);
    else assert.ok(invitation?.startsWith(phrasesFor(language).menu.noConversation), language);
  }
  assert.equal(receptionist.invitation({ ...call, language: 'pl-PL' }), null);
});

test('only what can be done is offered', () => {
  const receptionist = new Receptionist();
  const bare: DialogueBusiness = { ...DENTIST, transferNumber: null, hours: [], address: null, phone: null };
  const language = 'de-DE';
  const inbound = receptionist.invitation({ business: bare, direction: 'inbound', language, nowMs: 0 });
  assert.equal(inbound, `${menu.noConversation} ${menu.pressForCallBack}`);
  const outbound = receptionist.invitation({ business: bare, direction: 'outbound', language, nowMs: 0 });
  assert.equal(outbound, `${menu.noConversation} ${menu.pressForCallBack} ${menu.pressToOptOut}`);
});

test('1 and 0 connect with a person', async () => {
  for (const digits of ['1', '0', '1#']) {
    const { said, tool } = await hears(key(digits));
    assert.equal(said, menu.connecting);
    assert.equal(tool?.name, 'transfer_call');
  }
  const { said, tool } = await hears(key('1'), { business: { ...DENTIST, transferNumber: null } });
  assert.ok(said.startsWith(menu.nobodyAnswers));
  assert.equal(tool, null);
});

test('2 promises a call back, to the number that is shown, and ends the call', async () => {
  const { said, tool, isCallBackPromised } = await hears(key('2'));
  assert.match(
    said,
    /Bright Smile Dental ruft Sie unter plus 4 9 2, 2 1 1, 2 3 4, 5 6 7 zurück\. .*Auf Wiederhören\.$/,
  );
  assert.deepEqual(tool, { name: 'end_call', arguments: { reason: 'callback_requested' } });
  assert.ok(isCallBackPromised);
});

test('a withheld number cannot be called back, and nobody says that it will', async () => {
  const { said, tool, isCallBackPromised } = await hears(key('2'), { callerNumber: null });
  assert.ok(said.startsWith(menu.cannotCallBack));
  assert.equal(tool?.arguments.reason, 'done');
  assert.ok(!isCallBackPromised);
});

test('3 tells hours, address and number, and offers the keys again', async () => {
  const { said } = await hears(key('3'));
  assert.match(said, /Montag bis Freitag von 9 Uhr bis 17 Uhr, Samstag von 10 Uhr bis 14 Uhr\./);
  assert.match(said, /12 Main Street/);
  assert.ok(said.endsWith(menu.pressForFacts));
});

test('9 on an outbound call: the wish is written before anybody says so', async () => {
  const pressed = await hears(key('9'), { direction: 'outbound' });
  assert.equal(pressed.said, '');
  assert.equal(pressed.tool?.name, 'opt_out');
  const result = (value: unknown): Message => ({ role: 'tool-result', id: 'a', name: 'opt_out', result: value });
  const written = await hears(result({ ok: true }), { direction: 'outbound' });
  assert.equal(written.said, `${menu.optedOut} ${menu.goodbyeOutbound}`);
  assert.equal(written.tool?.name, 'end_call');
  const failed = await hears(result({ ok: false, error: 'failed' }), { direction: 'outbound' });
  assert.ok(!failed.said.includes(menu.optedOut));
  assert.ok((await hears(key('9'))).said.startsWith(menu.pressForPerson), 'an inbound call offers no 9');
});

test('any other key offers the keys again', async () => {
  const { said, tool } = await hears(key('7'));
  assert.ok(said.startsWith(menu.pressForPerson));
  assert.equal(tool, null);
});

test('words are not understood, and are not taken for English: then a person, or a call back', async () => {
  const first = await hears(words('what are your opening hours'));
  assert.ok(first.said.startsWith(menu.keysOnly));
  const second = await hears(words('hallo'), { memory: first.memory });
  const third = await hears(words('hallo'), { memory: second.memory });
  assert.equal(third.tool?.name, 'transfer_call');
  const alone = await hears(words('hallo'), {
    memory: second.memory,
    business: { ...DENTIST, transferNumber: null },
  });
  assert.ok(alone.isCallBackPromised);
});

test('silence: asked once more, then a goodbye', async () => {
  assert.ok((await hears(note({ kind: 'silent', last: false }))).said.startsWith(menu.stillThere));
  const last = await hears(note({ kind: 'silent', last: true }));
  assert.equal(last.said, `${menu.hangingUp} ${menu.goodbye}`);
  assert.equal(last.tool?.name, 'end_call');
});

test('a person who does not answer: said so, and the keys again', async () => {
  assert.ok((await hears(note({ kind: 'transfer-failed' }))).said.startsWith(menu.nobodyAnswers));
});

const BUSINESS: DialogueBusiness = { ...DENTIST, address: '12 Main Street', currency: 'EUR' };
const QUESTIONS: Record<string, { hours: string; prices: string; address: string; person: string; other: string }> = {
  de: {
    hours: 'Wann haben Sie denn geöffnet?',
    prices: 'Was kostet eine Reinigung?',
    address: 'Wie ist Ihre Adresse?',
    person: 'Ich möchte mit jemandem sprechen',
    other: 'Hat meine Kasse geschrieben?',
  },
  es: {
    hours: '¿A qué hora abren?',
    prices: '¿Cuánto cuesta una limpieza?',
    address: '¿Dónde están?',
    person: 'Quiero hablar con una persona',
    other: '¿Ha escrito mi seguro?',
  },
  fr: {
    hours: 'Quels sont vos horaires ?',
    prices: 'Combien coûte un détartrage ?',
    address: 'Où êtes-vous ?',
    person: 'Je voudrais parler à quelqu’un',
    other: 'Ma mutuelle a-t-elle écrit ?',
  },
  it: {
    hours: 'Quando siete aperti?',
    prices: 'Quanto costa una pulizia?',
    address: 'Dove siete?',
    person: 'Vorrei parlare con qualcuno',
    other: 'Ha scritto la mia assicurazione?',
  },
  nl: {
    hours: 'Wanneer bent u geopend?',
    prices: 'Wat kost een controle?',
    address: 'Wat is uw adres?',
    person: 'Kunt u mij doorverbinden?',
    other: 'Heeft mijn verzekering geschreven?',
  },
  pt: {
    hours: 'A que horas abrem?',
    prices: 'Quanto custa uma limpeza?',
    address: 'Qual é o endereço?',
    person: 'Quero falar com uma pessoa',
    other: 'O meu seguro escreveu?',
  },
};
const AGAIN: Record<string, [phone: string, again: string]> = {
  de: ['Wie ist Ihre Nummer?', 'Können Sie das bitte wiederholen?'],
  es: ['¿Cuál es su número?', '¿Puede repetirlo?'],
  fr: ['Quel est votre numéro ?', 'Pouvez-vous répéter ?'],
  it: ['Qual è il vostro numero?', 'Può ripetere?'],
  nl: ['Wat is uw nummer?', 'Kunt u dat herhalen?'],
  pt: ['Qual é o seu número?', 'Pode repetir?'],
};
for (const [language, [phone, again]] of Object.entries(AGAIN)) {
  test(`in the place of a model it repeats a number figure by figure in ${language}`, async () => {
    const receptionist = new Receptionist({ isStandIn: true });
    const business = { ...BUSINESS, phone: '+15551234567' };
    const first = await hears(words(phone), { language, business }, receptionist);
    assert.match(first.said, /1 5 5, 5 1 2, 3 4 5, 6 7/);
    for (const asked of [again, phone]) {
      const { said } = await hears(words(asked), { language, business, memory: first.memory }, receptionist);
      assert.match(said, /1, 5, 5\. 5, 1, 2\. 3, 4, 5\. 6, 7/, asked);
    }
  });
}
for (const [language, asked] of Object.entries(QUESTIONS)) {
  test(`in the place of a model it answers in ${language} what it knows, and says what it does not`, async () => {
    const receptionist = new Receptionist({ isStandIn: true });
    const answerTo = (text: string) => hears(words(text), { language, business: BUSINESS }, receptionist);
    const { call, facts } = phrasesFor(language);
    const begins = (phrase: string): string => phrase.split('{{')[0] ?? '';
    for (const [topic, phrase] of [
      ['hours', facts.hours],
      ['prices', facts.prices],
      ['address', facts.address],
    ] as const) {
      const { said, isUnanswered } = await answerTo(asked[topic]);
      assert.ok(said.startsWith(begins(phrase)), `${asked[topic]}: ${said}`);
      assert.equal(isUnanswered, false);
    }
    assert.equal((await answerTo(asked.person)).tool?.name, 'transfer_call');
    const other = await answerTo(asked.other);
    assert.ok(other.said.startsWith(call.cannotAnswer), other.said);
    assert.equal(other.isUnanswered, true);
  });
}
