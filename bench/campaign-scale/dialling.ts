// Measures the dialler with a campaign of any size, and with a thousand campaigns: its real plan, claims and writer
// thread, on a real database. Calls end after a moment, like unanswered ones; nothing is sent.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type DatabaseTarget, isPostgres, migrateDatabase, openDatabase, watchChanges } from '../../db/database.ts';
import { fold, foldAll } from '../../db/postgres/fold.ts';
import type { Db } from '../../db/schema.ts';
import { startWriter, type Writer } from '../../db/writing/writer.ts';
import { Dialler, type DiallerOptions } from '../../engine/campaign/dialler.ts';
import { TrunkPaces } from '../../engine/campaign/pace.ts';
import { systemClock } from '../../engine/clock.ts';
import { ownPlaces } from '../../engine/cluster/places.ts';
import { createAdmission } from '../../engine/load/admission.ts';
import { machine } from '../rig/measure/statistics.ts';
import { ALWAYS_OPEN } from '../rig/rows/always-open.ts';
import { addTables, type StageTables } from '../rig/rows/campaign-tables.ts';
import { phoneNumberOf } from './contact-list.ts';

const CALLS_PER_SECOND = 20;
const RING_MS = 1_500;
const MAX_CALLS = 100;
const SETTLE_MS = 1_500;
/** An engine opens its writer first, and loads its models before it places calls. */
const OPEN_MS = 1_500;
/** A connection to PostgreSQL plans a statement at its first use, and a page is logged whole after a checkpoint. */
const SETTLE_POSTGRES_MS = 10_000;
const IDLE_MS = 5_000;
const WRITE_EVERY_MS = 50;
/** As the API that leads does it (api/upkeep/jobs.ts). */
const FOLD_EVERY_MS = 250;
const BATCH = 1_000;

interface DiallingSize {
  campaigns: number;
  contactsEach: number;
}

export interface DiallingResult extends DiallingSize {
  calls: number;
  seconds: number;
  /** From the claim's request to its answer, committed and synced, including the wait for the writer. */
  claimMs: number[];
  /** The same of the time before, while database and connections settle. */
  firstClaimMs: number[];
  /** From the plan that found the contact to its dialling. */
  lookMs: number[];
  /** CPU time of the dialler's thread, as a share of one core: while calls are placed, and while idle. */
  controlShare: number;
  idleShare: number;
  /** CPU time of all threads, including the writer, for one call from claim to end. */
  cpuMsPerCall: number;
  /** Load of the machine over the last minute. */
  load1: number;
}

