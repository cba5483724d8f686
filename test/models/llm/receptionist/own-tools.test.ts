// The tenant's own tools without a language model, in each language: a phrase is heard in other cases, numbers and
// orders of its words, its number is taken from them, and the answer is told in the call's language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialogueRequest } from '../../../../bench/rig/conversation/dialogue-request.ts';
import type { DialogueRequest, Message } from '../../../../models/llm/llm.ts';
import { LANGUAGES, phrasesFor } from '../../../../models/llm/phrases/languages.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';
import { saysPhrase } from '../../../../models/llm/receptionist/said-words.ts';

const TOOL = {
  name: 'find_order',
  description: 'Finds an order.',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
};

const SAID: Record<string, { phrase: string; yes: string[]; no: string[] }> = {
  'de-DE': {
    phrase: 'wo ist meine Bestellung',
    yes: [
      'Wo ist denn meine Bestellung 4711?',
      'Guten Tag, wo ist meine Bestellungen, Nummer 4711',
      'WO IST MEINER BESTELLUNG 4711',
    ],
    no: ['Ich möchte eine Bestellung aufgeben 4711', 'Wo ist Ihr Geschäft 4711', 'Bestellung meine ist wo 4711'],
  },
  'es-ES': {
    phrase: 'dónde está mi pedido',
    yes: ['¿Dónde está mi pedido 4711?', 'donde esta mi pedidos 4711', 'oiga dónde está ahora mi pedido 4711'],
    no: ['quiero hacer un pedido 4711', 'dónde está la tienda 4711'],
  },
  'fr-FR': {
    phrase: 'où est ma commande',
    yes: ['Où est ma commande 4711 ?', 'ou est donc ma commandes 4711', 'Bonjour, où est-elle ma commande 4711'],
    no: ['je veux commander 4711', 'où est le magasin 4711'],
  },
  'it-IT': { phrase: 'dove è il mio ordine', yes: ['dove e il mio ordine 4711'], no: ['vorrei ordinare 4711'] },
  'nl-NL': { phrase: 'waar is mijn bestelling', yes: ['waar is mijn bestellingen 4711'], no: ['bestelling 4711'] },
  'pt-PT': { phrase: 'onde está a encomenda', yes: ['onde esta a encomendas 4711'], no: ['uma encomenda 4711'] },
  'en-US': {
    phrase: 'where is my order',
    yes: ['Where is my order 4711?', 'where is my big orders 4711'],
    no: ['I want to order 4711', 'where is my dog 4711'],
  },
};

async function reply(language: string, messages: Message[], phrases: string[], changes: Partial<DialogueRequest> = {}) {
  const request = dialogueRequest({ language, messages, tools: [{ ...TOOL, phrases }], nowMs: 0, ...changes });
  let [text, tool] = ['', null as { name: string; arguments: unknown } | null];
  for await (const chunk of new Receptionist().reply(request, new AbortController().signal)) {
    if (chunk.type === 'text') text += chunk.text;
    if (chunk.type === 'tool-call') tool = { name: chunk.name, arguments: chunk.arguments };
  }
  return { text: text.trim(), tool };
}

const caller = (text: string): Message => ({ role: 'caller', text, understood: true });
const result = (data: unknown): Message =>
  ({ role: 'tool-result', id: 'rcp_1', name: 'find_order', result: data }) as Message;

test('a phrase names its tool in every language, and other sentences do not', async () => {
  assert.deepEqual(
    Object.keys(SAID)
      .map((language) => language.slice(0, 2))
      .sort(),
    Object.keys(LANGUAGES).sort(),
  );
  for (const [language, { phrase, yes, no }] of Object.entries(SAID)) {
    for (const text of yes) {
      const { tool } = await reply(language, [caller(text)], ['something else', phrase]);
      assert.deepEqual(tool, { name: 'find_order', arguments: { number: '4711' } }, `${language}: ${text}`);
    }
    for (const text of no) {
      const { tool } = await reply(language, [caller(text)], [phrase]);
      assert.notEqual(tool?.name, 'find_order', `${language}: ${text}`);
    }
  }
});

test('its answer is told, also one without words, one that runs on, and one that failed', async () => {
  for (const language of Object.keys(SAID)) {
    const told = async (data: unknown) => (await reply(language, [caller('x'), result(data)], [])).text;
    const { call } = phrasesFor(language);
    assert.match(await told({ ok: true, status: 200, data: { say: 'Größe 38 – ¡ya está!' } }), /Größe 38 – ¡ya está!/);
    assert.ok((await told({ ok: true, status: 200, data: {} })).startsWith(call.done), language);
    assert.ok((await told({ ok: true, status: 'running' })).startsWith(call.passedOn), language);
    assert.ok((await told({ ok: false, error: 'timeout' })).startsWith(call.cannotAnswer), language);
    const late: Message = { role: 'note', note: { kind: 'tool-answered', tool: 'find_order' }, text: '' };
    const { text } = await reply(language, [result({ ok: true, status: 200, data: { say: 'Here.' } }), late], []);
    assert.match(text, /^Here\./, language);
  }
});

test('odd letters break nothing: other scripts, marks, emoji, and phrases of nothing', () => {
  assert.equal(saysPhrase('我的订单 在哪里', '我的订单', 'en-US'), true);
  assert.equal(saysPhrase('مرحبا أين طلبي', 'أين طلبي', 'en-US'), true);
  assert.equal(saysPhrase('Wo ist meine Bestellung', 'Wo ist meine Bestellung', 'de-DE'), true);
  assert.equal(saysPhrase('🙂 wo', '🙂', 'de-DE'), false);
  assert.equal(saysPhrase('', '', 'de-DE'), false);
  const long = 'wo ist '.repeat(20_000);
  assert.equal(saysPhrase(long, 'wo ist meine Bestellung', 'de-DE'), false);
});
