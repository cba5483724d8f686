// The primary of a PostgreSQL with a synchronous standby is killed during a campaign and calls; the standby takes over,
// and the address of the database leads to it.

import { openPostgres } from '../../db/postgres/open.ts';
import { pause } from '../rig/conversation/scenario.ts';
import { type PostgresServer, startPostgres } from '../rig/database/postgres-server.ts';
import { TcpRelay } from '../rig/network/tcp-relay.ts';
import { addCampaign } from '../rig/service/outbound-setup.ts';
import { judgeReceipts } from './ledger.ts';
import { ends, type Finding, PlacedCalls, promise, setStage, until, writtenEvents } from './stage.ts';

const AWAY_MS = 10_000;
const BEFORE_MS = 10_000;
const AFTER_MS = 15_000;

export async function standbyPromoted({ rate, contacts }: { rate: number; contacts: number }): Promise<Finding> {
  let relay: Promise<TcpRelay> | null = null;
  let standby: PostgresServer | null = null;
  // One for all: processes are started side by side.
  const way = (postgres: PostgresServer): Promise<TcpRelay> => {
    relay ??= TcpRelay.start(postgres.port);
    return relay;
  };
  const stage = await setStage(
    { engines: 2, apis: 2, wayToDatabase: async (_name, _index, postgres) => (await way(postgres)).port },
    (number) => 2_000 + (Number(number.slice(-2)) % 10) * 2_000,
  );
  try {
    const { cluster, ledger, receiver, rests, trunkId } = stage;
    const [rest] = rests;
    if (rest === undefined) throw new Error('there is no API');
    standby = await startPostgres({ durable: true, standbyOf: cluster.postgres });
    const campaign = await addCampaign(rest, trunkId, '+12025550143', { maxConcurrentCalls: 8, maxAttempts: 1 });
    const numbers = Array.from({ length: contacts }, (_, index) => `+1202557${String(1_000 + index)}`);
    await rest.must('POST', `/campaigns/${campaign.id}/contacts`, {
      contacts: numbers.map((phoneNumber) => ({ phoneNumber })),
    });
    await rest.must('POST', `/campaigns/${campaign.id}/start`);
    const placed = new PlacedCalls(stage);
    const load = placed.run('+1202556', rate, BEFORE_MS + AWAY_MS + AFTER_MS);
    await pause(BEFORE_MS);
    const openBefore = ledger.open;
    const killedAt = Date.now();
    await cluster.postgres.kill();
    await pause(AWAY_MS);
    const dialledMeanwhile = [...ledger.invites.values()].flat().filter((at) => at > killedAt + 1_000).length;
    await standby.promote();
    (await way(cluster.postgres)).leadTo(standby.port);
    const backMs = performance.now();
    const answeredMs = await Promise.all(
      cluster.apis.map(async (api) => {
        const url = `${await api.ready()}/readyz`;
        await until('/readyz', async () => (await fetch(url)).status === 200);
        return performance.now() - backMs;
      }),
    );
    await load;
    await placed.settled();
    const db = openPostgres(standby.url);
    try {
      const left = async (): Promise<number> => {
        const rows = await db.selectFrom('contacts').select('status').where('campaignId', '=', campaign.id).execute();
        return rows.filter(({ status }) => status === 'PENDING' || status === 'CALLING').length;
      };
      await until('the end of the campaign', async () => (await left()) === 0, 240_000);
      await until('every end', async () => (await ends(db)).open === 0);
      const written = await writtenEvents(db);
      await until('every webhook', () => judgeReceipts(receiver.received, written).lost === 0).catch(() => undefined);
      const rows = await db
        .selectFrom('calls')
        .select('id')
        .where('id', 'in', [...placed.accepted.values()])
        .execute();
      const lost = placed.accepted.size - rows.length;
      const missed = [...placed.accepted.keys(), ...numbers].filter((number) => !ledger.invites.has(number));
      const { several, crashed } = await ends(db);
      const receipts = judgeReceipts(receiver.received, written);
      const slowest = Math.round(Math.max(...answeredMs));
      return {
        line: `PostgreSQL's primary killed under ${rate} POST /calls a second and a campaign of ${contacts}, its synchronous standby promoted after ${AWAY_MS / 1_000} s: of ${openBefore} calls that ran ${ledger.cut.length} were cut; ${placed.accepted.size} calls accepted in all, ${lost} lost, ${missed.length} never dialled, ${ledger.twice.length} numbers dialled twice, ${dialledMeanwhile} while it was away; ${receipts.lost} events lost, ${receipts.outOfOrder} out of order; the APIs are ready ${slowest} ms after its return.`,
        broken: [
          ...promise(ledger.cut.length === 0, `calls were cut: ${ledger.cut.join(', ')}`),
          ...promise(lost === 0, `${lost} accepted calls were lost`),
          ...promise(missed.length === 0, `never dialled: ${missed.join(', ')}`),
          ...promise(ledger.twice.length === 0, `dialled twice: ${ledger.twice.join(', ')}`),
          ...promise(dialledMeanwhile === 0, `${dialledMeanwhile} were dialled without a database`),
          ...promise(several === 0 && crashed === 0, `${several} calls with several ends, ${crashed} as after a crash`),
          ...promise(receipts.lost + receipts.outOfOrder === 0, `events: ${JSON.stringify(receipts)}`),
          ...promise(slowest <= 2_000, `the APIs were ready only after ${slowest} ms`),
        ],
        data: { openBefore, accepted: placed.accepted.size, receipts, answeredMs, dialledMeanwhile },
      };
    } finally {
      await db.destroy();
    }
  } finally {
    await stage.close();
    await standby?.stop();
    (await (relay as Promise<TcpRelay> | null))?.close();
  }
}
