// DTMF of one call, both ways: the caller's keys become transcript entries and may be an opt-out; the agent's keys
// leave as telephone events, or by SIP INFO if those cannot be sent.
import type { Logger } from 'pino';
import { hasE164Form } from '../../db/domain/numbers/phone.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { Leg } from '../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { isOptOut, type KeyEntry, Keypad } from './keypad.ts';
import type { CallRecord } from './record.ts';
import { SecretKeys } from './secret-keys.ts';
import { greetingTemplate } from './setup.ts';
import type { CallWrites } from './writes.ts';

interface KeysListener {
  /** The opt-out is durable: the call may end. */
  onOptOut(): void;
  leg(): Leg | null;
  /** In which it may have been offered. */
  languages(): readonly string[];
  /** Keys are secret from now on, or no longer: another process would have to know. */
  onSecret(): void;
}

export class CallKeys {
  readonly #deps: Pick<ConductorDeps, 'shards' | 'clock'>;
  readonly #options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>;
  readonly #writes: CallWrites;
  readonly #record: CallRecord;
  readonly #log: Logger;
  readonly #listener: KeysListener;
  readonly #keypad: Keypad;
  /** Numbers that are nobody's to see. */
  readonly secret: SecretKeys;
  /** Senders that wait for the shard's answer, in order. */
  readonly #sending: Array<(ok: boolean) => void> = [];
  #isOptedOut = false;
  #isClosed = false;

  constructor(
    deps: Pick<ConductorDeps, 'shards' | 'clock'>,
    options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
    { writes, record, log }: { writes: CallWrites; record: CallRecord; log: Logger },
    listener: KeysListener,
  ) {
    this.#deps = deps;
    this.#options = options;
    this.#writes = writes;
    this.#record = record;
    this.#log = log;
    this.#listener = listener;
    this.#keypad = new Keypad(deps.clock, (entry) => this.#onEntry(entry));
    this.secret = new SecretKeys({
      clock: deps.clock,
      setSecret: (isSecret) => {
        deps.shards.send({ type: 'secret-keys', callId: options.call.id, isSecret });
        listener.onSecret();
      },
    });
  }

  /** The caller opted out by key. */
  get isOptedOut(): boolean {
    return this.#isOptedOut;
  }

  /** Keys of an entry that has not ended. */
  get pressed(): string {
    return this.#keypad.pressed;
  }

  /** Another process has begun the call. */
  goOn({ isOptedOut }: { isOptedOut: boolean }): void {
    this.#isOptedOut = isOptedOut;
  }

  press(digits: string, atMs: number): void {
    if (!this.#isClosed) this.#keypad.press(digits, atMs);
  }

  /** Sends keys; false if the other end has no keypad. */
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

  /** The shard's answer to the oldest waiting keys: whether it could send them. */
  onSent(ok: boolean): void {
    this.#sending.shift()?.(ok);
  }

  /** The call is over: no more keys are sent. */
  close(): void {
    this.#isClosed = true;
    this.#keypad.close();
    this.secret.close();
    for (const sent of this.#sending.splice(0)) sent(true);
  }

  #onEntry({ digits, atMs }: KeyEntry): void {
    const { setup, medium } = this.#options;
    this.#record.add({ speaker: 'caller', text: digits, timestamp: atMs });
    const said = this.#record.transcript
      .filter((entry) => entry.speaker === 'agent' && entry.line === undefined)
      .map((entry) => entry.text);
    const offers = [greetingTemplate(setup), setup.campaign.voicemailMessage, ...said];
    const isOffered = this.#listener.languages().some((language) => isOptOut(digits, offers, language));
    const { fromNumber, toNumber } = this.#options.call;
    const number = medium.kind === 'outbound' ? toNumber : fromNumber;
    // A number that is not shown cannot be listed.
    if (hasE164Form(number) && isOffered) this.#optOut(number, digits);
  }

  #optOut(phoneNumber: string, digits: string): void {
    const { call } = this.#options;
    this.#isOptedOut = true;
    this.#writes
      .run('optOut', {
        accountId: call.accountId,
        phoneNumber,
        callId: call.id,
        source: 'digits',
        reason: `pressed ${digits}`,
        nowMs: this.#deps.clock.nowMs(),
      })
      .then(() => this.#listener.onOptOut())
      .catch((error: unknown) => this.#log.error({ error: messageOf(error) }, 'could not write an opt-out'));
  }
}
