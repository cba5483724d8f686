// The stage of a drill: a cluster, a trunk whose far side keeps the ledger, a webhook, and clients that place calls and
// do not give up.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import { INSTANT, pause } from '../rig/conversation/scenario.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../rig/service/cluster.ts';
import { addCampaign, addTrunk, type OutboundCampaign } from '../rig/service/outbound-setup.ts';
import { type Receiver, startReceiver, TEST_AUTHORITY } from '../rig/service/receiver.ts';
import type { Rest } from '../rig/service/rest.ts';
import { judgeReceipts, Ledger, toldEnds } from './ledger.ts';
import { type LockWatch, watchLocks } from './lock-waits.ts';

export interface Stage {
  cluster: Cluster;
  /** Reads by the way of nobody. */
  db: Db;
  rests: readonly Rest[];
  phone: Phone;
  ledger: Ledger;
  receiver: Receiver;
  trunkId: string;
  campaign: OutboundCampaign;
  locks: LockWatch;
  close(): Promise<void>;
}

/** A drill's finding: a line for the record, and the promises that were not kept. */
export interface Finding {
  line: string;
  broken: string[];
  data: Record<string, unknown>;
}

/** Of a drill that this machine does not allow. */
export const notTried = (what: string, reason: string): Finding => ({
  line: `${what}: not tried, ${reason}.`,
  broken: [],
  data: { notTried: reason },
});

export const promise = (isKept: boolean, broken: string): string[] => (isKept ? [] : [broken]);

/** `host`: the address of the trunk's far side. */
export async function setStage(
  options: ClusterOptions,
  talkMs: (number: string) => number,
  host = '127.0.0.1',
): Promise<Stage> {
  const ledger = new Ledger();
  const phone = await Phone.start({ script: ledger.script(talkMs), talks: true, hears: false, host });
  const receiver = await startReceiver();
  const cluster = await startCluster({
    durable: true,
    ...options,
    environment: {
      ...INSTANT,
      MAX_CALLS: '200',
      WEBHOOK_ALLOW_PRIVATE: '1',
      NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
      ...options.environment,
    },
  });
  const db = openPostgres(cluster.postgres.url);
  const rests = await Promise.all(cluster.apis.map((_, index) => cluster.rest(index)));
  const [rest] = rests;
  if (rest === undefined) throw new Error('there is no API');
  await rest.must('POST', '/webhooks', { url: receiver.url('/all'), events: ['call.started', 'call.ended'] });
  const trunkId = await addTrunk(rest, phone.port, { host, callsPerSecond: 200, maxConcurrentCalls: 400 });
  const campaign = await addCampaign(rest, trunkId, '+12025550142');
  const locks = watchLocks(db);
  return {
    cluster,
    db,
    locks,
    rests,
    phone,
    ledger,
    receiver,
    trunkId,
    campaign,
    async close() {
      locks.stop();
      keepLogs(cluster);
      await db.destroy();
      await cluster.stop();
      await receiver.close();
      phone.stop();
    },
  };
}

/** Where DRILL_LOGS names a folder, what each process said, for whoever looks for the reason of a broken promise. */
export function keepLogs({ engines, apis }: Cluster): void {
  const folder = process.env.DRILL_LOGS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, children] of Object.entries({ engine: engines, api: apis })) {
    for (const [index, child] of children.entries())
      writeFileSync(join(folder, `${name}-${index}.log`), child.output());
  }
}

/** A call that was accepted later than this is reported as slow. */
const SLOW_MS = 2_000;

/** A request of a client: when it was sent, how long it took, and what was answered. */
interface Try {
  at: string;
  ms: number;
  api: number;
  answer: string;
}

