// The keys of one call, both ways: what the caller presses becomes entries of the transcript, and perhaps the wish not to be
// called again; what the agent presses goes out as telephone events, else by SIP INFO.
import type { Logger } from 'pino';
import { messageOf } from '../../models/unexpected.ts';
import type { Leg } from '../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from './call-context.ts';
import type { CallWrites } from './call-writes.ts';
import { isOptOut, type KeyEntry, Keypad } from './keypad.ts';
import type { CallRecord } from './record.ts';

export interface KeysListener {
  /** The wish is durable: the call may end. */
  onOptOut(): void;
  leg(): Leg | null;
}

export class CallKeys {
  readonly #deps: Pick<ConductorDeps, 'shards' | 'clock'>;
  readonly #options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>;
  readonly #writes: CallWrites;
  readonly #record: CallRecord;
  readonly #log: Logger;
  readonly #listener: KeysListener;
  readonly #keypad: Keypad;
  /** Senders that wait to hear whether the shard could send, in order. */
  readonly #sending: Array<(ok: boolean) => void> = [];
  #isOptedOut = false;
  #isClosed = false;

  constructor(
    deps: Pick<ConductorDeps, 'shards' | 'clock'>,
    options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
    writes: CallWrites,
    record: CallRecord,
    log: Logger,
    listener: KeysListener,
  ) {
    this.#deps = deps;
    this.#options = options;
    this.#writes = writes;
    this.#record = record;
    this.#log = log;
    this.#listener = listener;
    this.#keypad = new Keypad(deps.clock, (entry) => this.#onEntry(entry));
  }

  /** The caller asked by key not to be called again. */
  get isOptedOut(): boolean {
    return this.#isOptedOut;
  }

  press(digits: string, atMs: number): void {
    if (!this.#isClosed) this.#keypad.press(digits, atMs);
  }

  /** Sends keys; false where there is no keypad at the other end. */
  send(digits: string): Promise<boolean> {
    const { shards } = this.#deps;
    return new Promise((resolve) => {
      this.#sending.push((ok) => {
        const leg = this.#listener.leg();
        if (!ok) leg?.sendInfoDigits(digits);
        resolve(ok || leg !== null);
      });
      shards.send({ type: 'send-digits', callId: this.#options.call.id, digits });
    });
  }

  /** Whether the shard could send the oldest keys that wait. */
  onSent(ok: boolean): void {
    this.#sending.shift()?.(ok);
  }

  /** The call is over: nothing more is pressed. */
  close(): void {
    this.#isClosed = true;
    this.#keypad.close();
  }

  #onEntry({ digits, atMs }: KeyEntry): void {
    const { setup, medium } = this.#options;
    this.#record.add({ speaker: 'caller', text: digits, timestamp: atMs });
    const said = this.#record.transcript.filter((entry) => entry.speaker === 'agent').map((entry) => entry.text);
    const offers = [setup.business.greetingTemplate, setup.campaign.voicemailMessage, ...said];
    if (medium.kind !== 'web' && isOptOut(digits, offers)) this.#optOut(digits);
  }

  #optOut(digits: string): void {
    const { call, medium } = this.#options;
    this.#isOptedOut = true;
    this.#writes
      .run('optOut', {
        accountId: call.accountId,
        phoneNumber: medium.kind === 'outbound' ? call.toNumber : call.fromNumber,
        callId: call.id,
        source: 'digits',
        reason: `pressed ${digits}`,
        nowMs: this.#deps.clock.nowMs(),
      })
      .then(() => this.#listener.onOptOut())
      .catch((error: unknown) => this.#log.error({ error: messageOf(error) }, 'opt-out not written'));
  }
}
