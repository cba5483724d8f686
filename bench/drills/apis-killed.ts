// Three APIs on one PostgreSQL, one of them killed every five seconds while clients place calls.
import { pause } from '../rig/conversation/scenario.ts';
import { judgeReceipts } from './ledger.ts';
import { ends, type Finding, PlacedCalls, promise, type Stage, setStage, until, writtenEvents } from './stage.ts';

const KILL_EVERY_MS = 5_000;
const PRICE = 3;

export async function apisKilled({ seconds, rate }: { seconds: number; rate: number }): Promise<Finding> {
  const stage = await setStage({ engines: 2, apis: 3 }, () => 1_000);
  try {
    const { cluster, db, ledger, receiver } = stage;
    await owe(stage);
    const placed = new PlacedCalls(stage);
    const load = placed.run('+1202556', rate, seconds * 1_000);
    let kills = 0;
    for (const untilMs = performance.now() + seconds * 1_000; performance.now() < untilMs; kills++) {
      await pause(KILL_EVERY_MS);
      cluster.apis[kills % cluster.apis.length]?.kill();
    }
    await load;
    await placed.settled();
    await Promise.all(cluster.apis.map((api) => api.ready()));
    await until('every end', async () => (await ends(db)).open === 0);
    const written = await writtenEvents(db);
    await until('every webhook', () => judgeReceipts(receiver.received, written).lost === 0, 60_000).catch(() => {});
    const receipts = judgeReceipts(receiver.received, written);
    const { several } = await ends(db);
    const missed = [...placed.accepted.keys()].filter((number) => !ledger.invites.has(number));
    const charges = await chargesOf(stage);
    const audio = await compareAudio(stage, [...placed.accepted.values()].slice(-5));
    return {
      line: `Three APIs, one killed every 5 s for ${seconds} s (${kills} kills) under ${rate} POST /calls a second: ${placed.accepted.size} accepted, ${placed.unanswered} requests without an answer and repeated with their key, ${placed.differing.length} keys with two answers, ${ledger.twice.length} numbers dialled twice, ${missed.length} never; ${written.length} events, ${receipts.lost} lost, ${receipts.outOfOrder} out of order, ${receipts.repeated} delivered again; ${charges} charge of a number that was due; ${audio.compared} parts of recordings from each API, ${audio.differing} unlike.`,
      broken: [
        ...promise(placed.differing.length === 0, `${placed.differing.length} keys had two answers`),
        ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
        ...promise(missed.length === 0, `accepted and never dialled: ${missed.join(', ')}`),
        ...promise(receipts.lost === 0, `${receipts.lost} events were lost`),
        ...promise(receipts.outOfOrder === 0, `${receipts.outOfOrder} events came out of order`),
        ...promise(several === 0, `${several} calls have several ends`),
        ...promise(charges === 1, `${charges} charges for one number and month`),
        ...promise(audio.compared > 0 && audio.differing === 0, `recordings: ${JSON.stringify(audio)}`),
      ],
      data: { kills, accepted: placed.accepted.size, receipts, charges, audio },
    };
  } finally {
    await stage.close();
  }
}

/** A number that costs something since last month: the billing run owes one charge. */
async function owe({ rests: [rest], db, campaign }: Stage): Promise<void> {
  const then = new Date();
  const lastMonth = Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - 1, 10);
  await rest?.must('GET', '/phone-numbers');
  await db
    .updateTable('phoneNumbers')
    .set({ monthlyCost: PRICE, createdAt: lastMonth })
    .where('id', '=', campaign.numberId)
    .execute();
  await db.deleteFrom('jobs').where('name', '=', 'billing').execute();
}

async function chargesOf({ db, campaign }: Stage): Promise<number> {
  const charges = () =>
    db
      .selectFrom('charges')
      .select('purpose')
      .where('phoneNumber', '=', campaign.phoneNumber)
      .where('amount', '>', 0)
      .execute();
  // The date is looked at once a minute.
  await until('the billing run', async () => (await charges()).length > 0, 130_000).catch(() => undefined);
  await pause(3_000);
  return (await charges()).length;
}

/** The same part of each recording from every API. */
async function compareAudio(
  { rests }: Stage,
  ids: readonly string[],
): Promise<{ compared: number; differing: number }> {
  let compared = 0;
  let differing = 0;
  for (const id of ids) {
    const range = { range: 'bytes=1000-1999' };
    const parts = await Promise.all(rests.map((rest) => rest.bytes(`/calls/${id}/audio`, range)));
    compared += parts.length;
    const isAlike = parts.every(({ status, body }) => status === 206 && parts[0]?.body.equals(body) === true);
    if (!isAlike || parts[0]?.body.length !== 1_000) differing++;
  }
  return { compared, differing };
}
