// Goes on with calls of engines that were lost with their machines: by what they wrote of them in the database, and by
// a re-INVITE that asks each peer for its audio. What cannot go on is left to close.ts, which hangs up and closes.
import { messageOf } from '../../db/domain/unexpected.ts';
import { type LeftCall, leftCalls, readContinuation } from '../../db/queries/calls/running/continuations.ts';
import { listOrphanedCalls, type OpenCallRow } from '../../db/queries/calls/running/orphans.ts';
import { isEndAsked } from '../../db/queries/engine/engine-requests.ts';
import { hasDied, listEngines } from '../../db/queries/engine/engines.ts';
import { type CallSetup, readOpenCall } from '../../db/rules/routing.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { TakenCall } from '../call/going-on/continuation.ts';
import { isMovable, movedHere, movedTransfer, type SharedCall } from '../call/going-on/moved.ts';
import { PERSON_LEG } from '../call/going-on/transfer-continuation.ts';
import type { Places } from '../cluster/places.ts';
import { openJson, sharedContext } from '../journal/sealed-json.ts';
import type { Admission } from '../load/admission.ts';
import { LONGEST_GAP_MS } from '../silence.ts';
import type { StoredDialog, Telephony } from '../sip/telephony.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';
import { type GoOnDeps, goOn } from './go-on.ts';
import { type MovedLeg, type MovedPersonLeg, moveLeg, movePerson } from './moved-leg.ts';
import { type Fate, fateOf, type Successor } from './successors.ts';

const LOOK_LIMIT = 200;
/** Calls that are asked for at a time. */
const AT_ONCE = 20;

