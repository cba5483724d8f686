// One of two engines is cut off from the database, for less and for longer than the time after which the other one
// closes its calls. Its calls go on; the ends arrive once and in order when it is back.
import { pause } from '../rig/conversation/scenario.ts';
import { TcpRelay } from '../rig/network/tcp-relay.ts';
import { toldEnds } from './ledger.ts';
import { type Finding, outcome, PlacedCalls, promise, setStage, until } from './stage.ts';

const BEFORE_MS = 8_000;
const ARRIVE_WITHIN_MS = 5_000;

interface Cut {
  seconds: number;
  /** Nobody is told: nothing passes any more. */
  isSilent: boolean;
  rate: number;
}

export async function engineCut({ seconds, isSilent, rate }: Cut): Promise<Finding> {
  let relay: TcpRelay | null = null;
  const stage = await setStage(
    {
      engines: 2,
      apis: 2,
      async wayToDatabase(name, index, postgres) {
        if (name !== 'engine' || index !== 1) return postgres.port;
        relay ??= await TcpRelay.start(postgres.port);
        return relay.port;
      },
    },
    // Most end during the cut; none is so long that the agent gives a silent callee up.
    (number) => 4_000 + (Number(number.slice(-2)) % 6) * 3_000,
  );
  try {
    const { cluster, db, ledger, receiver } = stage;
    const way = relay as TcpRelay | null;
    if (way === null) throw new Error('nobody took the way');
    const placed = new PlacedCalls(stage);
    await placed.run('+1202556', rate, BEFORE_MS);
    await placed.settled();
    const cutAt = Date.now();
    if (isSilent) way.freeze();
    else way.cut();
    // Its row says who it is: the one whose heartbeat stands still.
    await pause(1_500);
    const rows = await db.selectFrom('engines').select(['id', 'heartbeatAt']).orderBy('heartbeatAt').execute();
    const cutOff = rows[0]?.id;
    const numbersOf = async (): Promise<string[]> => {
      const calls = await db.selectFrom('calls').select(['toNumber', 'engineId', 'endedAt']).execute();
      return calls.filter(({ engineId, endedAt }) => engineId === cutOff && endedAt === null).map((c) => c.toNumber);
    };
    const its = await numbersOf();
    const others = new PlacedCalls(stage);
    await others.run('+1202558', rate, seconds * 1_000 - (Date.now() - cutAt));
    way.mend();
    const backAt = Date.now();
    const endedMeanwhile = its.filter((number) => (ledger.hungUp.get(number) ?? Number.POSITIVE_INFINITY) < backAt);
    const arrived = (): number => {
      const told = toldEnds(receiver.received);
      return endedMeanwhile.filter((number) => told.has(number)).length;
    };
    await until('the late ends', () => arrived() === endedMeanwhile.length, 60_000);
    const arrivedMs = Date.now() - backAt;
    await others.settled();
    const numbers = [...placed.accepted.keys(), ...others.accepted.keys()];
    const { several, crashed, receipts, missed, untold } = await outcome(stage, numbers);
    const isBuried = seconds > 120;
    const slowestMs = Math.round(Math.max(...others.tookMs));
    return {
      line: `An engine ${isSilent ? 'silently ' : ''}cut off from the database for ${seconds} s under ${rate} POST /calls a second: of its ${its.length} calls ${its.filter((number) => ledger.cut.includes(number)).length} were cut; ${endedMeanwhile.length} ended meanwhile, all told ${arrivedMs} ms after its return${isBuried ? ` (${crashed} closed as crash by the other)` : ''}; ${several} calls with several ends, ${receipts.lost} events lost, ${receipts.outOfOrder} out of order; ${others.accepted.size} calls placed meanwhile, the slowest accepted after ${slowestMs} ms, ${missed.length} never dialled, ${ledger.twice.length} numbers twice.`,
      broken: [
        ...promise(its.length > 0, 'the engine had no calls'),
        ...promise(ledger.cut.length === 0, `calls were cut: ${ledger.cut.join(', ')}`),
        ...promise(several === 0, `${several} calls have several ends`),
        ...promise(isBuried || crashed <= missed.length, `${crashed} calls were closed as after a crash`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
        ...promise(arrivedMs <= ARRIVE_WITHIN_MS, `the ends were told only after ${arrivedMs} ms`),
        // A call that it had just claimed is not dialled half a minute later: it ends, and its client is told.
        ...promise(untold.length === 0, `never dialled, and never told: ${untold.join(', ')}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(cluster.engines[1]?.starts === 1 || isBuried, 'the engine ended'),
      ],
      data: {
        its: its.length,
        endedMeanwhile: endedMeanwhile.length,
        arrivedMs,
        receipts,
        crashed,
        slowestMs,
        refusals: Object.fromEntries(others.refusals),
        slow: others.slow,
        locks: stage.locks.found,
      },
    };
  } finally {
    await stage.close();
    (relay as TcpRelay | null)?.close();
  }
}
