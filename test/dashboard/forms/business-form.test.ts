// The state of a business's page: what it holds, sends and shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';

Object.assign(globalThis, {
  location: { hash: '' },
  addEventListener: () => undefined,
  localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
const { businessBodyOf, contextSize } = await import('../../../api/dashboard/app/pages/businesses/business-form.ts');
const { readObject } = await import('../../../api/dashboard/app/json-object.ts');
const { differenceOf } = await import('../../../api/dashboard/app/versions/differences.ts');
const { newFields, newServices } = await import('../../../api/dashboard/app/pages/businesses/taken-over.ts');
type Values = Parameters<typeof newFields>[0];

const service = (name: string) => ({ name, duration: null, price: null });

test('an emptied text is sent as null, and only what has changed is sent', () => {
  assert.deepEqual(businessBodyOf({ description: ' ', phone: '+442079460123', speed: 1.2 }), {
    description: null,
    phone: '+442079460123',
    voiceSettings: { speed: 1.2 },
  });
});

test('JSON that is none is refused beside its field, before anything is sent', () => {
  assert.throws(() => businessBodyOf({ context: '{' }), { name: 'Error' });
  assert.throws(
    () => businessBodyOf({ policies: [{ isJson: true, text: '[1]' }] }),
    (fault: { faults: Array<{ field: string }> }) => fault.faults[0]?.field === 'policies[0]',
  );
  assert.equal(readObject('[]').fault, 'must be an object: { … }');
  assert.deepEqual(businessBodyOf({ context: '' }), { businessContext: null });
});

test('the size of a context is that of its JSON without blanks', () => {
  assert.deepEqual(contextSize({ a: 'ä' }), { tokens: 3, bytes: 10 });
});

test('a proposal adds what is new, and overwrites nothing', () => {
  assert.deepEqual(newServices([service('Cut')], [service('cut'), service('Colour')]), [service('Colour')]);
  const values = { name: 'Willow', description: '', address: 'Mill Lane', phone: '', email: '', hours: [], faqs: [] };
  const taken = newFields({ ...values, services: [service('Cut')] } as unknown as Values, {
    name: 'Other',
    description: 'Three chairs',
    services: [service('Colour')],
    hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
  });
  assert.deepEqual(taken, {
    description: 'Three chairs',
    hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
  });
});

test('a changed list shows what went and what came', () => {
  assert.deepEqual(
    differenceOf([{ name: 'Cut', duration: 45, price: 42 }], [{ name: 'Cut', duration: 45, price: 45 }]),
    {
      kind: 'list',
      out: ['Cut, 45 min, 42'],
      into: ['Cut, 45 min, 45'],
    },
  );
  assert.deepEqual(differenceOf(null, 700), { kind: 'value', from: null, to: '700' });
});
