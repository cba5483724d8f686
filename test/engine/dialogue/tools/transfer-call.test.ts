// The tool that hands a caller over: whom it offers at which hour, and what it answers before anything is promised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DENTIST } from '../../../../bench/rig/rows/businesses.ts';
import type { TransferDestination } from '../../../../db/domain/numbers/transfer-destinations.ts';
import { toolDefinitions } from '../../../../engine/dialogue/tools/catalogue.ts';
import type { ToolContext } from '../../../../engine/dialogue/tools/tool.ts';
import { handoverAction, transferCall } from '../../../../engine/dialogue/tools/transfer-call.ts';
import type { DialogueBusiness } from '../../../../models/llm/llm.ts';

/** A Monday, 10:00 in New York. */
const TEN = Date.UTC(2026, 10, 23, 15);
const EVENING = TEN + 10 * 3_600_000;

const destination = (name: string, change: Partial<TransferDestination> = {}): TransferDestination => ({
  ...{ name, description: '', target: '+12125550177', hours: null, extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', after: 'leave', ringSeconds: 25, order: 1, ...change },
});
const DAY = [{ day: 'monday', open: '09:00', close: '17:00' } as const];
const business = (transferNumber: string | null, ...destinations: TransferDestination[]): DialogueBusiness => ({
  ...DENTIST,
  transferNumber,
  destinations,
});
const BILLING = destination('Billing', { description: 'Invoices', hours: DAY });
const KIM = destination('Kim "the \'chief\'" Ö’Neill; drop', { target: '+12125550188', order: 2 });

const definition = (of: DialogueBusiness, nowMs: number) =>
  toolDefinitions({ business: of, languages: [], isReminder: false, nowMs }).find(
    ({ name }) => name === 'transfer_call',
  ) ?? null;
const run = (of: DialogueBusiness, nowMs: number, args: Record<string, unknown>) =>
  transferCall.run(args, { business: of, nowMs } as ToolContext);

test('without destinations it is as it was', () => {
  const old = definition(DENTIST, TEN);
  assert.deepEqual(Object.keys((old?.parameters.properties ?? {}) as object), ['reason']);
  assert.deepEqual(definition(business('+15557654321'), TEN), old);
  assert.equal(definition(business(null), TEN), null);
});

test('it names those who may be called now, whatever their names are made of', () => {
  const of = business(null, BILLING, KIM);
  const { destination: parameter } = (definition(of, TEN)?.parameters.properties ?? {}) as {
    destination: { enum: string[]; description: string };
  };
  assert.deepEqual(parameter.enum, ['Billing', KIM.name]);
  assert.match(parameter.description, /Billing: Invoices/);
  assert.deepEqual(JSON.parse(JSON.stringify(parameter.enum)), parameter.enum);
  const late = definition(of, EVENING)?.parameters.properties as { destination: { enum: string[] } };
  assert.deepEqual(late.destination.enum, [KIM.name]);
});

test('nobody at this hour: not offered; asked for anyhow, it says so at once', async () => {
  const of = business(null, BILLING);
  assert.equal(definition(of, EVENING), null);
  const { result, action } = await run(of, EVENING, { destination: 'Billing' });
  assert.deepEqual([(result as { error: string }).error, action], ['nobody_reachable', undefined]);
  const { action: last } = await run(business('+15557654321', BILLING), EVENING, {});
  assert.deepEqual(last, { type: 'transfer', target: '+15557654321' });
});

test('a name that is not there now, or not at all, promises nothing', async () => {
  const of = business('+15557654321', BILLING, KIM);
  for (const [nowMs, name, error] of [
    [EVENING, 'Billing', 'not_reachable_now'],
    [TEN, 'Sales', 'unknown_destination'],
    [TEN, '__proto__', 'unknown_destination'],
  ] as const) {
    const { result, action } = await run(of, nowMs, { destination: name });
    assert.deepEqual([(result as { error: string }).error, action], [error, undefined]);
    assert.match((result as { message: string }).message, /Kim/);
  }
});

test('a model’s spelling of a name, and its reason', async () => {
  const of = business(null, BILLING, KIM);
  const { action, result } = await run(of, TEN, { destination: ' BILLING ', reason: ` ${'x'.repeat(500)}` });
  assert.deepEqual((result as { destination: string }).destination, 'Billing');
  assert.ok(action?.type === 'transfer');
  assert.deepEqual([action.target, action.wish?.destination], ['+12125550177', 'Billing']);
  assert.ok((action.wish?.reason?.length ?? 0) <= 200);
  const { action: whoever } = await run(of, TEN, { destination: 7, reason: null });
  assert.deepEqual(whoever?.type === 'transfer' && whoever.wish, { destination: null, reason: null });
});

test('an agent who gives up hands over to whoever is first', () => {
  const wish = { destination: null, reason: null };
  assert.deepEqual(handoverAction(business(null, BILLING), TEN, wish), {
    type: 'transfer',
    target: '+12125550177',
    wish,
  });
  assert.equal(handoverAction(business(null, BILLING), EVENING, wish), null);
});
