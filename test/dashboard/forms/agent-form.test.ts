// The bodies that the page of an agent sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  conversationOf,
  createBodyOf,
  NEW_AGENT,
  updateBodyOf,
} from '../../../api/dashboard/app/pages/agents/agent-form.ts';
import { ofLanguages, withSettings } from '../../../api/dashboard/app/pages/agents/language-rows.ts';

const VOICE = {
  id: 'flite-slt',
  name: 'Sally',
  language: 'en-US',
  gender: 'female',
  engine: 'flite',
  sampleRate: 16_000,
  isDefault: true,
} as const;

test('a setting that stands at its default is left out, a zero or a "no" is not', () => {
  const settings = { responsiveness: 0, guessing: false, keywords: [], model: '', reminders: undefined };
  assert.deepEqual(conversationOf(settings), { responsiveness: 0, guessing: false });
});

test('a new agent has the language of its voice where none is written', () => {
  const body = createBodyOf({ ...NEW_AGENT, name: 'Maya', voiceId: VOICE.id, language: ' ' });
  assert.equal('language' in body, false);
  assert.equal('description' in body, false);
});

test('an emptied description is null, an emptied language the voice’s', () => {
  const values = { ...NEW_AGENT, name: 'Maya', voiceId: VOICE.id };
  assert.deepEqual(updateBodyOf({ description: '', language: '' }, values, [VOICE]), {
    description: null,
    language: 'en-US',
  });
  assert.deepEqual(updateBodyOf({ name: 'Maya B' }, values, [VOICE]), { name: 'Maya B' });
});

test('of a language only what was entered is sent, and what was emptied is taken out', () => {
  const german = withSettings([], 'de-DE', { digit: '2' });
  assert.deepEqual(german, [{ language: 'de-DE', digit: '2' }]);
  assert.deepEqual(withSettings(german, 'de-DE', { voiceId: 'anna' }), [
    { language: 'de-DE', digit: '2', voiceId: 'anna' },
  ]);
  assert.deepEqual(withSettings(german, 'de-DE', { digit: '' }), []);
  assert.deepEqual(withSettings([], 'fr', { voiceId: '', keywords: [] }), []);
  assert.deepEqual(ofLanguages(german, ['en-US', 'DE-de']), german);
  assert.deepEqual(ofLanguages(german, ['en-US']), []);
});