/** Answers of one Idempotency-Key that differ, and how often an API did not answer. */
export class PlacedCalls {
  readonly #stage: Stage;
  /** By number: the ids that clients were told. */
  readonly accepted = new Map<string, string>();
  readonly differing: string[] = [];
  /** Ms until each was accepted, from the first try. */
  readonly tookMs: number[] = [];
  unanswered = 0;
  refused = 0;
  /** The answers in place of a call, and how often each came. */
  readonly refusals = new Map<string, number>();
  /** The tries of calls that were accepted late, for whoever looks for the reason. */
  readonly slow: Array<{ toNumber: string; tries: Try[] }> = [];
  #next = 0;
  #placing: Promise<void>[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** `rate` a second, for `ms`; `prefix`: of the numbers. Every third is asked again elsewhere, with the same key. */
  async run(prefix: string, rate: number, ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    for (let index = 0; performance.now() < untilMs; index++) {
      this.#placing.push(this.#place(`${prefix}${String(1_000 + index)}`, index % 3 === 0));
      await pause(1_000 / rate);
    }
  }

  /** Resolves when each has been accepted. */
  async settled(): Promise<void> {
    await Promise.all(this.#placing);
  }

  async #place(toNumber: string, isRepeated: boolean): Promise<void> {
    const key = randomUUID();
    const beganMs = performance.now();
    const log: Try[] = [];
    for (let tries = isRepeated ? 2 : 1; tries > 0; ) {
      const answer = await this.#ask(key, toNumber, log);
      if (answer === null) {
        // As Retry-After asks of clients.
        await pause(1_000);
        if (performance.now() - beganMs > 120_000)
          throw new Error(`${toNumber} was never accepted: ${JSON.stringify([...this.refusals])}`);
        continue;
      }
      const earlier = this.accepted.get(toNumber);
      if (earlier === undefined) {
        const tookMs = performance.now() - beganMs;
        this.tookMs.push(tookMs);
        if (tookMs > SLOW_MS) this.slow.push({ toNumber, tries: [...log] });
      } else if (earlier !== answer) this.differing.push(toNumber);
      this.accepted.set(toNumber, answer);
      tries--;
    }
  }

  /** The id of the call; null where it is to be tried again. */
  async #ask(key: string, toNumber: string, log: Try[]): Promise<string | null> {
    const { rests, campaign } = this.#stage;
    const api = this.#next++ % rests.length;
    const body = { campaignId: campaign.id, fromPhoneNumberId: campaign.numberId, toNumber };
    const at = new Date().toISOString();
    const beganMs = performance.now();
    const note = (answer: string): void => {
      log.push({ at, ms: Math.round(performance.now() - beganMs), api, answer });
    };
    try {
      const answer = await rests[api]?.request('POST', '/calls', body, { 'idempotency-key': key });
      const said = `${answer?.status} ${answer?.body.error}`;
      note(said);
      if (answer?.status === 201) return answer.body.data.id;
      this.refusals.set(said, (this.refusals.get(said) ?? 0) + 1);
      this.refused++;
    } catch {
      note('none');
      this.unanswered++;
    }
    return null;
  }
}

export async function until(what: string, condition: () => boolean | Promise<boolean>, withinMs = 120_000) {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}

/** Ids of the written events of both types, in their order. */
export async function writtenEvents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('type', 'in', ['call.started', 'call.ended'])
    .orderBy('seq')
    .execute();
  return rows.map(({ id }) => id);
}

/** Calls that are open, and those with several ends. */
export async function ends(db: Db): Promise<{ open: number; several: number; crashed: number }> {
  const calls = await db.selectFrom('calls').select(['id', 'endedAt', 'endReason']).execute();
  const ended = await db.selectFrom('events').select('subjectId').where('type', '=', 'call.ended').execute();
  return {
    open: calls.filter(({ endedAt }) => endedAt === null).length,
    several: ended.length - new Set(ended.map(({ subjectId }) => subjectId)).size,
    crashed: calls.filter(({ endReason }) => endReason === 'crash').length,
  };
}

/** Once every call has ended and every webhook was told: what was, and which of these numbers nobody was told of. */
export async function outcome({ db, ledger, receiver }: Stage, numbers: readonly string[]) {
  await until('every end', async () => (await ends(db)).open === 0);
  const written = await writtenEvents(db);
  await until('every webhook', () => judgeReceipts(receiver.received, written).lost === 0).catch(() => undefined);
  const receipts = judgeReceipts(receiver.received, written);
  const told = toldEnds(receiver.received);
  const missed = numbers.filter((number) => !ledger.invites.has(number));
  return { ...(await ends(db)), receipts, missed, untold: missed.filter((number) => !told.has(number)) };
}
