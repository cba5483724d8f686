// Each engine is drained, ended and started again, one after the other, as at an upgrade, while calls are placed.

import { pause } from '../rig/conversation/scenario.ts';
import { judgeReceipts } from './ledger.ts';
import { ends, type Finding, PlacedCalls, promise, setStage, until, writtenEvents } from './stage.ts';

const BEFORE_MS = 5_000;
const BETWEEN_MS = 5_000;

export async function rollingRestart({ rate }: { rate: number }): Promise<Finding> {
  const stage = await setStage({ engines: 2, apis: 2, environment: { DRAIN_SECONDS: '30' } }, () => 4_000);
  try {
    const { cluster, db, ledger, receiver } = stage;
    const placed = new PlacedCalls(stage);
    let isDone = false;
    const load = (async () => {
      for (let round = 0; !isDone; round++) await placed.run(`+1202${560 + round}`, rate, 5_000);
    })();
    await pause(BEFORE_MS);
    const drainedMs: number[] = [];
    for (const engine of cluster.engines) {
      const beganMs = performance.now();
      await engine.drain();
      drainedMs.push(Math.round(performance.now() - beganMs));
      engine.start();
      await engine.ready();
      await pause(BETWEEN_MS);
    }
    isDone = true;
    await load;
    await placed.settled();
    await until('every INVITE', () => [...placed.accepted.keys()].every((number) => ledger.invites.has(number)), 30_000)
      // Missing answers are counted below.
      .catch(() => undefined);
    await until('every end', async () => (await ends(db)).open === 0);
    const written = await writtenEvents(db);
    await until('every webhook', () => judgeReceipts(receiver.received, written).lost === 0).catch(() => undefined);
    const receipts = judgeReceipts(receiver.received, written);
    const missed = [...placed.accepted.keys()].filter((number) => !ledger.invites.has(number));
    const failed = await db.selectFrom('calls').select('endReason').where('status', '=', 'FAILED').execute();
    const slowest = Math.round(Math.max(...placed.tookMs));
    return {
      line: `Both engines drained and started again, one after the other (${drainedMs.join(' and ')} ms), under ${rate} POST /calls a second: ${placed.accepted.size} accepted, ${placed.refused} of the requests refused at first and repeated, the slowest accepted after ${slowest} ms; ${ledger.cut.length} calls cut, ${failed.length} failed, ${missed.length} never dialled, ${ledger.twice.length} numbers twice; ${receipts.lost} events lost, ${receipts.outOfOrder} out of order.`,
      broken: [
        ...promise(ledger.cut.length === 0, `${ledger.cut.length} calls were cut`),
        ...promise(failed.length === 0, `failed: ${failed.map(({ endReason }) => endReason).join(', ')}`),
        ...promise(missed.length === 0, `accepted and never dialled: ${missed.join(', ')}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
      ],
      data: {
        refusals: [...placed.refusals],
        slow: placed.slow,
        locks: stage.locks.found,
        accepted: placed.accepted.size,
        refused: placed.refused,
        drainedMs,
        receipts,
        failed,
      },
    };
  } finally {
    await stage.close();
  }
}
