// A test stage for the dialler: the real tables and queries in a temporary file, a clock that jumps from event to
// event, callees that answer by a seeded lot, and crashes. Everything dialled is checked as it happens.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freshDatabase } from '../../../bench/rig/database/fresh-database.ts';
import { addTables, type StageTables } from '../../../bench/rig/rows/campaign-tables.ts';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../../db/database.ts';
import type { EndReason } from '../../../db/domain/calls/ends.ts';
import { endOf } from '../../../db/domain/calls/outcome.ts';
import { type CallingWindow, DEFAULT_CALLING_WINDOW } from '../../../db/domain/campaign-defaults.ts';
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';
import { refusalOf } from '../../../db/domain/refusal.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';
import {
  type OperationArgs,
  type OperationName,
  type OperationResult,
  operations,
} from '../../../db/writing/operations.ts';
import { Dialler } from '../../../engine/campaign/dialler.ts';
import { TrunkPaces } from '../../../engine/campaign/pace.ts';
import { contactAfterAttempt } from '../../../engine/campaign/retry.ts';
import { ownPlaces } from '../../../engine/cluster/places.ts';
import { type Admission, createAdmission } from '../../../engine/load/admission.ts';
import type { StoredDialog, Telephony } from '../../../engine/sip/telephony.ts';
import { closeLeftCalls } from '../../../engine/succession/close.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const silent = { info() {}, warn() {}, error() {}, child: () => silent };

/** Numbers by region, with the zones where the window must be open; written independently of the product's tables. */
export const REGIONS: ReadonlyArray<{ number: (i: number) => string; zones: string[] }> = [
  { number: (i) => `+1212${5_550_000 + i}`, zones: ['America/New_York'] },
  { number: (i) => `+1312${5_550_000 + i}`, zones: ['America/Chicago'] },
  { number: (i) => `+1415${5_550_000 + i}`, zones: ['America/Los_Angeles'] },
  { number: (i) => `+1808${5_550_000 + i}`, zones: ['Pacific/Honolulu'] },
  // Western Florida: two zones.
  { number: (i) => `+1850${5_550_000 + i}`, zones: ['America/New_York', 'America/Chicago'] },
  { number: (i) => `+4930${20_000_000 + i}`, zones: ['Europe/Berlin'] },
  { number: (i) => `+91984${5_000_000 + i}`, zones: ['Asia/Kolkata'] },
  { number: (i) => `+613${90_000_000 + i}`, zones: ['Australia/Melbourne'] },
];

export type Outcome =
  | 'answered'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'unallocated'
  | 'network'
  | 'voicemail'
  | 'opt_out';

export interface Placed {
  callId: string;
  contactId: string;
  campaignId: string;
  trunkId: string;
  toNumber: string;
  fromNumber: string;
  atMs: number;
}

interface Pending extends Placed {
  endAtMs: number;
  outcome: Outcome;
  ringMs: number;
}

interface StageOptions {
  startMs: number;
  seed: number;
  maxCalls?: number;
  /** How long a claim takes until it is committed; default 0. */
  claimMs?: number;
  outcome?: (lot: number, call: Placed) => Outcome;
  /** Called at each dial; throwing 'crash' ends the engine there. */
  onDial?: (call: Placed, stage: Stage) => void;
}

const STATUS: Partial<Record<Outcome, number>> = {
  busy: 486,
  no_answer: 480,
  declined: 603,
  unallocated: 404,
  network: 503,
};

export class Stage {
  readonly db: Db;
  readonly tables: StageTables;
  readonly lot: () => number;
  readonly placed: Placed[] = [];
  /** SIP Call-IDs on which recovery sent a BYE or CANCEL. */
  readonly hungUp = new Set<string>();
  readonly #folder = temporaryFolder('dialling');
  readonly #options: StageOptions;
  readonly #live = new Map<string, Pending>();
  nowMs: number;
  admission: Admission;
  dialler: Dialler;
  engineId = '';
  looks = 0;
  crashes = 0;
  /** The next operation of this name commits, but its answer is lost. */
  loseAnswerOf: OperationName | null = null;
  trunkIsUp = true;
  /** From now on, claims are never dialled: the crash comes first. */
  isDying = false;

