// Goes on with calls of engines that were lost with their machines: by what they wrote of them in the database, and by
// a re-INVITE that asks each peer for its audio. What cannot go on is left to recovery.ts, which hangs up and closes.
import type { Logger } from 'pino';
import { messageOf } from '../db/domain/unexpected.ts';
import { type LeftCall, leftCalls, readContinuation } from '../db/queries/calls/continuations.ts';
import { feedTranscript } from '../db/queries/calls/feed.ts';
import { listOrphanedCalls, type OpenCallRow } from '../db/queries/calls/orphans.ts';
import { isEndAsked } from '../db/queries/engine/engine-requests.ts';
import { hasDied, listEngines } from '../db/queries/engine/engines.ts';
import { readOpenCall } from '../db/rules/routing.ts';
import type { EngineTable } from '../db/schema/processes.ts';
import type { Db } from '../db/schema.ts';
import { sharedClockMs } from '../db/shared/shared-clock.ts';
import type { Writer } from '../db/writer.ts';
import { isMovable, movedHere, type SharedCall } from './call/moved.ts';
import type { Clock } from './clock.ts';
import { fateOf, type Heir, LONGEST_SILENCE_MS } from './cluster/heirs.ts';
import type { Places } from './cluster/places.ts';
import { openJson, sharedContext } from './journal/sealed-json.ts';
import type { Admission } from './load/admission.ts';
import type { Leg, LegState, LocalAudio, StoredDialog, Telephony } from './sip/telephony.ts';
import type { Switchboard } from './switchboard.ts';

const LOOK_LIMIT = 200;
/** Calls that are asked for at a time. */
const AT_ONCE = 20;
/** A peer that has not answered by then is gone, or cannot be reached from here. */
const ANSWER_WITHIN_MS = 8_000;

export interface MovedCallsDeps {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  telephony: Pick<Telephony, 'move' | 'endStored'>;
  switchboard: Pick<Switchboard, 'openMoved' | 'resume' | 'isDraining'>;
  admission: Pick<Admission, 'room'>;
  places: Pick<Places, 'others'>;
  engineId: string;
  /** False: calls end with their engines. */
  isOn: boolean;
  /** This engine's folder. */
  home: string;
  recordingsDir: string;
  sealingKey: Buffer;
  clock: Clock;
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
  /** Closes a call that is this engine's by now. */
  close(orphan: OpenCallRow): Promise<void>;
  log: Logger;
}

export class MovedCalls {
  readonly #deps: MovedCallsDeps;
  /** Being asked for, or soon. */
  readonly #moving = new Set<string>();
  readonly #waiting: Array<() => Promise<void>> = [];
  #asking = 0;
  /** When each was first seen without an engine, by the monotonic clock. */
  #known = new Map<string, number>();

  constructor(deps: MovedCallsDeps) {
    this.#deps = deps;
  }

  /** Whether this engine asks for the call just now. */
  has(callId: string): boolean {
    return this.#moving.has(callId);
  }

