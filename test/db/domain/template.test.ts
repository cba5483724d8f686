// Placeholders in texts for the voice and for the model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPrompt, fillTemplate, missingNames } from '../../../db/domain/template.ts';

const names = {
  businessName: 'Bright Dental',
  agentName: 'Mia',
  callerName: null,
  variables: { order_id: '4711', odd: 'a {{businessName}}' },
};

test('a spoken text takes names in any case, with any separators and any braces', () => {
  for (const [template, said] of [
    ['Hi, {{ Business Name }} here.', 'Hi, Bright Dental here.'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the way in which some people write it
    ['{business_name}, ${agentName} speaking', 'Bright Dental, Mia speaking'],
    ['Hello {{callerName}}, how are you?', 'Hello, how are you?'],
    ['Order {{order_id}} , please !', 'Order 4711, please!'],
    ['{{odd}}', 'a {{businessName}}'],
    [`{${' '.repeat(1_998)}!`, '{!'],
  ] as const)
    assert.equal(fillTemplate(template, names), said);
});

test('a prompt takes double braces only, and keeps its lines', () => {
  for (const [template, prompt] of [
    ['You are {{agentName}}\nof {{ businessName }}.', 'You are Mia\nof Bright Dental.'],
    ['Caller: {{callerName}} {{nobody}}.\n\tOrder: {{order_id}}', 'Caller:.\n\tOrder: 4711'],
    ['Answer {"ok": {agentName}} and {{"a": 1}}', 'Answer {"ok": {agentName}} and {{"a": 1}}'],
    [`a${' '.repeat(20_000)}b`, `a${' '.repeat(20_000)}b`],
  ] as const)
    assert.equal(fillPrompt(template, names), prompt);
});

test('names that would be left out are said as they are written', () => {
  assert.deepEqual(missingNames('{{callerName}} {{ shoe size }} {{agentName}}', names, 'spoken'), [
    'callerName',
    'shoe size',
  ]);
  assert.deepEqual(missingNames('{shoe} {{shoe}} {{ . }}', names, 'prompt'), ['shoe']);
});
