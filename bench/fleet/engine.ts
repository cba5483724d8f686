// One engine of the fleet: the real heart, writer with its spool, coordinator, dialler, failure detector and recovery
// on a real database. Its calls are played from a script; nothing is sent and nothing is heard.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../db/database.ts';
import { Outage } from '../../db/faults/outage.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { diskIdOf } from '../../db/shared/files/disk-id.ts';
import { startWriter, type Writer } from '../../db/writing/writer.ts';
import { connectDialling, type Dialling } from '../../engine/assembly/dialling.ts';
import type { Dialler } from '../../engine/campaign/dialler.ts';
import { TrunkPaces } from '../../engine/campaign/pace.ts';
import { systemClock as clock, sleep } from '../../engine/clock.ts';
import { Coordinator } from '../../engine/cluster/coordinator.ts';
import { markPredecessorsDead, takeHome } from '../../engine/cluster/home.ts';
import { Places } from '../../engine/cluster/places.ts';
import { followChanges } from '../../engine/follow-changes.ts';
import { createAdmission } from '../../engine/load/admission.ts';
import type { Telephony } from '../../engine/sip/telephony.ts';
import { closeLeftCalls } from '../../engine/succession/close.ts';
import { FailureDetector } from '../../engine/succession/failure-detector.ts';
import { ApiRequests } from '../../engine/switchboard/api-requests.ts';
import { EngineHeart } from '../../engine/sync/heartbeat.ts';

/** An engine's news for the ledger, which is outside of the database. */
export type FleetNews =
  | { type: 'invite'; callId: string; number: string }
  /** From the claim to its commit; from a call's claim to its INVITE; from its end to the commit. */
  | { type: 'claimed' | 'placed' | 'ended'; ms: number }
  | { type: 'up' };

export interface FleetEngineOptions {
  database: string;
  /** Its DATA_DIR: what a killed engine left there, the next one sends. */
  dataDir: string;
  maxCalls: number;
  ringMs: number;
  talkMs: number;
  trunk: { id: string; maxConcurrentCalls: number; callsPerSecond: number };
  tell(news: FleetNews): void;
}

const TRANSCRIPT = [
  { speaker: 'agent', text: 'Bright Dental, how can I help you?', timestamp: 400 },
  { speaker: 'caller', text: 'When are you open on Friday?', timestamp: 3_100 },
  { speaker: 'agent', text: 'On Friday we are open from nine to five.', timestamp: 5_200 },
] satisfies TranscriptEntry[];

const SILENT = {
  info: () => undefined,
  warn: () => undefined,
  error: (line: unknown, message?: string) => process.stderr.write(`${message}: ${JSON.stringify(line)}\n`),
  fatal: (line: unknown) => process.stderr.write(`${JSON.stringify(line)}\n`),
  debug: () => undefined,
};
const log = SILENT as unknown as ConstructorParameters<typeof EngineHeart>[0]['log'];
const telephony = { endStored: async () => undefined } as unknown as Telephony;

export async function startFleetEngine(options: FleetEngineOptions): Promise<void> {
  const { database, dataDir, maxCalls, trunk, tell } = options;
  mkdirSync(dataDir, { recursive: true });
  const config = { database, directDatabase: database, dataDir, recordingsDir: dataDir };
  const outage = new Outage({ log, monotonicMs: () => performance.now() });
  const engineId = `eng_${randomBytes(8).toString('hex')}`;
  await takeHome({ config, clock });
  const read = openDatabase(database, { readonly: true, keepsPlans: true });
  const writer = timed(
    startWriter(database, (error) => log.warn({ code: error.code }, 'away'), {
      spool: join(dataDir, 'spool.db'),
      engineId,
    }),
    tell,
  );
  const admission = createAdmission(maxCalls);
  const skewMs = (): number => 0;
  const places = new Places({ read, engineId, admission, clock, skewMs });
  const paces = new TrunkPaces(clock);
  const script = new ScriptedCalls(options, { read, writer, release: () => admission.release() });
  const trunks = { order: [trunk.id], limits: () => trunk, isUp: () => true };
  const coordinator = new Coordinator({ config, clock, log, outage, isLast: () => false });
  const dialling: Dialling = connectDialling({
    ...{ read, writer, trunks, paces, places, clock, log, coordinator },
    release: () => admission.release(),
    dial: async (callId) => {
      const ofTrunk = { trunkId: trunk.id, isOutbound: true };
      script.play(callId, (terminal) => dialling.dialler.onCallEnded({ ...ofTrunk, terminal }));
      return true;
    },
  });
  const requests = new ApiRequests({
    read,
    writer,
    clock,
    engineId,
    log,
    places: () => coordinator.leads,
    calls: {
      isDraining: false,
      endCall: () => undefined,
      control: async () => ({ refused: 'CALL_ENDED' }),
      async beginRequested({ callId }) {
        if (!admission.admit('api')) return false;
        script.play(callId ?? '', () => undefined);
        return true;
      },
    },
    renderPreview: async () => undefined,
    downloadModel: async () => undefined,
    admitListener: () => 'CALL_ENDED',
    testModel: () => Promise.reject(new Error('the fleet has no models')),
  });
  const heart = new EngineHeart({
    engineId,
    home: diskIdOf(config.recordingsDir),
    hostname: engineId,
    release: 'fleet',
    skewMs,
    machineSkewMs: skewMs,
    onTakenForDead: () => process.kill(process.pid, 'SIGKILL'),
    writer,
    clock,
    log,
    outage,
    snapshot: () => ({ maxCalls, activeCalls: admission.active, isLate: false, models: {}, metrics: {} }),
  });
  const recover = () =>
    closeLeftCalls({ read, writer, telephony, engineId, recordingsDir: dataDir, now: () => Date.now(), log });
  await heart.starting();
  await markPredecessorsDead({
    config,
    clock,
    read,
    writer,
    engineId,
    home: diskIdOf(config.recordingsDir),
    skewMs: 0,
  });
  await recover();
  await heart.up({ sipUri: `sip:${engineId}`, mediaWsUrl: '', controlUrl: null });
  const following = followChanges({
    database,
    engineId,
    followers: [
      { tables: ['engine_requests'], what: 'the requests', read: () => requests.take() },
      { tables: ['engines'], what: 'the engines', read: () => places.refresh() },
      { tables: ['calls'], what: 'the calls of other engines', read: () => dialling.lookElsewhere() },
    ],
    dialler: dialling.dialler,
    onError: (error, message) => log.error({ error: String(error) }, message),
  });
  await places.refresh();
  await coordinator.start((leads) => dialling.lead(leads));
  following.readAll();
  new FailureDetector({
    read,
    writer,
    engineId,
    clock,
    log,
    outage,
    skewMs,
    soundSince: () => heart.soundSince,
    // An engine of the fleet has no port of its own: whoever is silent is dead.
    answers: async () => false,
    knock: async () => 'silent',
    closeCalls: recover,
  }).start();
  tell({ type: 'up' });
}

