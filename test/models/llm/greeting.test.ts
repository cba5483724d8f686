import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greetingText } from '../../../models/llm/greeting.ts';

const names = { businessName: 'Willow', agentName: 'Sam', callerName: null, language: 'en-US' };

test('without a template callers and callees hear the default', () => {
  assert.equal(
    greetingText({ ...names, template: null, direction: 'inbound' }),
    'Thank you for calling Willow, this is Sam. How can I help you?',
  );
  assert.equal(greetingText({ ...names, template: null, direction: 'outbound' }), 'Hello, this is Sam from Willow.');
});

test('a template is said verbatim, its names filled, unknown and empty ones left out', () => {
  const template = 'Hi {{callerName}}, {{agentName}} here, from {{ business name }}. {{nothing}} Is 50% off welcome?';
  assert.equal(
    greetingText({ ...names, template, direction: 'inbound' }),
    'Hi, Sam here, from Willow. Is 50% off welcome?',
  );
  assert.equal(
    greetingText({ ...names, callerName: 'Ada', template, direction: 'outbound' }),
    'Hi Ada, Sam here, from Willow. Is 50% off welcome?',
  );
});

test('variables are filled by their exact names, before the known names, and never again', () => {
  const variables = { first_name: 'Ada', order_2: 'a {{agentName}} lamp', agentName: 'Robin' };
  const template = 'Hello {{first_name}}: {{ order_2 }}, {{Order_2}}, from {{agentName}} {{name2}}.';
  assert.equal(
    greetingText({ ...names, variables, template, direction: 'outbound' }),
    'Hello Ada: a {{agentName}} lamp, from Robin.',
  );
});

test('values cannot make a greeting endless', () => {
  const variables = { long: 'x'.repeat(1_000) };
  const text = greetingText({ ...names, variables, template: '{{long}}'.repeat(250), direction: 'outbound' });
  assert.equal(text.length, 2_000);
});

test('a template with only empty names is no greeting', () => {
  assert.equal(
    greetingText({ ...names, template: ' {{callerName}} ', direction: 'outbound' }),
    'Hello, this is Sam from Willow.',
  );
});
