// The audio of a person to whom a caller is transferred: a call of its own in the caller's shard, on which the
// announcement is all that our side says.
import { sharedClockMs } from '../../../db/shared/shared-clock.ts';
import { CODEC_RATES } from '../../../media/rtp/voice-codec.ts';
import type { OpenCall, ResumedCall, ShardEvent } from '../../shard/protocol.ts';
import type { Shards } from '../../shard/shards.ts';
import type { LocalAudio, NegotiatedAudio, Telephony } from '../../sip/telephony.ts';
import { type PersonContinuation, personIdOf, type TakenTransfer } from '../going-on/transfer-continuation.ts';
import { type AudioEntrance, audioEntrance } from './audio-entrance.ts';

const EXPECTED_RATE_HZ = 8_000;

export interface PersonAudioOptions {
  /** The caller's call. */
  callId: string;
  telephony: Pick<Telephony, 'usesForks'>;
  shards: Shards;
  open: Pick<OpenCall, 'turn' | 'voice' | 'vocabulary'>;
  /** Spoken to the person before the caller is put through. */
  announcement: string;
  onOpened(audio: LocalAudio): void;
  onFailed(): void;
  onAnnounced(): void;
  /** It goes on in this process, and the person sends nothing. */
  onSilent(): void;
}

export class PersonAudio {
  readonly #options: PersonAudioOptions;
  readonly #callId: string;
  readonly #entrance: AudioEntrance;
  #port = 0;
  #lastEpoch = 0;
  #beganAtMs: number | null = null;

  constructor(options: PersonAudioOptions) {
    this.#options = options;
    this.#callId = personIdOf(options.callId);
    const rate = { callId: this.#callId, sampleRateHz: EXPECTED_RATE_HZ } as const;
    this.#entrance = audioEntrance(options.telephony, rate);
  }

  get state(): Pick<PersonContinuation, 'port' | 'lastEpoch' | 'beganAtMs'> {
    return { port: this.#port, lastEpoch: this.#lastEpoch, beganAtMs: this.#beganAtMs };
  }

  open(change: Partial<OpenCall> = {}): void {
    const { shards, open, callId } = this.#options;
    const command: OpenCall = {
      type: 'open',
      callId: this.#callId,
      sampleRateHz: EXPECTED_RATE_HZ,
      transport: this.#entrance.transport,
      ...open,
      recordingPath: null,
      amd: null,
      ...change,
    };
    shards.open(command, (event) => this.#onEvent(event), callId);
  }

  /**
   * Goes on with the audio of another process, on the same port. `isBridged`: the person is with the caller; otherwise
   * nothing was said to them yet, or not to its end, and it is said from its beginning.
   */
  goOn(person: PersonContinuation, pulse: TakenTransfer['pulse'], isBridged: boolean): void {
    this.#port = person.port;
    const audio = person.leg?.audio ?? null;
    if (isBridged) {
      this.#lastEpoch = person.lastEpoch;
      this.#beganAtMs = person.beganAtMs;
    }
    this.open(reopening(person, pulse, { answeredAtMs: this.#beganAtMs, lastEpoch: this.#lastEpoch }));
    if (audio === null) return;
    this.connect(audio);
    this.answered();
    if (isBridged) this.bridge();
  }

  connect(audio: NegotiatedAudio): void {
    this.#options.shards.send({ type: 'connect', callId: this.#callId, audio });
  }

  /** The person hears us from now on: the announcement first. */
  answered(): void {
    this.#beganAtMs ??= sharedClockMs();
    this.#options.shards.send({ type: 'answered', callId: this.#callId });
  }

  bridge(): void {
    const { shards, callId } = this.#options;
    shards.send({ type: 'bridge', callId, otherCallId: this.#callId });
  }

  unbridge(): void {
    const { shards, callId } = this.#options;
    shards.send({ type: 'unbridge', callId });
  }

  close(): void {
    this.#options.shards.send({ type: 'close', callId: this.#callId });
  }

  #onEvent(event: ShardEvent): void {
    const { shards, announcement } = this.#options;
    const callId = this.#callId;
    switch (event.type) {
      case 'opened':
        this.#port = event.port;
        return this.#options.onOpened(this.#entrance.at(event.address, event.port));
      case 'open-failed':
      case 'call-failed':
        return this.#options.onFailed();
      case 'reply-wanted': {
        const { epoch } = event;
        this.#lastEpoch = Math.max(this.#lastEpoch, epoch);
        // The person hears the announcement only; there is no agent on their line.
        if (!event.committed) return;
        if (event.cause.kind === 'opening') {
          shards.send({ type: 'speak', callId, epoch, index: 0, text: announcement, interruptible: false });
        }
        shards.send({ type: 'reply-complete', callId, epoch });
        return;
      }
      case 'reply-heard':
        return this.#options.onAnnounced();
      case 'peer-silent':
        return this.#options.onSilent();
      default:
        // Other events on the person's line do not concern the caller.
        return;
    }
  }
}

function reopening(
  { leg, port }: PersonContinuation,
  pulse: TakenTransfer['pulse'],
  position: Pick<ResumedCall, 'answeredAtMs' | 'lastEpoch'>,
): Pick<OpenCall, 'resume'> & Partial<Pick<OpenCall, 'sampleRateHz'>> {
  const { hasHeard = false, stream = null, atMs = 0 } = pulse ?? {};
  return {
    ...(leg === null ? {} : { sampleRateHz: CODEC_RATES[leg.audio.codec].sampleRateHz }),
    resume: { ...position, port, hasHeard, ...(stream === null ? {} : { sent: { stream, atMs } }) },
  };
}

/**
 * Binds a port for a person of another machine, before they are asked to send their audio there. `PersonAudio.goOn`
 * goes on with it. @throws if there is none
 */
export function openPersonAudio(
  options: Pick<PersonAudioOptions, 'callId' | 'telephony' | 'shards' | 'open' | 'announcement'>,
  person: PersonContinuation,
): Promise<LocalAudio & { close(): void }> {
  return new Promise((resolve, reject) => {
    const audio = new PersonAudio({
      ...options,
      onOpened: (at) => resolve({ ...at, close: () => audio.close() }),
      onFailed: () => reject(new Error('there is no port for the person')),
      onAnnounced: () => undefined,
      onSilent: () => undefined,
    });
    const { beganAtMs: answeredAtMs, lastEpoch } = person;
    audio.open(reopening({ ...person, port: 0 }, null, { answeredAtMs, lastEpoch }));
  });
}