  /** Begins to go on with calls that are for this engine. */
  async look(): Promise<void> {
    const { read, engineId } = this.#deps;
    // Without a lost machine nobody searches the open calls.
    if (!(await hasDied(read, { sinceMs: this.#databaseNowMs - LONGEST_SILENCE_MS }))) return;
    await this.claim(await listOrphanedCalls(read, { engineId, limit: LOOK_LIMIT }));
  }

  /**
   * Begins to go on with those of the calls that are for this engine, and returns those that are to be closed. The
   * others are for another engine, or wait.
   */
  async claim(orphans: readonly OpenCallRow[]): Promise<OpenCallRow[]> {
    const { telephony, read, clock } = this.#deps;
    if (telephony.move === undefined || orphans.length === 0) return [...orphans];
    const ids = orphans.map(({ call }) => call.id);
    const [left, engines] = await Promise.all([leftCalls(read, ids), listEngines(read)]);
    const byId = new Map(left.map((each) => [each.callId, each]));
    const nowMs = clock.monotonicMs();
    this.#known = new Map(ids.map((id) => [id, this.#known.get(id) ?? nowMs]));
    const closed: OpenCallRow[] = [];
    for (const orphan of orphans) {
      const { id } = orphan.call;
      if (this.#moving.has(id)) continue;
      const call = byId.get(id);
      const fate = call === undefined ? 'close' : this.#fateOf(call, engines);
      if (fate === 'close') closed.push(orphan);
      else if (call !== undefined && fate === 'take') this.#take(orphan, call);
    }
    return closed;
  }

  #fateOf(left: LeftCall, engines: readonly EngineTable[]): ReturnType<typeof fateOf> {
    const { home, engineId, clock, admission, places, switchboard, isOn } = this.#deps;
    const silentMs = this.#databaseNowMs - left.heartbeatAt;
    // Its next process has what is on the disk: the same ports, and each word.
    if (left.home === home) return 'close';
    const isBack = engines.some((engine) => engine.home === left.home && engine.state !== 'stopped');
    if (isBack && silentMs <= LONGEST_SILENCE_MS) return 'wait';
    if (!left.isWritten || !isOn) return 'close';
    const room = switchboard.isDraining ? 0 : admission.room('inbound');
    // The others do not know of calls that are on their way here: by its room of before, all agree whose turn it is.
    const own: Heir = { engineId, room: room > this.#moving.size ? room : 0 };
    const knownMs = clock.monotonicMs() - (this.#known.get(left.callId) ?? 0);
    return fateOf({ callId: left.callId, silentMs, knownMs }, [own, ...places.others('inbound')], engineId);
  }

  get #databaseNowMs(): number {
    const { clock, skewMs } = this.#deps;
    return clock.nowMs() + skewMs();
  }

  #take(orphan: OpenCallRow, left: LeftCall): void {
    const { log } = this.#deps;
    const { id } = orphan.call;
    this.#moving.add(id);
    this.#waiting.push(() =>
      this.#move(orphan, left)
        .catch((error: unknown) => log.error({ callId: id, error: messageOf(error) }, 'could not close a call'))
        .finally(() => this.#moving.delete(id)),
    );
    this.#next();
  }

  #next(): void {
    while (this.#asking < AT_ONCE) {
      const move = this.#waiting.shift();
      if (move === undefined) return;
      this.#asking++;
      void move().then(() => {
        this.#asking--;
        this.#next();
      });
    }
  }

  async #move(orphan: OpenCallRow, left: LeftCall): Promise<void> {
    const { read, writer, engineId, sealingKey, log, close } = this.#deps;
    const { callId, engineId: from } = left;
    const sealed = await readContinuation(read, { callId, engineId: from });
    if (!(await writer.runDurably('takeOrphan', { callId, from, to: engineId }))) return;
    const own = { ...orphan, call: { ...orphan.call, engineId } };
    let wasAsked = false;
    try {
      const box = Buffer.from(sealed ?? '', 'base64url');
      const shared = openJson(sealingKey, sharedContext(callId), box) as SharedCall;
      if (!isMovable(shared.call)) throw new Error('nobody can go on with it');
      if (await isEndAsked(read, { callId })) throw new Error('a client has asked for its end');
      await this.#goOn(shared, left, () => {
        wasAsked = true;
      });
    } catch (error) {
      log.warn({ callId, error: messageOf(error) }, 'could not go on with a call of another machine');
      // A peer that was asked has its BYE.
      return close(wasAsked ? { ...own, dialogs: own.dialogs.filter(({ leg }) => leg !== 'peer') } : own);
    }
    for (const { dialog } of own.dialogs.filter(({ leg }) => leg !== 'peer')) this.#end(dialog);
  }

  /** @throws if it cannot; then the peer that was asked has been hung up on */
  async #goOn(shared: SharedCall, left: LeftCall, onAsked: () => void): Promise<void> {
    const { read, writer, switchboard, engineId, recordingsDir, clock, log } = this.#deps;
    const { callId } = left;
    const nowMs = clock.nowMs();
    const open = await readOpenCall(read, callId);
    if (open === null) throw new Error('it has ended, or its campaign is gone');
    const { from, pulse } = movedHere(shared, { databaseNowMs: this.#databaseNowMs, nowMs, recordingsDir });
    const audio = await switchboard.openMoved({ from, pulse }, open.setup);
    let leg: Leg;
    let state: LegState;
    try {
      ({ leg, state } = await this.#ask(from.leg as LegState, nowMs - from.writtenAtMs, audio, onAsked));
    } catch (error) {
      audio.close();
      throw error;
    }
    const resumption = {
      atMs: Math.round(sharedClockMs() - from.beganAtMs),
      gapMs: Math.round(this.#databaseNowMs - left.heartbeatAt),
      cause: 'moved' as const,
    };
    const transcript = feedTranscript(read, callId);
    const { record } = shared;
    switchboard.resume(
      { from: { ...from, leg: state, port: audio.port }, leg, transcript, pulse, record, resumption },
      open.setup,
    );
    log.info({ callId, gapMs: resumption.gapMs, engine: left.engineId }, 'the call of another machine goes on');
    const told = { callId, nowMs: clock.nowMs() };
    await Promise.all([
      writer.runDurably('takeOverCall', { ...told, from: engineId, to: engineId, resumption }),
      writer.runDurably('storeDialog', { ...told, leg: 'peer', dialog: state.dialog }),
    ]).catch((error: unknown) => log.error({ callId, error: messageOf(error) }, 'write lost'));
  }

  /** @throws the reason why the peer cannot be had */
  #ask(
    from: LegState,
    elapsedMs: number,
    { address, port }: LocalAudio,
    onAsked: () => void,
  ): Promise<{ leg: Leg; state: LegState }> {
    const { telephony, clock } = this.#deps;
    const leg = telephony.move?.(from, elapsedMs, { address, port });
    if (leg === undefined) throw new Error('calls of this telephony end with their engine');
    onAsked();
    return new Promise((resolve, reject) => {
      const cancel = clock.after(ANSWER_WITHIN_MS, () => {
        reject(new Error('its peer does not answer'));
        leg.hangUp();
      });
      leg.onEvent((event) => {
        if (event.type !== 'ended' && event.type !== 'audio-changed') return;
        cancel();
        if (event.type === 'ended') reject(new Error(event.end.reason));
        else if (leg.state) resolve({ leg, state: leg.state });
      });
    });
  }

  #end(dialog: string): void {
    this.#deps.telephony.endStored(JSON.parse(dialog) as StoredDialog).catch(() => undefined);
  }
}
