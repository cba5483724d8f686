// The transfers of one call, one at a time: each is begun when the call's machine says so, and its outcome told to the
// machine. One of another process goes on, or has failed.
import type { Logger } from 'pino';
import type { Leg } from '../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { isBridged, type TakenCall } from './continuation.ts';
import type { CallReport } from './machine.ts';
import type { Transfer } from './transfer.ts';
import type { TransferContinuation } from './transfer-continuation.ts';
import type { TransferOutcome } from './transfer-machine.ts';
import { createTransfer } from './transfer-setup.ts';
import type { CallWrites } from './writes.ts';

interface TransfersOptions {
  deps: ConductorDeps;
  options: ConductorOptions;
  writes: CallWrites;
  log: Logger;
  /** The caller's leg. */
  leg(): Leg | null;
  step(report: CallReport): void;
  guard(action: () => void): void;
  /** What another process would go on with has changed. */
  changed(isUrgent?: boolean): void;
}

export class Transfers {
  readonly #of: TransfersOptions;
  #current: Transfer | null = null;
  #isReported = false;

  constructor(of: TransfersOptions) {
    this.#of = of;
  }

  /** Null unless a person is being connected, or is. */
  get current(): Transfer | null {
    return this.#current;
  }

  /** What another process needs to go on with it; null if there is none. */
  get continuation(): TransferContinuation | null {
    return this.#current?.continuation ?? null;
  }

  /** `call.transferred` was told. */
  get isReported(): boolean {
    return this.#isReported;
  }

  start(target: string): void {
    this.#current = this.#create(target);
    void this.#current.start();
  }

  /** As another process has left it. Without `transfer` nobody reaches the person any more. */
  goOn({ from, transfer }: Pick<TakenCall, 'from' | 'transfer'>): void {
    this.#isReported = from.isTransferReported;
    if (!transfer) {
      this.#of.step({ type: 'transfer-outcome', result: 'failed' });
      if (isBridged(from)) this.#of.step({ type: 'goodbye-said', reason: 'transfer' });
      return;
    }
    this.#current = this.#create(transfer.from.target);
    // Its process may have died between the two machines.
    if (transfer.from.state.phase === 'bridged') this.#tell('bridged');
    this.#current.goOn(transfer);
  }

  /** It has failed, and the agent talks to the caller again. */
  end(): void {
    this.#current?.close();
    this.#current = null;
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
    writes.enqueue('markTransferred', { callId: options.call.id, nowMs: deps.clock.nowMs() });
  }

  #create(target: string): Transfer {
    const { deps, options, writes, log, leg, step, guard, changed } = this.#of;
    return createTransfer(deps, options, writes, leg(), target, log, {
      guard,
      onChanged: changed,
      onOutcome: (outcome) => this.#tell(outcome),
      onPersonGone: () => step({ type: 'goodbye-said', reason: 'transfer' }),
    });
  }

  #tell(result: TransferOutcome): void {
    if (result === 'referred' || result === 'bridged') this.report();
    this.#of.step({ type: 'transfer-outcome', result });
  }
}