  constructor(options: StageOptions) {
    const path = join(this.#folder, 'voice.db');
    freshDatabase(path);
    this.db = openDatabase(path, { synchronous: 'NORMAL', autocheckpointPages: 1_000 });
    this.tables = addTables(this.db, options.startMs);
    this.#options = options;
    this.nowMs = options.startMs;
    this.lot = seededRandom(options.seed);
    this.admission = createAdmission(options.maxCalls ?? 100);
    this.dialler = this.#newDialler();
  }

  get liveCalls(): readonly Placed[] {
    return [...this.#live.values()];
  }

  async run<N extends OperationName>(name: N, args: OperationArgs<N>): Promise<OperationResult<N>> {
    const operation = operations[name] as (db: Db, args: unknown) => Promise<unknown>;
    if (name === 'claimAttempts') this.nowMs += this.#options.claimMs ?? 0;
    const result = await this.db.transaction().execute((trx) => operation(trx as Db, args));
    if (this.loseAnswerOf === name) {
      this.loseAnswerOf = null;
      throw new Error('the writer thread ended');
    }
    return result as OperationResult<N>;
  }

  #newDialler(): Dialler {
    this.engineId = newId('eng' as never);
    const limits = (id: string) => this.tables.trunks.get(id) ?? null;
    const order = () => [...this.tables.trunks.keys()];
    const writer = { run: this.run.bind(this), runDurably: this.run.bind(this) };
    return new Dialler({
      read: this.db,
      writer,
      trunks: {
        get order() {
          return order();
        },
        limits,
        isUp: () => this.trunkIsUp,
      },
      paces: new TrunkPaces({ nowMs: () => this.nowMs, monotonicMs: () => this.nowMs }),
      places: ownPlaces(this.admission, this.engineId),
      release: () => this.admission.release(),
      onGiven: () => assert.fail('there is no other engine'),
      clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs, after: () => () => {} },
      log: silent,
      dial: (callId) => this.#dial(callId),
    });
  }

  async #dial(callId: string): Promise<boolean> {
    const engineId = this.engineId;
    const row = await this.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
    // A pass that a crash cut off belongs to an engine that is gone.
    if (engineId !== this.engineId || row.engineId !== engineId) return false;
    if (this.isDying) return true;
    const call: Placed = {
      callId,
      contactId: row.contactId ?? '',
      campaignId: row.campaignId,
      trunkId: row.trunkId ?? '',
      toNumber: row.toNumber,
      fromNumber: row.fromNumber,
      atMs: this.nowMs,
    };
    // The dialog is durable before its INVITE leaves.
    await this.run('storeDialog', { callId, leg: 'peer', dialog: { callId }, nowMs: this.nowMs });
    assert.ok(!this.placed.some((earlier) => earlier.callId === callId), 'an attempt has one INVITE');
    this.placed.push(call);
    const lot = this.lot();
    const outcome = (this.#options.outcome ?? (() => 'answered'))(lot, call);
    const ringMs = Math.round(3_000 + this.lot() * 20_000);
    const talkMs = outcome === 'answered' || outcome === 'opt_out' ? Math.round(10_000 + this.lot() * 170_000) : 0;
    this.#live.set(callId, { ...call, outcome, ringMs, endAtMs: this.nowMs + ringMs + talkMs });
    this.#options.onDial?.(call, this);
    return true;
  }

