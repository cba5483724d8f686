// One of two engines stands still (SIGSTOP: a paused machine, a host without a processor for it), for less and for
// longer than the time after which the others take it for dead. Less: nothing happens. Longer: what it led goes on
// elsewhere, each of its calls ends once, and when it wakes it says nothing more in their name.
import { pause } from '../rig/conversation/scenario.ts';
import { type Finding, outcome, PlacedCalls, promise, type Stage, setStage } from './stage.ts';

const BEFORE_MS = 8_000;
/** The time that the others wait before they take its work. */
const JUDGED_DEAD_S = 10;
/** A woken engine would have spoken by then. */
const AWAKE_MS = 8_000;
const ELSEWHERE_WITHIN_MS = 6_000;

export async function engineFrozen({ seconds, rate }: { seconds: number; rate: number }): Promise<Finding> {
  // Most end while it stands still.
  const stage = await setStage({ engines: 2, apis: 2 }, (number) => 4_000 + (Number(number.slice(-2)) % 6) * 3_000);
  try {
    const { ledger } = stage;
    const placed = new PlacedCalls(stage);
    await placed.run('+1202556', rate, BEFORE_MS);
    await placed.settled();
    const { frozen, its } = await theBusier(stage);
    frozen.freeze();
    const frozenAt = Date.now();
    const others = new PlacedCalls(stage);
    await others.run('+1202558', rate, seconds * 1_000 - (Date.now() - frozenAt));
    const before = await endsOf(stage);
    frozen.thaw();
    await pause(AWAKE_MS);
    await others.settled();
    const { several, crashed, receipts, missed, untold } = await outcome(stage, [...others.accepted.keys()]);
    const after = await endsOf(stage);
    const changed = [...before].filter(([id, end]) => after.get(id) !== end).length;
    const isJudged = seconds > JUDGED_DEAD_S;
    const slowestMs = Math.round(Math.max(...others.tookMs));
    const cut = its.filter(({ toNumber }) => ledger.cut.includes(toNumber)).length;
    return {
      line: `An engine that stands still for ${seconds} s under ${rate} POST /calls a second: of its ${its.length} calls ${cut} were cut, ${crashed} closed as crash; ${several} calls with several ends, ${changed} ends written again by it when it woke; ${others.accepted.size} calls placed meanwhile, the slowest accepted after ${slowestMs} ms, ${missed.length} never dialled, ${ledger.twice.length} numbers twice; ${receipts.lost} events lost, ${receipts.outOfOrder} out of order.`,
      broken: [
        ...promise(its.length > 0, 'the engine had no calls'),
        ...promise(isJudged || cut + crashed === 0, `${cut} calls were cut, ${crashed} closed`),
        ...promise(several === 0, `${several} calls have several ends`),
        ...promise(changed === 0, `${changed} ends were written again`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(slowestMs <= ELSEWHERE_WITHIN_MS, `a call was accepted only after ${slowestMs} ms`),
        // Calls that it had claimed when it stopped are told as ended: nobody waits for them.
        ...promise(untold.length === 0, `never dialled, and never told: ${untold.join(', ')}`),
      ],
      data: {
        seconds,
        its: its.length,
        cut,
        crashed,
        several,
        changed,
        slowestMs,
        missed: missed.length,
        receipts,
        slow: others.slow,
      },
    };
  } finally {
    for (const engine of stage.cluster.engines) engine.thaw();
    await stage.close();
  }
}

/** The engine that has more calls, and these. */
async function theBusier({ cluster, db }: Stage) {
  const engines = await db.selectFrom('engines').select(['id', 'pid']).execute();
  const calls = await db.selectFrom('calls').select(['toNumber', 'engineId']).where('endedAt', 'is', null).execute();
  const of = (id: string) => calls.filter(({ engineId }) => engineId === id);
  const [first] = engines.sort((a, b) => of(b.id).length - of(a.id).length);
  const frozen = cluster.engines.find(({ pid }) => pid === first?.pid);
  if (first === undefined || frozen === undefined) throw new Error('there is no engine');
  return { frozen, its: of(first.id) };
}

/** How each call ended, by id. */
async function endsOf({ db }: Pick<Stage, 'db'>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', 'endedAt', 'endReason'])
    .where('endedAt', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, endedAt, endReason }) => [id, `${endedAt} ${endReason}`]));
}