function timed(writer: Writer, tell: FleetEngineOptions['tell']): Writer {
  return {
    keepsOrder: writer.keepsOrder,
    runDurably: (name, args, forMs) => writer.runDurably(name, args, forMs),
    runWithin: (name, args, withinMs) => writer.runWithin(name, args, withinMs),
    stats: () => writer.stats(),
    open: () => writer.open(),
    close: () => writer.close(),
    run(name, args) {
      const fromMs = performance.now();
      const result = writer.run(name, args);
      const done = (): void => tell({ type: 'claimed', ms: performance.now() - fromMs });
      if (name === 'claimAttempts') void result.then(done, () => undefined);
      return result;
    },
  };
}

interface Means {
  read: Db;
  writer: Writer;
  release(): void;
}

type Terminal = Parameters<Dialler['onCallEnded']>[0]['terminal'];

/** Calls as their conductor writes them: begun, answered, a conversation of three sentences, ended. */
class ScriptedCalls {
  readonly #options: FleetEngineOptions;
  readonly #means: Means;

  constructor(options: FleetEngineOptions, means: Means) {
    this.#options = options;
    this.#means = means;
  }

  play(callId: string, onEnded: (terminal: Terminal) => void): void {
    this.#play(callId)
      .catch((error: unknown) => log.error({ callId, error: String(error) }, 'a call failed'))
      .finally(() => {
        this.#means.release();
        onEnded({ endReason: 'caller_hangup', isAnswered: true });
      });
  }

  async #play(callId: string): Promise<void> {
    const { ringMs, talkMs, tell } = this.#options;
    const { read, writer } = this.#means;
    const { toNumber, contactId, accountId, startedAt } = await read
      .selectFrom('calls')
      .select(['toNumber', 'contactId', 'accountId', 'startedAt'])
      .where('id', '=', callId)
      .executeTakeFirstOrThrow();
    const of = { callId, nowMs: Date.now() };
    // As in a call: the INVITE leaves once its dialog is stored.
    writer.runDurably('markStarted', { ...of, type: 'call.started' }).catch(() => undefined);
    await writer.runDurably('storeDialog', { ...of, leg: 'peer', dialog: { callId } });
    tell({ type: 'invite', callId, number: toNumber });
    tell({ type: 'placed', ms: Date.now() - startedAt });
    await sleep(clock, ringMs);
    await writer.runDurably('markAnswered', { callId, recordingPath: null, nowMs: Date.now() });
    for (const data of TRANSCRIPT) {
      await sleep(clock, talkMs / TRANSCRIPT.length);
      writer
        .run('appendFeed', { accountId, callId, type: 'transcript', data, nowMs: Date.now() })
        .catch(() => undefined);
    }
    await writer.run('countTurn', { accountId, isFailed: false, nowMs: Date.now() });
    const fromMs = performance.now();
    await writer.runDurably('endCall', {
      callId,
      status: 'COMPLETED',
      outcome: 'completed',
      endReason: 'caller_hangup',
      endedAtMs: Date.now(),
      sentiment: 'neutral',
      summary: 'The caller asked for the opening hours.',
      tags: [],
      transcript: TRANSCRIPT,
      latency: null,
      contact: contactId === null ? null : { status: 'COMPLETED', nextAttemptAt: null },
    });
    tell({ type: 'ended', ms: performance.now() - fromMs });
  }
}
