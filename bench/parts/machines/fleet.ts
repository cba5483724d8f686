// A fleet of engines on one PostgreSQL, with calls from a script in place of audio: what the database carries, and what
// kills cost. The ledger is this process: what it was told is what was dialled, whatever the tables say.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrateDatabase, openDatabase } from '../../../db/database.ts';
import { fold } from '../../../db/postgres/fold.ts';
import type { Db } from '../../../db/schema.ts';
import { transact } from '../../../db/scope.ts';
import type { FleetEngineOptions, FleetNews } from '../../fleet/engine.ts';
import { pause } from '../../rig/conversation/scenario.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { COUNTING, countStatements, dearestStatements } from '../../rig/database/statement-costs.ts';
import { eventually } from '../../rig/eventually.ts';
import { usageOfTree } from '../../rig/measure/process-usage.ts';
import { rowOf } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';
import { ALWAYS_OPEN } from '../../rig/rows/always-open.ts';
import { left, severalEnds } from '../../rig/rows/campaign-ends.ts';
import { addTables } from '../../rig/rows/campaign-tables.ts';

const USAGE = `usage: npm run bench -- fleet [--engines N] [--processes N] [--rate CALLS_PER_SECOND] [--seconds N] [--talk MS] [--kills N] [--statements N]
  N engines (default 6) in N processes (default 3) run the campaigns of 20 accounts at a rate (default 40 calls a second)
  for some seconds (default 30), each call of 3 s (--talk); then N times (default 6) a process is killed while they go on.
  --statements lists the N statements that cost PostgreSQL most, by pg_stat_statements`;

const PROCESS = fileURLToPath(new URL('../../fleet/process.ts', import.meta.url));
const ACCOUNTS = 20;
const RING_MS = 500;
/** An engine opens up to so many at its busiest (docs/postgresql.md). */
const CONNECTIONS_EACH = 21;
const KILL_EVERY_MS = 10_000;
const FOLD_EVERY_MS = 250;
const BATCH = 1_000;
/** The fleet is idle so long after its last call, and for so long. */
const SETTLE_MS = 2_000;
const IDLE_MS = 10_000;

class Ledger {
  readonly invites = new Map<string, string[]>();
  readonly ms: Record<'claimed' | 'placed' | 'ended', number[]> = { claimed: [], placed: [], ended: [] };
  up = 0;

  note(news: readonly FleetNews[]): void {
    for (const each of news) {
      if (each.type === 'invite')
        this.invites.set(each.number, [...(this.invites.get(each.number) ?? []), each.callId]);
      else if (each.type === 'up') this.up++;
      else this.ms[each.type].push(each.ms);
    }
  }

  forgetTimes(): void {
    for (const list of Object.values(this.ms)) list.length = 0;
  }

  get twice(): string[] {
    return [...this.invites].filter(([, calls]) => calls.length > 1).map(([number]) => number);
  }
}

