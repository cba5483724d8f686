// The transfers of one call, one at a time: each is begun when the call's machine says so, and its outcome told to the
// machine. One of another process goes on, or has failed. All of them are hunts (hunt.ts): among the destinations, or
// for `transferNumber`, which is the last resort where nobody of the destinations answers.
import type { Logger } from 'pino';
import type { TransferTold } from '../../../db/queries/calls/running/changes.ts';
import type { CallNote } from '../../../models/llm/call-note.ts';
import type { Dialogue } from '../../dialogue/dialogue.ts';
import type { HandoverWish, ToolAction } from '../../dialogue/tools/tool.ts';
import type { Leg } from '../../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import { isBridged, isStaying, type TakenCall } from '../going-on/continuation.ts';
import {
  type HuntContinuation,
  personIdOf,
  type TakenTransfer,
  type TransferContinuation,
} from '../going-on/transfer-continuation.ts';
import type { CallReport } from '../machine.ts';
import type { CallRecord } from '../record.ts';
import { redactionOf } from '../setup.ts';
import type { CallWrites } from '../writes.ts';
import type { Hunt } from './hunt.ts';
import type { TransferOutcome, Tried } from './hunt-machine.ts';
import { createHunt, createTransfer, type HuntListener, handoverLimitMs, roundsOf } from './hunt-setup.ts';

/** For the number after the destinations. */
const LAST_RESORT_MS = 70_000;

interface TransfersOptions {
  deps: ConductorDeps;
  options: ConductorOptions;
  writes: CallWrites;
  record: CallRecord;
  dialogue: Pick<Dialogue, 'personSaid'>;
  log: Logger;
  /** The caller's leg. */
  leg(): Leg | null;
  step(report: CallReport): void;
  guard(action: () => void): void;
  /** The state from which another process would go on has changed. */
  changed(isUrgent?: boolean): void;
  /** The caller is with a person, whose audio this is. */
  onJoined(audioId: string): void;
}

export class Transfers {
  readonly #of: TransfersOptions;
  #current: Hunt | null = null;
  #isReported = false;
  /** Of the destinations, for the agent: why nobody has the caller. */
  #tried: readonly Tried[] | null = null;
  #told: TransferTold | null = null;
  /** How often a person has handed the caller on, or was called back. */
  #passedOn = 0;

  constructor(of: TransfersOptions) {
    this.#of = of;
  }

  /** Null unless a person is being connected, or is. */
  get current(): Hunt | null {
    return this.#current;
  }

  /** The state from which another process goes on with it; null if there is none. */
  get continuation(): TransferContinuation | null {
    return this.#current?.continuation ?? null;
  }

  /** `call.transferred` was told. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** Asks the call's machine for a transfer. */
  request({ target, wish }: Extract<ToolAction, { type: 'transfer' }>): {
    target: string;
    wish?: HandoverWish;
    forMs?: number;
  } {
    if (wish === undefined) return { target };
    const { deps, options } = this.#of;
    return { target, wish, forMs: handoverLimitMs(options.setup, wish, deps.clock.nowMs()) + LAST_RESORT_MS };
  }

  start(target: string, wish?: HandoverWish): void {
    this.#tried = null;
    this.#told = null;
    if (wish === undefined) return this.#transfer(target).start();
    const { deps, options } = this.#of;
    const rounds = roundsOf(options.setup, wish, deps.clock.nowMs());
    if (rounds.length > 0) return this.#hunt({ wish, rounds }).start();
    // Their hours have ended since the agent said it.
    this.#hunted('failed', null, []);
  }

  /** As another process has left it. Without `transfer` nobody reaches the person any more. */
  goOn({ from, transfer }: Pick<TakenCall, 'from' | 'transfer'>): void {
    this.#isReported = from.isTransferReported;
    if (!transfer) {
      this.#of.step({ type: 'transfer-outcome', result: 'failed' });
      if (isBridged(from)) this.#personGone(isStaying(from));
      return;
    }
    const current = this.#goneOn(transfer.from);
    current.restore(transfer);
    // Its process may have died between the two machines.
    if (transfer.from.state.phase === 'bridged') {
      this.#told = current.told;
      this.#tell('bridged', current.stays);
    }
    current.goOn(transfer);
  }

