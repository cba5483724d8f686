// The object store goes away under calls, and comes back. Calls go on; each recording waits on the disk of its engine,
// from where every API serves it, and goes to the store by itself when that answers again.

import { pause } from '../rig/conversation/scenario.ts';
import { ObjectStore, type StoreFault } from '../rig/fakes/object-store.ts';
import { type Finding, outcome, PlacedCalls, promise, type Stage, setStage, until } from './stage.ts';

const BEFORE_MS = 5_000;
/** The time after its return that docs/files.md promises. */
const ARRIVE_WITHIN_MS = 5 * 60_000;
const COMPARED = 5;

export async function storeAway(options: { seconds: number; fault: StoreFault; rate: number }): Promise<Finding> {
  const { seconds, fault, rate } = options;
  const store = await new ObjectStore().start();
  const stage = await setStage(
    { engines: 2, apis: 2, environment: store.environment },
    (number) => 2_000 + (Number(number.slice(-2)) % 5) * 1_000,
  );
  try {
    const { ledger } = stage;
    const placed = new PlacedCalls(stage);
    await placed.run('+1202556', rate, BEFORE_MS);
    store.fault = fault;
    const keysBefore = store.keys().length;
    await placed.run('+1202558', rate, seconds * 1_000);
    await placed.settled();
    const numbers = [...placed.accepted.keys()];
    const { several, crashed, receipts, missed, untold } = await outcome(stage, numbers);
    const meanwhile = await heard(stage, [...placed.accepted.values()].slice(-COMPARED));
    const keysMeanwhile = store.keys().length - keysBefore;
    store.fault = null;
    const backAt = Date.now();
    const ids = [...placed.accepted.values()];
    const keyOf = (id: string): string => `phone/recordings/${id}.wav`;
    const waiting = (): number => ids.filter((id) => store.read(keyOf(id)) === null).length;
    await until('the recordings', () => waiting() === 0, ARRIVE_WITHIN_MS).catch(() => undefined);
    const arrivedMs = Date.now() - backAt;
    const left = waiting();
    const unlike = meanwhile.filter(({ id, audio }) => store.read(keyOf(id))?.equals(audio) !== true).length;
    const silent = meanwhile.filter(({ isServed }) => !isServed).length;
    return {
      line: `The object store away (${fault}) for ${seconds} s under ${rate} POST /calls a second: ${numbers.length} calls, ${ledger.cut.length} cut, ${crashed} closed as crash, ${missed.length} never dialled, ${ledger.twice.length} dialled twice; of ${meanwhile.length} recordings asked for meanwhile from each API ${silent} were not served; all of ${ids.length} but ${left} in the store ${(arrivedMs / 1_000).toFixed(1)} s after its return, ${unlike} unlike what was served; ${receipts.lost} events lost, ${receipts.outOfOrder} out of order.`,
      broken: [
        ...promise(
          ledger.cut.length + crashed + several === 0,
          `${ledger.cut.length} cut, ${crashed} as after a crash`,
        ),
        ...promise(untold.length === 0 && missed.length === 0, `never dialled: ${missed.join(', ')}`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(keysMeanwhile === 0, `${keysMeanwhile} recordings went to a store that was away`),
        ...promise(meanwhile.length > 0 && silent === 0, `${silent} recordings were not served meanwhile`),
        ...promise(left === 0, `${left} recordings are not in the store after ${ARRIVE_WITHIN_MS / 1_000} s`),
        ...promise(unlike === 0, `${unlike} recordings are unlike what was served`),
        ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
      ],
      data: { calls: ids.length, meanwhile: meanwhile.length, silent, arrivedMs, left, unlike, receipts },
    };
  } finally {
    await stage.close();
    await store.stop();
  }
}

/** Each recording as the first API serves it, and whether every one serves the same. */
async function heard({ rests }: Stage, ids: readonly string[]) {
  // The last second of a recording is written after the end of its call.
  await pause(2_000);
  return Promise.all(
    ids.map(async (id) => {
      const answers = await Promise.all(rests.map((rest) => rest.bytes(`/calls/${id}/audio`)));
      const audio = answers[0]?.body ?? Buffer.alloc(0);
      const isServed = answers.every(({ status, body }) => status === 200 && body.equals(audio));
      return { id, audio, isServed };
    }),
  );
}