export default part(
  USAGE,
  { engines: 6, processes: 3, rate: 40, seconds: 30, talk: 3_000, kills: 6, statements: 0 },
  async ({ engines, processes, rate, seconds, talk, kills, statements }) => {
    const folder = mkdtempSync(join(tmpdir(), 'voice-fleet-'));
    const connections = `max_connections=${100 + engines * CONNECTIONS_EACH}`;
    const settings = [connections, ...(statements > 0 ? COUNTING : [])];
    const postgres = await startPostgres({ durable: true, settings });
    await migrateDatabase(postgres.url);
    const db = openDatabase(postgres.url);
    const contacts = Math.ceil(rate * (seconds + kills * (KILL_EVERY_MS / 1_000) + 10));
    const trunk = { maxConcurrentCalls: 100_000, callsPerSecond: rate };
    const trunkId = await fill(db, contacts, trunk);
    const ledger = new Ledger();
    const options: Omit<FleetEngineOptions, 'tell' | 'dataDir'> = {
      database: postgres.url,
      maxCalls: 10_000,
      ringMs: RING_MS,
      talkMs: talk,
      trunk: { id: trunkId, ...trunk },
    };
    const homes = Array.from({ length: engines }, (_, i) => join(folder, `engine-${i}`));
    const children = Array.from({ length: processes }, (_, i) => {
      const dataDirs = homes.filter((_, home) => home % processes === i);
      return new FleetProcess(() => fork(PROCESS, [JSON.stringify({ ...options, dataDirs })]), ledger);
    });
    let folded = 0;
    const folding = setInterval(() => {
      void transact(db, { words: ['fold'] }, fold).then(
        (count) => {
          folded += count;
        },
        () => undefined,
      );
    }, FOLD_EVERY_MS);
    try {
      await eventually(() => ledger.up === engines, 'every engine');
      await pause(3_000);
      ledger.forgetTimes();
      const begun = performance.now();
      const usedMs = (): number => usageOfTree(postgres.pid)?.cpuMs ?? Number.NaN;
      const ourMs = (): number => children.reduce((sum, { pid }) => sum + (usageOfTree(pid)?.cpuMs ?? Number.NaN), 0);
      if (statements > 0) await countStatements(db);
      const [usedBefore, ourBefore] = [usedMs(), ourMs()];
      await pause(seconds * 1_000);
      const tookS = (performance.now() - begun) / 1_000;
      const usedPerCall = (usedMs() - usedBefore) / ledger.ms.ended.length;
      const oursPerCall = (ourMs() - ourBefore) / ledger.ms.ended.length;
      const steady = structuredClone(ledger.ms);
      const dearest = statements > 0 ? await dearestStatements(db, statements, steady.ended.length) : [];
      for (let kill = 0; kill < kills; kill++) {
        const victim = children[kill % children.length];
        victim?.kill();
        await pause(KILL_EVERY_MS);
      }
      await eventually(async () => (await left(db)) === 0, 'the end of the campaigns');
      await pause(SETTLE_MS);
      const [idleBefore, ourIdleBefore] = [usedMs(), ourMs()];
      await pause(IDLE_MS);
      const idlePerSecond = (usedMs() - idleBefore) / (IDLE_MS / 1_000);
      const oursIdlePerSecond = (ourMs() - ourIdleBefore) / (IDLE_MS / 1_000);
      const several = await severalEnds(db);
      const broken = [
        ledger.twice.length === 0 ? null : `dialled twice: ${ledger.twice.slice(0, 5).join(', ')}`,
        several === 0 ? null : `${several} calls have several ends`,
      ].filter((each) => each !== null);
      return {
        title: `${engines} engines without audio in ${processes} processes on one PostgreSQL, ${rate} calls a second`,
        rows: [
          rowOf('claim of a batch', steady.claimed, 'p99 <= 200'),
          rowOf('claimed → INVITE', steady.placed, 'p99 <= 250'),
          rowOf('call end → committed', steady.ended, 'p99 <= 500'),
        ],
        samples: { 'claim of a batch': steady.claimed, 'end to commit': steady.ended },
        lines: [
          `${(steady.ended.length / tookS).toFixed(1)} ends a second over ${tookS.toFixed(0)} s; PostgreSQL took ${usedPerCall.toFixed(1)} ms of a processor for each, the engines ${oursPerCall.toFixed(1)}; of the idle fleet ${idlePerSecond.toFixed(0)} and ${oursIdlePerSecond.toFixed(0)} ms a second.`,
          `${contacts} contacts over ${kills} kills of ${Math.ceil(engines / processes)} engines at once: ${ledger.invites.size} dialled, ${ledger.twice.length} of them twice; ${several} calls with several ends; ${folded} changes folded.`,
          ...dearest,
        ],
        data: { folded },
        failure: broken.length === 0 ? null : broken.join('; '),
      };
    } finally {
      clearInterval(folding);
      for (const child of children) child.stop();
      await db.destroy();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Started again at once when it is killed. */
class FleetProcess {
  readonly #start: () => ChildProcess;
  readonly #ledger: Ledger;
  #child: ChildProcess;
  #isStopped = false;

  constructor(start: () => ChildProcess, ledger: Ledger) {
    this.#start = start;
    this.#ledger = ledger;
    this.#child = this.#begin();
  }

  #begin(): ChildProcess {
    const child = this.#start();
    child.on('message', (news: FleetNews[]) => this.#ledger.note(news));
    child.on('exit', () => {
      if (!this.#isStopped) this.#child = this.#begin();
    });
    return child;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  stop(): void {
    this.#isStopped = true;
    this.#child.kill('SIGKILL');
  }
}

/** Campaigns of one attempt each: a second INVITE to a number is one too many. Returns the trunk's id. */
async function fill(
  db: Db,
  contacts: number,
  trunk: { maxConcurrentCalls: number; callsPerSecond: number },
): Promise<string> {
  const tables = addTables(db, Date.now());
  const trunkId = await tables.trunk(trunk);
  let serial = 0;
  for (let i = 0; i < ACCOUNTS; i++) {
    const accountId = await tables.account();
    const limits = { callingWindow: JSON.stringify(ALWAYS_OPEN), maxConcurrentCalls: 100_000, maxAttempts: 1 };
    const campaign = await tables.campaign(accountId, limits, [trunkId]);
    const count = Math.ceil(contacts / ACCOUNTS);
    for (let from = 0; from < count; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - from) }, () => `+1202${5_000_000 + serial++}`);
      await db.transaction().execute((tx) => addTables(tx as Db, Date.now()).contacts(campaign, numbers));
    }
  }
  return trunkId;
}