export interface MovedCallsDeps extends GoOnDeps {
  telephony: Pick<Telephony, 'move' | 'endStored'>;
  switchboard: Pick<Switchboard, 'openMoved' | 'openMovedPerson' | 'resume' | 'isDraining'>;
  admission: Pick<Admission, 'free'>;
  places: Pick<Places, 'others'>;
  /** False: calls end with their engines. */
  isOn: boolean;
  /** This engine's folder. */
  home: string;
  recordingsDir: string;
  sealingKey: Buffer;
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
  /** Closes a call that is this engine's by now. */
  close(orphan: OpenCallRow): Promise<void>;
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
    if (!(await hasDied(read, { sinceMs: this.#databaseNowMs - LONGEST_GAP_MS }))) return;
    await this.claim(await listOrphanedCalls(read, { engineId, limit: LOOK_LIMIT }));
  }

  /**
   * Begins to go on with those of the calls that are for this engine, and returns those that are to be closed. The
   * others are for another engine, or wait.
   */
  async claim(orphans: readonly OpenCallRow[]): Promise<OpenCallRow[]> {
    const { telephony, read, clock, log } = this.#deps;
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
      // A call of which nobody has written anything was lost before it was answered.
      const fate: Fate = call === undefined ? { close: 'its engine wrote nothing of it' } : this.#fateOf(call, engines);
      if (typeof fate === 'object') {
        log.warn({ callId: id, reason: fate.close }, 'a call of an engine that has ended is not continued');
        closed.push(orphan);
      } else if (call !== undefined && fate === 'take') this.#take(orphan, call);
    }
    return closed;
  }

  #fateOf(left: LeftCall, engines: readonly EngineTable[]): Fate {
    const { home, engineId, clock, admission, places, switchboard, isOn } = this.#deps;
    const silentMs = this.#databaseNowMs - left.heartbeatAt;
    // Its next process has what is on the disk: the same ports, and each word.
    if (left.home === home) return { close: 'an earlier process of this folder had it' };
    const isBack = engines.some((engine) => engine.home === left.home && engine.state !== 'stopped');
    if (isBack && silentMs <= LONGEST_GAP_MS) return 'wait';
    if (!isOn) return { close: 'RESUME_CALLS is off' };
    if (!left.isWritten) return { close: 'its engine wrote nothing of it' };
    // The limit on growth is for new calls: these have been carried all along, and their callers wait.
    const room = switchboard.isDraining ? 0 : admission.free;
    // The others do not know of calls that are on their way here: by its room of before, all agree whose turn it is.
    const own: Successor = { engineId, room: room > this.#moving.size ? room : 0 };
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
    const { read, writer, engineId, sealingKey, clock, log, close } = this.#deps;
    const { callId, engineId: from } = left;
    const sealed = await readContinuation(read, { callId, engineId: from });
    if (!(await writer.runDurably('takeOrphan', { callId, from, to: engineId }))) return;
    const own = { ...orphan, call: { ...orphan.call, engineId } };
    /** Legs that this engine has asked for their audio, and has hung up on where that was in vain. */
    const asked = new Set<string>();
    let hasPerson: boolean;
    try {
      const box = Buffer.from(sealed ?? '', 'base64url');
      const shared = openJson(sealingKey, sharedContext(callId), box) as SharedCall;
      if (!isMovable(shared.call)) throw new Error('nobody can go on with it');
      if (await isEndAsked(read, { callId })) throw new Error('a client has asked for its end');
      hasPerson = await this.#goOn(shared, left, asked);
    } catch (error) {
      log.warn({ callId, error: messageOf(error) }, 'could not go on with a call of another machine');
      return close({ ...own, dialogs: own.dialogs.filter((stored) => !asked.has(keyOf(stored))) });
    }
    const others = own.dialogs.filter(({ leg }) => leg !== 'peer');
    for (const stored of others) if (!asked.has(keyOf(stored))) this.#end(stored.dialog);
    if (hasPerson || others.length === 0) return;
    await writer.runDurably('closeTransferLegs', { callId, endedAtMs: clock.nowMs() });
  }

  /**
   * Resolves with whether a person has the caller.
   * @throws if it cannot; then who was asked has been hung up on
   */
  async #goOn(shared: SharedCall, left: LeftCall, asked: Set<string>): Promise<boolean> {
    const { read, writer, engineId, recordingsDir, clock, log } = this.#deps;
    const { callId } = left;
    const nowMs = clock.nowMs();
    const open = await readOpenCall(read, callId);
    if (open === null) throw new Error('it has ended, or its campaign is gone');
    const { from, pulse } = movedHere(shared, { databaseNowMs: this.#databaseNowMs, nowMs, recordingsDir });
    const elapsedMs = nowMs - from.writtenAtMs;
    const { caller, person } = await this.#ask({ from, pulse }, open.setup, elapsedMs, asked);
    const transfer = movedTransfer(from, person, elapsedMs);
    const { leg = null, state = null, port = 0 } = caller ?? {};
    const taken = { from: { ...from, leg: state, port }, leg, pulse, record: shared.record, transfer };
    const gapMs = Math.round(this.#databaseNowMs - left.heartbeatAt);
    const told = goOn({ left: taken, setup: open.setup, owner: engineId, gapMs, cause: 'moved' }, this.#deps);
    const of = { callId, nowMs: clock.nowMs() };
    await Promise.all([
      told,
      state && writer.runDurably('storeDialog', { ...of, leg: 'peer', dialog: state.dialog }),
      person && writer.runDurably('storeDialog', { ...of, leg: PERSON_LEG, dialog: person.state.dialog }),
    ]).catch((error: unknown) => log.error({ callId, error: messageOf(error) }, 'write lost'));
    return person !== null;
  }

  /**
   * Asks the caller's side, and the person's who talks to them, for their audio. A browser is not asked: it joins again
   * by itself. @throws if the caller cannot be had
   */
  async #ask(
    of: Pick<TakenCall, 'from' | 'pulse'>,
    setup: CallSetup,
    elapsedMs: number,
    asked: Set<string>,
  ): Promise<{ caller: (MovedLeg & { port: number }) | null; person: MovedPersonLeg | null }> {
    const { leg } = of.from;
    const askPerson = () => movePerson(of.from, setup, elapsedMs, this.#deps, (dialog) => asked.add(personKey(dialog)));
    if (leg === null) return { caller: null, person: await askPerson() };
    const audio = await this.#deps.switchboard.openMoved(of, setup);
    const person = askPerson();
    try {
      asked.add('peer');
      const moved = await moveLeg(leg, elapsedMs, audio, this.#deps);
      return { caller: { ...moved, port: audio.port }, person: await person };
    } catch (error) {
      audio.close();
      (await person)?.letGo();
      throw error;
    }
  }

  #end(dialog: string): void {
    this.#deps.telephony.endStored(JSON.parse(dialog) as StoredDialog).catch(() => undefined);
  }
}

/** The key of a stored leg here: several persons may have been called at once. */
const keyOf = ({ leg, dialog }: OpenCallRow['dialogs'][number]): string =>
  leg === 'peer' ? leg : personKey(JSON.parse(dialog) as StoredDialog);
const personKey = ({ callId }: StoredDialog): string => `person ${callId}`;