  #goneOn({ hunt, target, person }: TakenTransfer['from']): Hunt {
    return hunt === undefined ? this.#transfer(target, { audioId: person?.audioId }) : this.#hunt(hunt);
  }

  /** It has failed, and the agent talks to the caller again; the note says what became of it. */
  end(): CallNote {
    this.#current?.close();
    this.#current = null;
    const tried = this.#tried;
    return { kind: 'transfer-failed', ...(tried === null ? {} : { tried }) };
  }

  /** The person to whom the agent listened has hung up: another one may have the caller later. */
  personLeft(): void {
    this.#current = null;
    this.#isReported = false;
  }

  /** The call is over. */
  close(): void {
    this.#current?.close();
  }

  /** Another process has the call. */
  leave(): void {
    this.#current?.leave();
  }

  /** Reports `call.transferred`, once. */
  report(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const { deps, options, writes } = this.#of;
    const told = this.#told === null ? {} : { transfer: this.#told };
    const rules = redactionOf(options, 'webhooks');
    const redacted = rules === null ? {} : { eventRedaction: rules };
    writes.enqueue('markTransferred', { callId: options.call.id, nowMs: deps.clock.nowMs(), ...redacted, ...told });
  }

  #hunt({ wish, rounds }: Pick<HuntContinuation, 'wish' | 'rounds'>): Hunt {
    const { deps, options, writes, record, dialogue, log, leg } = this.#of;
    const parts = { writes, record, dialogue, leg: leg(), log };
    this.#current = createHunt(
      deps,
      options,
      parts,
      { wish, rounds },
      this.#listener((outcome, told, tried, stays) => this.#hunted(outcome, told, tried, stays)),
    );
    return this.#current;
  }

  #hunted(outcome: TransferOutcome, told: TransferTold | null, tried: readonly Tried[], stays = false): void {
    this.#told = told;
    this.#tried = tried;
    const { transferNumber } = this.#of.options.setup.business;
    // A person who has declined has decided: the caller hears it from the agent.
    const wasDeclined = tried.some(({ result }) => result === 'declined');
    if (outcome !== 'failed' || wasDeclined || transferNumber === null) return this.#tell(outcome, stays);
    this.#transfer(transferNumber).start();
  }

  /** The person who has the caller wants another one to have them. Nobody there: they are called back themselves. */
  #handOn(hunt: Hunt, from: string, to: string): void {
    if (hunt !== this.#current) return;
    this.#of.log.info('a person hands the caller on');
    hunt.close();
    this.#passOn(to, () => this.#passOn(from, () => this.#tell('failed')));
  }

  /** The audio of the line before may still be closing: this one has a name of its own. */
  #passOn(target: string, onFailed: () => void): void {
    const audioId = `${personIdOf(this.#of.options.call.id)}:on:${++this.#passedOn}`;
    this.#transfer(target, { audioId, onFailed }).start();
  }

  /** `onFailed`: the caller is passed on, by a call of ours, while the agent has left. */
  #transfer(target: string, { audioId, onFailed }: { audioId?: string | undefined; onFailed?: () => void } = {}): Hunt {
    const { deps, options, writes, record, dialogue, log, leg } = this.#of;
    const parts = { writes, record, dialogue, leg: onFailed === undefined ? leg() : null, log };
    this.#current = createTransfer(
      deps,
      options,
      parts,
      { target, audioId, hasMusic: onFailed !== undefined },
      this.#listener((outcome) => (outcome === 'failed' && onFailed ? onFailed() : this.#tell(outcome))),
    );
    return this.#current;
  }

  #listener(onOutcome: HuntListener['onOutcome']): HuntListener {
    return {
      onOutcome,
      guard: this.#of.guard,
      onChanged: this.#of.changed,
      onPersonGone: (stays) => this.#personGone(stays),
      onHandedOn: (hunt, from, to) => this.#handOn(hunt, from, to),
    };
  }

  #personGone(stays: boolean): void {
    this.#of.step(stays ? { type: 'person-left' } : { type: 'goodbye-said', reason: 'transfer' });
  }

  #tell(result: TransferOutcome, stays = false): void {
    if (result === 'referred' || result === 'bridged') this.report();
    this.#of.step({ type: 'transfer-outcome', result, ...(stays ? { stays } : {}) });
    const audioId = this.#current?.personAudioId ?? null;
    if (result === 'bridged' && audioId !== null) this.#of.onJoined(audioId);
  }
}