/** `database`: an empty one; by default a file of its own. */
export async function measureDialling(
  size: DiallingSize,
  seconds: number,
  database?: DatabaseTarget,
): Promise<DiallingResult> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-bench-dialling-'));
  const target = database ?? join(folder, 'voice.db');
  try {
    await migrateDatabase(target);
    const tables = await fill(target, size);
    return { ...size, ...(await dial(target, folder, tables, seconds)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(database: DatabaseTarget, { campaigns, contactsEach }: DiallingSize): Promise<StageTables> {
  const db = openDatabase(database, { synchronous: 'NORMAL', autocheckpointPages: 10_000 });
  const tables = addTables(db, Date.now());
  const accountId = await tables.account();
  const trunkId = await tables.trunk({ maxConcurrentCalls: 1_000, callsPerSecond: CALLS_PER_SECOND });
  let number = 0;
  for (let i = 0; i < campaigns; i++) {
    const limits = { callingWindow: JSON.stringify(ALWAYS_OPEN), maxConcurrentCalls: MAX_CALLS };
    const campaign = await tables.campaign(accountId, limits, [trunkId]);
    for (let from = 0; from < contactsEach; from += BATCH) {
      const count = Math.min(BATCH, contactsEach - from);
      const numbers = Array.from({ length: count }, () => phoneNumberOf(number++));
      await db.transaction().execute((trx) => addTables(trx as Db, Date.now()).contacts(campaign, numbers));
    }
  }
  if (isPostgres(database)) await settle(db);
  await db.destroy();
  return tables;
}

/** Has the server do its work of the minute after so many rows before anything is measured. */
async function settle(db: Db): Promise<void> {
  await foldAll(db);
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
}

/** Returns a function that stops. */
function startFolding(database: DatabaseTarget): () => Promise<void> {
  const db = openDatabase(database);
  let folding: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    folding = folding.then(() => fold(db));
  }, FOLD_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await folding;
    await db.destroy();
  };
}

interface Stage {
  writer: Writer;
  claimMs: number[];
  lookMs: number[];
  calls: number;
}

async function dial(
  database: DatabaseTarget,
  folder: string,
  tables: StageTables,
  seconds: number,
): Promise<Omit<DiallingResult, keyof DiallingSize>> {
  const read = openDatabase(database, { readonly: true });
  const spool = { spool: join(folder, 'spool.db'), engineId: 'eng_bench' };
  const writer = startWriter(database, () => {}, isPostgres(database) ? spool : {});
  const stage: Stage = { writer, claimMs: [], lookMs: [], calls: 0 };
  const dialler = createDialler(read, tables, stage);
  const stopWatching = watchChanges(database, () => dialler.onChange());
  const stopFolding = isPostgres(database) ? startFolding(database) : null;
  try {
    writer.open();
    await pause(OPEN_MS);
    dialler.start();
    await pause(isPostgres(database) ? SETTLE_POSTGRES_MS : SETTLE_MS);
    const before = { ...usage(), calls: stage.calls };
    const firstClaimMs = stage.claimMs.splice(0);
    stage.lookMs.length = 0;
    await pause(seconds * 1_000);
    const after = { ...usage(), calls: stage.calls };
    dialler.stop();
    await pause(RING_MS + SETTLE_MS);
    const idle = await idleShare(read, tables, stage);
    const tookMs = after.atMs - before.atMs;
    const calls = after.calls - before.calls;
    return {
      calls,
      seconds: tookMs / 1_000,
      claimMs: stage.claimMs,
      firstClaimMs,
      lookMs: stage.lookMs,
      controlShare: (after.controlMs - before.controlMs) / tookMs,
      idleShare: idle,
      load1: machine().load1,
      cpuMsPerCall: (after.allMs - before.allMs) / calls,
    };
  } finally {
    dialler.stop();
    stopWatching();
    await stopFolding?.();
    await writer.close();
    await read.destroy();
  }
}

function createDialler(read: Db, tables: StageTables, stage: Stage, hasRoom = true): Dialler {
  const admission = createAdmission(hasRoom ? MAX_CALLS : 0);
  const { writer } = stage;
  const timed: DiallerOptions['writer'] = {
    runDurably: (name, args, forMs) => writer.runDurably(name, args, forMs),
    run(name, args) {
      const startedMs = performance.now();
      const result = writer.run(name, args);
      if (name === 'claimAttempts') void result.then(() => stage.claimMs.push(performance.now() - startedMs));
      return result;
    },
  };
  const dialler: Dialler = new Dialler({
    read,
    writer: timed,
    trunks: { order: [...tables.trunks.keys()], limits: (id) => tables.trunks.get(id) ?? null, isUp: () => true },
    paces: new TrunkPaces(systemClock),
    places: ownPlaces(admission, 'eng_bench'),
    release: () => admission.release(),
    onGiven: () => undefined,
    clock: systemClock,
    log: { info() {}, warn() {}, error: (line: unknown) => process.stderr.write(`${JSON.stringify(line)}\n`) },
    async dial(callId) {
      stage.calls++;
      setTimeout(() => void end(callId), RING_MS);
      return true;
    },
  });
  const look = dialler.look.bind(dialler);
  dialler.look = async () => {
    const startedMs = performance.now();
    const next = await look();
    stage.lookMs.push(performance.now() - startedMs);
    return next;
  };
  const end = async (callId: string): Promise<void> => {
    const contact = { status: 'FAILED' as const, nextAttemptAt: null };
    await writer.run('endUndialledCall', { callId, endReason: 'no_answer', nowMs: Date.now(), contact });
    admission.release();
    const terminal = { endReason: 'no_answer' as const, isAnswered: false };
    dialler.onCallEnded({ trunkId: [...tables.trunks.keys()][0] ?? null, isOutbound: true, terminal });
  };
  return dialler;
}

/** The dialler of a full engine, while running calls write to the database. */
async function idleShare(read: Db, tables: StageTables, stage: Stage): Promise<number> {
  const dialler = createDialler(read, tables, stage, false);
  let writes = 0;
  const ticking = setInterval(() => {
    dialler.onChange();
    const callId = `call_bench${writes++ % 10}`;
    void stage.writer.run('storeDialog', { callId, leg: 'peer', dialog: { callId }, nowMs: Date.now() });
  }, WRITE_EVERY_MS);
  dialler.start();
  await pause(SETTLE_MS);
  const before = usage();
  await pause(IDLE_MS);
  const after = usage();
  clearInterval(ticking);
  dialler.stop();
  await pause(SETTLE_MS);
  return (after.controlMs - before.controlMs) / (after.atMs - before.atMs);
}

function usage(): { atMs: number; controlMs: number; allMs: number } {
  const all = process.cpuUsage();
  const control = process.threadCpuUsage();
  return {
    atMs: performance.now(),
    controlMs: (control.user + control.system) / 1_000,
    allMs: (all.user + all.system) / 1_000,
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
