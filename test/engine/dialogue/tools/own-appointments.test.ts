// The tools by which a caller finds, moves and cancels what they have booked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnAppointment } from '../../../../db/rules/rebooking.ts';
import { runTool } from '../../../../engine/dialogue/tools/catalogue.ts';
import type { ToolContext } from '../../../../engine/dialogue/tools/tool.ts';
import type { DialogueBusiness } from '../../../../models/llm/llm.ts';
import { business as plainBusiness } from '../dialogue-stage.ts';

/** Monday, 2026-03-02 08:00 in New York. */
const NOW = Date.parse('2026-03-02T13:00:00Z');
const at = (clock: string) => Date.parse(`2026-03-02T${clock}:00-05:00`);

const business: DialogueBusiness = {
  ...plainBusiness,
  timezone: 'America/New_York',
  hours: [{ day: 'monday', open: '09:00', close: '17:00' }],
  resources: [
    { name: 'Anna', aliases: [], hours: null },
    { name: 'Ben', aliases: [], hours: null },
  ],
};

const own = (id: string, clock: string): OwnAppointment => ({
  ...{ id, service: 'Cut', startsAt: at(clock), endsAt: at(clock) + 2_700_000, resource: 'Anna' },
  ...{ sequence: 0, history: '[]', status: 'booked', reference: null },
});

function context(list: OwnAppointment[], changes: Partial<ToolContext> = {}) {
  const asked: object[] = [];
  const tools = {
    business,
    nowMs: NOW,
    callerNumber: '+12125550123',
    listTaken: async () => [],
    ownAppointments: async () => list,
    change: async (wish: object) => {
      asked.push(wish);
      return { changed: true, resource: 'Anna' };
    },
    ...changes,
  } as unknown as ToolContext;
  const run = async (name: string, args: object = {}) =>
    (await runTool(name, { ...args }, tools)).result as Record<string, unknown>;
  return { run, asked };
}

test('the only appointment needs no id; it keeps its length and its person', async () => {
  const { run, asked } = context([own('apt_1', '10:00')]);
  const moved = await run('move_own_appointment', { startsAt: '2026-03-02T14:00:00' });
  assert.deepEqual([moved.ok, moved.startsAt, moved.staff], [true, '2026-03-02T14:00:00-05:00', 'Anna']);
  const to = { startsAtMs: at('14:00'), endsAtMs: at('14:45'), candidates: ['Anna'] };
  assert.deepEqual(asked, [{ appointmentId: 'apt_1', reference: null, to }]);
  const other = context([own('apt_1', '10:00')]);
  await other.run('move_own_appointment', { startsAt: '2026-03-02T14:00:00', staff: 'Ben' });
  assert.deepEqual((other.asked[0] as { to: { candidates: string[] } }).to.candidates, ['Ben']);
});

test('of several the model has to name one, and of an invented id it hears which there are', async () => {
  const { run, asked } = context([own('apt_1', '10:00'), own('apt_2', '12:00')]);
  for (const args of [{}, { appointmentId: 'apt_invented' }]) {
    const { error, appointments } = await run('cancel_own_appointment', args);
    assert.equal(error, 'which_one');
    assert.equal((appointments as unknown[]).length, 2);
  }
  assert.deepEqual(asked, []);
  assert.equal((await run('cancel_own_appointment', { appointmentId: 'apt_2' })).ok, true);
  assert.deepEqual(asked, [{ appointmentId: 'apt_2', reference: null, to: null }]);
});

test('who has none is asked for the reference, which is read as digits; after three wrong ones nothing is tried', async () => {
  const references: Array<string | null> = [];
  const { run } = context([], {
    ownAppointments: async (reference) => {
      references.push(reference);
      return references.length > 3 ? 'too_many' : [];
    },
  });
  assert.match(String((await run('find_own_appointments')).message), /ask for the reference/);
  for (let i = 0; i < 2; i++)
    assert.equal((await run('find_own_appointments', { reference: '48 29-13' })).error, 'not_found');
  assert.equal((await run('cancel_own_appointment', { reference: '482914' })).error, 'too_many');
  assert.deepEqual(references, [null, '482913', '482913', '482914']);
});

test('a time that is closed, past or taken is refused, with others that are free', async () => {
  const { run } = context([own('apt_1', '10:00')], { change: async () => ({ changed: false, reason: 'taken' }) });
  const move = (startsAt: string) => run('move_own_appointment', { startsAt });
  const closed = await move('2026-03-02T16:45:00');
  assert.equal(closed.error, 'closed');
  assert.deepEqual((closed.alternatives as string[]).at(-1), '2026-03-02T16:15:00-05:00');
  assert.equal((await move('2026-03-02T07:00:00')).error, 'in_the_past');
  assert.equal((await move('2026-03-02T11:00:00')).error, 'taken');
  assert.equal(
    (await run('move_own_appointment', { startsAt: '2026-03-02T11:00:00', staff: 'Zoe' })).error,
    'unknown_staff',
  );
});