  /** Plays until `untilMs` or `isOver`. One pass sees everything that ends within 2 s, the driver's longest wait. */
  async play(untilMs: number, isOver: () => Promise<boolean> = async () => false): Promise<void> {
    let lookAtMs: number | null = this.nowMs;
    while (this.nowMs < untilMs) {
      const nextEnd = Math.min(...[...this.#live.values()].map((call) => call.endAtMs), Number.POSITIVE_INFINITY);
      const next = Math.min(nextEnd, lookAtMs ?? Number.POSITIVE_INFINITY);
      if (next === Number.POSITIVE_INFINITY || next > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next);
      if (nextEnd <= this.nowMs) {
        for (const call of [...this.#live.values()]) if (call.endAtMs <= this.nowMs) await this.#end(call);
        lookAtMs = Math.min(lookAtMs ?? Number.POSITIVE_INFINITY, this.nowMs + 2_000);
        continue;
      }
      this.looks++;
      const engineId = this.engineId;
      const at: number | null = await this.dialler.look();
      // Dialling continues during the pass.
      await new Promise((resolve) => setImmediate(resolve));
      lookAtMs = at === null ? null : Math.max(Math.ceil(at), this.nowMs + 20);
      if (this.engineId !== engineId) lookAtMs = this.nowMs;
      if (lookAtMs === null && (await isOver())) return;
    }
    this.nowMs = Math.max(this.nowMs, untilMs === Number.POSITIVE_INFINITY ? this.nowMs : untilMs);
  }

  async #end(call: Pending): Promise<void> {
    this.#live.delete(call.callId);
    const isAnswered = ['answered', 'opt_out', 'voicemail'].includes(call.outcome);
    const answeredAtMs = isAnswered ? call.atMs + call.ringMs : null;
    if (answeredAtMs !== null)
      await this.run('markAnswered', { callId: call.callId, recordingPath: null, nowMs: answeredAtMs });
    if (call.outcome === 'opt_out') {
      await this.run('optOut', {
        accountId: this.tables.accountOf(call.campaignId),
        phoneNumber: call.toNumber,
        callId: call.callId,
        source: 'call',
        reason: null,
        nowMs: this.nowMs,
      });
    }
    const refusal = isAnswered ? null : refusalOf(STATUS[call.outcome] ?? null, null);
    const answeredOutcome = call.outcome === 'voicemail' ? 'voicemail' : 'completed';
    const outcome = refusal === null ? answeredOutcome : endOf(refusal.reason).outcome;
    const endReason: EndReason = refusal?.reason ?? 'caller_hangup';
    const contact = await contactAfterAttempt(this.db, call.contactId, {
      outcome,
      answered: isAnswered,
      retryable: refusal?.retryable ?? false,
      endedAtMs: this.nowMs,
    });
    await this.run('endCall', {
      callId: call.callId,
      status: isAnswered ? (call.outcome === 'voicemail' ? 'VOICEMAIL' : 'COMPLETED') : 'FAILED',
      outcome,
      endReason,
      endedAtMs: this.nowMs,
      sentiment: null,
      summary: null,
      tags: [],
      transcript: [],
      latency: null,
      usage: null,
      recordingPath: null,
      contact,
    });
    this.admission.release();
    const terminal = { endReason, isAnswered: answeredAtMs !== null };
    this.dialler.onCallEnded({ trunkId: call.trunkId, isOutbound: true, terminal });
  }

  /** The engine dies and another starts: its memory is lost, the far ends of its calls are not. */
  async crash(): Promise<void> {
    this.crashes++;
    this.isDying = false;
    const orphans = [...this.#live.keys()];
    this.#live.clear();
    this.admission = createAdmission(this.#options.maxCalls ?? 100);
    this.dialler = this.#newDialler();
    const telephony = {
      endStored: async (dialog: StoredDialog) => {
        this.hungUp.add((dialog as unknown as { callId: string }).callId);
      },
    } as unknown as Telephony;
    await closeLeftCalls({
      read: this.db,
      writer: { run: this.run.bind(this), runDurably: this.run.bind(this) } as never,
      telephony,
      engineId: this.engineId,
      recordingsDir: this.#folder,
      now: () => this.nowMs,
      log: silent as never,
    });
    for (const callId of orphans) assert.ok(this.hungUp.has(callId), 'nobody is left on a dead line');
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }
}

/** By zone: to make one takes longer than to use it. */
const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClockOf(timeZone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(timeZone);
  if (known !== undefined) return known;
  const options = { weekday: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
  wallClocks.set(timeZone, made);
  return made;
}

/** Whether a window is open by the wall clock of `zone`, computed with Intl alone. */
export function isOpenByWallClock(window: CallingWindow, zone: string, atMs: number): boolean {
  const parts = wallClockOf(zone).formatToParts(atMs);
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
  const clock = `${part('hour')}:${part('minute')}`;
  const day = WEEKDAYS.indexOf(part('weekday').toLowerCase() as Weekday);
  const isOn = (index: number) => window.days.includes(WEEKDAYS[(index + 7) % 7] ?? 'monday');
  if (window.start < window.end) return isOn(day) && clock >= window.start && clock < window.end;
  return (isOn(day) && clock >= window.start) || (isOn(day - 1) && clock < window.end);
}

export const windowOf = (row: Pick<CampaignTable, 'callingWindow'>): CallingWindow =>
  row.callingWindow === null ? DEFAULT_CALLING_WINDOW : (JSON.parse(row.callingWindow) as CallingWindow);
