// Handing the caller to a person. Blind first: REFER, and the peer connects them. Where the peer refuses or does not know
// REFER, attended: the engine calls the person, says who is waiting, and joins both here; nobody there, back to the caller.
import type { Logger } from 'pino';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { Shards } from '../shard/shards.ts';
import type { Leg, LegEvent, LocalAudio, StoredDialog, Telephony } from '../sip/telephony.ts';

/** A peer that took a REFER and reports nothing for so long will not connect anybody. */
const REFER_TIMEOUT_MS = 20_000;
const HUMAN_RING_MS = 25_000;

export interface TransferOptions {
  callId: string;
  /** E.164, or a `sip:` URI. */
  target: string;
  leg: Leg | null;
  telephony: Telephony;
  shards: Shards;
  /** Over which the person may be called, in order. */
  trunks(): Promise<string[]>;
  from: string;
  open: Pick<OpenCall, 'turn' | 'voice' | 'vocabulary'>;
  /** What the person hears before the caller is put through. */
  announcement: string;
  storeDialog(dialog: StoredDialog): Promise<void>;
  /** `accepted`: the peer took the REFER and goes on; one of the others follows, or the peer hangs up. */
  onOutcome(result: 'accepted' | 'referred' | 'bridged' | 'failed'): void;
  /** The person hung up after both had been joined. */
  onHumanGone(): void;
  log: Logger;
}

type State = 'referring' | 'opening' | 'ringing' | 'announcing' | 'bridged' | 'done';

export class Transfer {
  readonly #options: TransferOptions;
  readonly #humanCallId: string;
  #state: State = 'referring';
  #human: Leg | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TransferOptions) {
    this.#options = options;
    this.#humanCallId = `${options.callId}:human`;
  }

  start(): void {
    const { leg, target, log } = this.#options;
    if (!leg) return this.#callHuman();
    log.info('transfer by REFER');
    this.#arm(REFER_TIMEOUT_MS, () => this.#callHuman());
    leg.refer(target);
  }

  /** Status of the REFER itself (refused) or of its NOTIFY (RFC 3515 2.4.5). */
  onReferProgress(status: number): void {
    if (this.#state !== 'referring') return;
    if (status < 200) return this.#options.onOutcome('accepted');
    if (status < 300) return this.#finish('referred');
    this.#options.log.info({ status }, 'REFER refused, calling the person');
    this.#callHuman();
  }

  /** The call is over: the person's leg goes with it. */
  close(): void {
    this.#disarm();
    this.#human?.hangUp();
    if (this.#state !== 'referring' && this.#state !== 'done') {
      this.#options.shards.send({ type: 'close', callId: this.#humanCallId });
    }
    this.#state = 'done';
  }

  #callHuman(): void {
    this.#disarm();
    this.#state = 'opening';
    const { shards, open, callId } = this.#options;
    shards.open(
      {
        type: 'open',
        callId: this.#humanCallId,
        sampleRateHz: 8_000,
        transport: { kind: 'rtp' },
        ...open,
        recordingPath: null,
        amd: null,
      },
      (event) => this.#onShardEvent(event),
      callId,
    );
  }

  #onShardEvent(event: ShardEvent): void {
    const { shards, callId, announcement } = this.#options;
    const humanCallId = this.#humanCallId;
    if (event.type === 'opened' && this.#state === 'opening') {
      void this.#dial({ address: event.address, port: event.port });
      return;
    }
    if (event.type === 'open-failed' || event.type === 'call-failed') return this.#humanEnded();
    if (event.type === 'reply-wanted' && event.committed) {
      if (event.cause.kind === 'opening') {
        shards.send({
          type: 'speak',
          callId: humanCallId,
          epoch: event.epoch,
          index: 0,
          text: announcement,
          interruptible: false,
        });
      }
      return shards.send({ type: 'reply-complete', callId: humanCallId, epoch: event.epoch });
    }
    if (event.type === 'reply-heard' && this.#state === 'announcing') {
      this.#disarm();
      this.#state = 'bridged';
      shards.send({ type: 'bridge', callId, otherCallId: humanCallId });
      this.#options.onOutcome('bridged');
    }
  }

  async #dial(audio: LocalAudio): Promise<void> {
    const { telephony, trunks, target, from, storeDialog } = this.#options;
    this.#state = 'ringing';
    try {
      const trunkIds = await trunks();
      // The caller hung up meanwhile.
      if (this.#state !== 'ringing') return;
      const leg = telephony.dial({
        trunkIds,
        to: target,
        from,
        fromName: null,
        audio,
        ringTimeoutMs: HUMAN_RING_MS,
        beforeInvite: storeDialog,
      });
      this.#human = leg;
      leg.onEvent((event) => this.#onLegEvent(event));
    } catch (error) {
      this.#options.log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'the person could not be called',
      );
      this.#humanEnded();
    }
  }

  #onLegEvent(event: LegEvent): void {
    const { shards } = this.#options;
    const callId = this.#humanCallId;
    switch (event.type) {
      case 'dialog-stored':
        this.#options.storeDialog(event.dialog).catch(() => undefined);
        return;
      case 'answered':
        // It crossed our CANCEL: the person is hung up on, and hears nothing.
        if (this.#state !== 'ringing') return;
        this.#state = 'announcing';
        shards.send({ type: 'connect', callId, audio: event.audio });
        return shards.send({ type: 'answered', callId });
      case 'audio-changed':
        return shards.send({ type: 'connect', callId, audio: event.audio });
      case 'ended':
        return this.#humanEnded();
      case 'ringing':
      case 'digit':
      case 'refer-progress':
        return;
    }
  }

  #humanEnded(): void {
    if (this.#state === 'done') return;
    const wasBridged = this.#state === 'bridged';
    const { shards, callId } = this.#options;
    if (wasBridged) shards.send({ type: 'unbridge', callId });
    shards.send({ type: 'close', callId: this.#humanCallId });
    this.#state = 'done';
    this.#human?.hangUp();
    if (wasBridged) this.#options.onHumanGone();
    else this.#options.onOutcome('failed');
  }

  #finish(result: 'referred'): void {
    this.#disarm();
    this.#state = 'done';
    this.#options.onOutcome(result);
  }

  #arm(delayMs: number, then: () => void): void {
    this.#timer = setTimeout(then, delayMs);
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
