// One of two engines is cut off from everything: database, other engines, trunk (its machine's cable is pulled). It is
// taken for dead, the other one goes on with its calls, and when the cable is back it says nothing more in their name.

import { pause } from '../rig/conversation/scenario.ts';
import { HERE, missingNetworkSpaces, NetworkSpace, THERE } from '../rig/network/network-space.ts';
import { TcpRelay } from '../rig/network/tcp-relay.ts';
import { type Finding, notTried, outcome, PlacedCalls, promise, setStage } from './stage.ts';

const BEFORE_MS = 6_000;
/** Longer than a take-over lasts, and shorter than an agent waits for a callee who says nothing. */
const TALK_MS = 32_000;
/** By then the engine would have said whatever it has to say. */
const BACK_MS = 15_000;
/** Silence of 10 s, two questions, the take-over: docs/cluster.md says 12 to 16 s. */
const MOVED_WITHIN_MS = 16_000;
/** New calls go to who is there: a claim that the lost engine had made is waited for. */
const ELSEWHERE_WITHIN_MS = 6_000;

export async function engineAlone({ seconds, rate }: { seconds: number; rate: number }): Promise<Finding> {
  const obstacle = missingNetworkSpaces();
  if (obstacle !== false) return notTried('An engine cut off from everything', obstacle);
  const space = new NetworkSpace();
  let relay: TcpRelay | null = null;
  let close = async (): Promise<void> => {};
  try {
    const stage = await setStage(
      {
        engines: 2,
        apis: 2,
        async wayToDatabase(name, index, postgres) {
          if (name !== 'engine' || index !== 1) return postgres.port;
          relay = await TcpRelay.start(postgres.port, HERE);
          return relay.port;
        },
        startedBy: (name, index) => (name === 'engine' && index === 1 ? space.startedBy : []),
        environmentOf(name, index, postgres): Record<string, string> {
          if (name !== 'engine') return {};
          if (index === 0) return { SIP_HOST: HERE, CONTROL_HOST: HERE };
          const database = postgres.url.replace(`127.0.0.1:${postgres.port}`, `${HERE}:${relay?.port}`);
          return { SIP_HOST: THERE, CONTROL_HOST: THERE, DATABASE_URL: database };
        },
      },
      (number) => (number.startsWith('+1202556') ? TALK_MS : 3_000),
      HERE,
    );
    close = () => stage.close();
    const { cluster, db, ledger } = stage;
    const placed = new PlacedCalls(stage);
    await placed.run('+1202556', rate, BEFORE_MS);
    await placed.settled();
    await pause(1_000);
    const { pid } = cluster.engines[1] ?? {};
    const engines = await db.selectFrom('engines').select(['id', 'pid']).execute();
    const lost = engines.find((engine) => engine.pid === pid)?.id;
    const open = await db.selectFrom('calls').select(['toNumber', 'engineId']).where('endedAt', 'is', null).execute();
    const its = open.filter(({ engineId }) => engineId === lost).map(({ toNumber }) => toNumber);
    const pulledAt = Date.now();
    space.pull();
    const others = new PlacedCalls(stage);
    await others.run('+1202558', rate, seconds * 1_000);
    space.plug();
    await pause(BACK_MS);
    await others.settled();
    const numbers = [...placed.accepted.keys(), ...others.accepted.keys()];
    const { several, crashed, receipts, missed, untold } = await outcome(stage, numbers);
    const moved = its.filter((number) => ledger.moved.has(number));
    const movedMs = Math.max(0, ...moved.map((number) => (ledger.moved.get(number) ?? pulledAt) - pulledAt));
    const slowestMs = Math.round(Math.max(...others.tookMs));
    return {
      line: `An engine cut off from everything for ${seconds} s under ${rate} POST /calls a second: of its ${its.length} calls ${moved.length} went on elsewhere, the last ${(movedMs / 1_000).toFixed(1)} s after the cut, ${its.filter((number) => ledger.cut.includes(number)).length} were cut, ${crashed} closed as crash; ${others.accepted.size} calls placed meanwhile, the slowest accepted after ${slowestMs} ms, ${missed.length} never dialled, ${ledger.twice.length} numbers twice; ${several} calls with several ends, ${receipts.lost} events lost, ${receipts.outOfOrder} out of order.`,
      broken: [
        ...promise(its.length > 0, 'the engine had no calls'),
        ...promise(moved.length === its.length, `${its.length - moved.length} of its calls did not go on`),
        ...promise(movedMs <= MOVED_WITHIN_MS, `its calls went on only after ${movedMs} ms`),
        ...promise(ledger.cut.length === 0, `calls were cut: ${ledger.cut.join(', ')}`),
        ...promise(several === 0, `${several} calls have several ends`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(slowestMs <= ELSEWHERE_WITHIN_MS, `a call was accepted only after ${slowestMs} ms`),
        // Calls that it had claimed when it was cut off are told as ended.
        ...promise(untold.length === 0, `never dialled, and never told: ${untold.join(', ')}`),
      ],
      data: {
        seconds,
        its: its.length,
        moved: moved.length,
        movedMs,
        crashed,
        slowestMs,
        missed,
        receipts,
        refusals: Object.fromEntries(others.refusals),
      },
    };
  } finally {
    await close();
    (relay as TcpRelay | null)?.close();
    space.remove();
  }
}
