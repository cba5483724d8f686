// The audio of a person who is asked to take a caller: a call of its own in the caller's shard, on which we say what
// is asked for, hear the person, and look out for an answering machine.
import { clausesOf } from '../../dialogue/clause-splitter.ts';
import type { OpenCall, ShardEvent } from '../../shard/protocol.ts';
import type { Shards } from '../../shard/shards.ts';
import type { LocalAudio, NegotiatedAudio, Telephony } from '../../sip/telephony.ts';
import { type AudioEntrance, audioEntrance } from './audio-entrance.ts';

const EXPECTED_RATE_HZ = 8_000;

export interface LineAudioOptions {
  /** The caller's call. */
  callId: string;
  /** Of this line in the shard. */
  audioId: string;
  telephony: Pick<Telephony, 'usesForks'>;
  shards: Shards;
  open: Pick<OpenCall, 'turn' | 'voice' | 'vocabulary' | 'sttBlockMs' | 'denoise' | 'amd'>;
  onOpened(audio: LocalAudio): void;
  onFailed(): void;
  onVerdict(verdict: Extract<ShardEvent, { type: 'amd' }>['verdict']): void;
  onSaid(text: string, understood: boolean, startedAtMs: number): void;
  onKey(digit: string): void;
  /** What we said, as far as it was heard. `isLast`: nothing else is to be said. */
  onHeard(text: string, startedAtMs: number, isLast: boolean): void;
  /** The peer takes no telephone events. */
  onDigitsRefused(): void;
}

export class LineAudio {
  readonly #options: LineAudioOptions;
  readonly #entrance: AudioEntrance;
  #port = 0;
  #lastEpoch = 0;
  /** What was asked for and is not yet being said. */
  #waiting = 0;
  /** The reply that says what was last asked for. */
  #saying: number | null = null;

  constructor(options: LineAudioOptions) {
    this.#options = options;
    const { telephony, audioId } = options;
    this.#entrance = audioEntrance(telephony, { callId: audioId, sampleRateHz: EXPECTED_RATE_HZ });
  }

  get state(): { port: number; lastEpoch: number } {
    return { port: this.#port, lastEpoch: this.#lastEpoch };
  }

  open(): void {
    const { shards, open, callId, audioId } = this.#options;
    const command: OpenCall = {
      type: 'open',
      callId: audioId,
      sampleRateHz: EXPECTED_RATE_HZ,
      transport: this.#entrance.transport,
      ...open,
      recordingPath: null,
    };
    shards.open(command, (event) => this.#onEvent(event), callId);
  }

  connect(audio: NegotiatedAudio): void {
    this.#options.shards.send({ type: 'connect', callId: this.#options.audioId, audio });
  }

  begin(): void {
    this.#options.shards.send({ type: 'answered', callId: this.#options.audioId });
  }

  /** After what either side is saying. */
  say(text: string): void {
    const { shards, audioId: callId } = this.#options;
    this.#waiting++;
    shards.send({ type: 'request-reply', callId, request: { kind: 'say', text } });
  }

  sendDigits(digits: string): void {
    this.#options.shards.send({ type: 'send-digits', callId: this.#options.audioId, digits });
  }

  /** By SIP INFO. */
  digit(digit: string): void {
    this.#options.shards.send({ type: 'digit', callId: this.#options.audioId, digit });
  }

  /** `hears`: what both say is recognised all the same. */
  bridge(hears: boolean): void {
    const { shards, callId, audioId } = this.#options;
    shards.send({ type: 'bridge', callId, otherCallId: audioId, ...(hears ? { hears } : {}) });
    if (hears) shards.send({ type: 'silence', callId: audioId });
  }

  unbridge(): void {
    this.#options.shards.send({ type: 'unbridge', callId: this.#options.callId });
  }

  close(): void {
    this.#options.shards.send({ type: 'close', callId: this.#options.audioId });
  }

  #onEvent(event: ShardEvent): void {
    const { onSaid, onKey } = this.#options;
    switch (event.type) {
      case 'opened':
        this.#port = event.port;
        return this.#options.onOpened(this.#entrance.at(event.address, event.port));
      case 'open-failed':
      case 'call-failed':
        return this.#options.onFailed();
      case 'reply-wanted':
        this.#lastEpoch = Math.max(this.#lastEpoch, event.epoch);
        if (event.committed) this.#answer(event.epoch, event.cause);
        return;
      case 'reply-committed':
        return this.#answer(event.epoch, event.cause);
      case 'reply-heard': {
        const text = event.text.trim();
        const isLast = event.epoch === this.#saying && this.#waiting === 0;
        if (event.epoch === this.#saying) this.#saying = null;
        if (isLast || text !== '') this.#options.onHeard(text, event.startedAtMs, isLast);
        return;
      }
      case 'caller-unanswered':
        return onSaid(event.text, event.understood, event.startedAtMs);
      case 'caller-digits':
        for (const digit of event.digits) onKey(digit);
        return;
      case 'digits-sent':
        if (!event.ok) this.#options.onDigitsRefused();
        return;
      case 'amd':
        return this.#options.onVerdict(event.verdict);
      default:
        // Other events on this line change nothing: whoever mutes their telephone may send nothing, and is there.
        return;
    }
  }

  /** Only what is asked for is said: a turn of theirs is told, and what follows from it is asked for. */
  #answer(epoch: number, cause: Extract<ShardEvent, { type: 'reply-wanted' }>['cause']): void {
    const { shards, audioId: callId } = this.#options;
    if (cause.kind === 'requested' && cause.request.kind === 'say') {
      this.#saying = epoch;
      this.#waiting = Math.max(0, this.#waiting - 1);
      for (const [index, text] of clausesOf(cause.request.text).entries())
        shards.send({ type: 'speak', callId, epoch, index, text, interruptible: true });
    }
    shards.send({ type: 'reply-complete', callId, epoch });
    if (cause.kind === 'turn') this.#options.onSaid(cause.text, cause.understood, cause.startedAtMs);
  }
}
