// The clocks of two engines step apart under calls: one an hour ahead, the other ten minutes back (libfaketime; the
// monotonic clocks go on). Leases, heartbeats and expiries go by the database's clock, so nothing happens but that the
// status of both says so.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakedClock, missingFakedClock } from '../rig/faults/clock.ts';
import { type Finding, notTried, outcome, PlacedCalls, promise, type Stage, setStage, until } from './stage.ts';

const APART_S = [3_600, -600] as const;
const BEFORE_MS = 8_000;
/** An engine notices within a second or two that its clock was set, and tells it with its next heartbeat. */
const SEEN_WITHIN_MS = 25_000;

export async function clocksApart({ seconds, rate }: { seconds: number; rate: number }): Promise<Finding> {
  const obstacle = missingFakedClock();
  if (obstacle !== null) return notTried('Clocks apart', obstacle.reason);
  const folder = mkdtempSync(join(tmpdir(), 'voice-clocks-'));
  const files = APART_S.map((_, index) => join(folder, String(index)));
  for (const file of files) writeFileSync(file, '+0\n');
  const stage = await setStage(
    {
      engines: APART_S.length,
      apis: 2,
      environmentOf: (name, index) => (name === 'engine' ? fakedClock(files[index] ?? '') : {}),
    },
    (number) => 4_000 + (Number(number.slice(-2)) % 6) * 3_000,
  );
  try {
    const { db, ledger } = stage;
    const placed = new PlacedCalls(stage);
    await placed.run('+1202556', rate, BEFORE_MS);
    await placed.settled();
    const before = await holders(stage);
    const underWay = ledger.open;
    for (const [index, file] of files.entries()) {
      const seconds = APART_S[index] ?? 0;
      writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    }
    const load = placed.run('+1202558', rate, seconds * 1_000);
    await until('the status', async () => (await skewed(stage)) === APART_S.length, SEEN_WITHIN_MS).catch(
      () => undefined,
    );
    const seen = await skewed(stage);
    await load;
    await placed.settled();
    const numbers = [...placed.accepted.keys()];
    const { several, crashed, receipts, missed, untold } = await outcome(stage, numbers);
    const after = await holders(stage);
    const changed = [...before].filter(([name, epoch]) => after.get(name) !== epoch).map(([name]) => name);
    const dead = await db.selectFrom('engines').select('id').where('state', '=', 'dead').execute();
    for (const file of files) writeFileSync(file, '+0\n');
    await until('the status', async () => (await skewed(stage)) === 0, SEEN_WITHIN_MS).catch(() => undefined);
    const left = await skewed(stage);
    const slowestMs = Math.round(Math.max(...placed.tookMs));
    return {
      line: `The clocks of two engines ${APART_S.join(' and ')} s off for ${seconds} s under ${rate} POST /calls a second: ${seen} of them said so, ${left} still when they were right again; of ${underWay} calls that ran and ${numbers.length} in all ${ledger.cut.length} were cut, ${crashed} closed as crash, ${missed.length} never dialled, ${ledger.twice.length} dialled twice; the slowest accepted after ${slowestMs} ms; ${changed.length} leases changed hands, ${dead.length} engines were taken for dead; ${receipts.lost} events lost, ${receipts.outOfOrder} out of order.`,
      broken: [
        ...promise(underWay > 0, 'no call was under way'),
        ...promise(seen === APART_S.length, `only ${seen} engines said that their clocks are off`),
        ...promise(left === 0, `${left} engines still say that their clocks are off`),
        ...promise(
          ledger.cut.length + crashed + several === 0,
          `${ledger.cut.length} cut, ${crashed} as after a crash`,
        ),
        ...promise(missed.length + untold.length === 0, `never dialled: ${missed.join(', ')}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(changed.length + dead.length === 0, `leases: ${changed.join(', ')}; ${dead.length} dead`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
      ],
      data: {
        seen,
        left,
        underWay,
        accepted: numbers.length,
        crashed,
        slowestMs,
        changed,
        receipts,
        refusals: Object.fromEntries(placed.refusals),
        slow: placed.slow,
        locks: stage.locks.found,
      },
    };
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The epoch of each lease, by its name. */
async function holders({ db }: Stage): Promise<Map<string, number>> {
  const rows = await db.selectFrom('leases').select(['name', 'epoch']).execute();
  return new Map(rows.map(({ name, epoch }) => [name, epoch]));
}

/** Engines whose clock the status finds wrong. */
async function skewed({ rests: [rest] }: Stage): Promise<number> {
  const status = await rest?.must('GET', '/admin/status');
  return (
    status?.checks.filter(({ name, subject, state }) => name === 'clock' && subject && state === 'failing').length ?? 0
  );
}
