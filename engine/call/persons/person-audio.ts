// The audio of a person to whom a caller may be handed: a call of its own in the caller's shard, on which we say what
// is asked for, hear the person, and look out for an answering machine. With an announcement, that is all that our
// side says, and nothing that they say is waited for.
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { CODEC_RATES } from '../../../media/rtp/voice-codec.ts';
import { clausesOf } from '../../dialogue/clause-splitter.ts';
import type { OpenCall, ResumedCall, ShardEvent } from '../../shard/protocol.ts';
import type { Shards } from '../../shard/shards.ts';
import type { LocalAudio, NegotiatedAudio, Telephony } from '../../sip/telephony.ts';
import type { PersonContinuation, TakenTransfer } from '../going-on/transfer-continuation.ts';
import { type AudioEntrance, audioEntrance } from './audio-entrance.ts';
import type { LineOpening } from './line-opening.ts';

const EXPECTED_RATE_HZ = 8_000;

export interface PersonAudioOptions {
  /** The caller's call. */
  callId: string;
  /** Of this line in the shard. */
  audioId: string;
  telephony: Pick<Telephony, 'usesForks'>;
  shards: Shards;
  open: LineOpening;
  /** Spoken as soon as they answer, whatever they say; null: what is said is asked for. */
  announcement: string | null;
  onOpened(audio: LocalAudio): void;
  onFailed(): void;
  onVerdict(verdict: Extract<ShardEvent, { type: 'amd' }>['verdict']): void;
  onSaid(text: string, understood: boolean, startedAtMs: number): void;
  onKey(digit: string): void;
  /** `text`: our words, as far as they were heard. `isLast`: nothing else is to be said. */
  onHeard(text: string, startedAtMs: number, isLast: boolean): void;
  /** The peer takes no telephone events. */
  onDigitsRefused(): void;
  /** It goes on in this process, and the person sends nothing. */
  onSilent(): void;
}

export class PersonAudio {
  readonly #options: PersonAudioOptions;
  readonly #entrance: AudioEntrance;
  #port = 0;
  #lastEpoch = 0;
  #beganAtMs: number | null = null;
  /** Sentences that were asked for and are not yet being said. */
  #waiting = 0;
  /** The reply that says what was last asked for. */
  #saying: number | null = null;

  constructor(options: PersonAudioOptions) {
    this.#options = options;
    const { telephony, audioId } = options;
    this.#entrance = audioEntrance(telephony, { callId: audioId, sampleRateHz: EXPECTED_RATE_HZ });
  }

  get state(): Pick<PersonContinuation, 'port' | 'lastEpoch' | 'beganAtMs' | 'audioId'> {
    const { audioId } = this.#options;
    return { port: this.#port, lastEpoch: this.#lastEpoch, beganAtMs: this.#beganAtMs, audioId };
  }

  open(change: Partial<OpenCall> = {}): void {
    const { shards, open, callId, audioId } = this.#options;
    const command: OpenCall = {
      type: 'open',
      callId: audioId,
      sampleRateHz: EXPECTED_RATE_HZ,
      transport: this.#entrance.transport,
      ...open,
      recordingPath: null,
      ...change,
    };
    shards.open(command, (event) => this.#onEvent(event), callId);
  }

  /**
   * Goes on with the audio of another process, on the same port. `isBridged`: the person is with the caller, and
   * `hears`: both are listened to; otherwise nothing was said to them yet, or not to its end, and it is said from its
   * beginning.
   */
  goOn(
    person: PersonContinuation,
    pulse: TakenTransfer['pulse'],
    { isBridged, hears }: { isBridged: boolean; hears: boolean },
  ): void {
    this.#port = person.port;
    const audio = person.leg?.audio ?? null;
    if (isBridged) {
      this.#lastEpoch = person.lastEpoch;
      this.#beganAtMs = person.beganAtMs;
    }
    this.open(reopening(person, pulse, { answeredAtMs: this.#beganAtMs, lastEpoch: this.#lastEpoch }));
    if (audio === null) return;
    this.connect(audio);
    this.begin();
    if (isBridged) this.bridge(hears);
  }

  connect(audio: NegotiatedAudio): void {
    this.#options.shards.send({ type: 'connect', callId: this.#options.audioId, audio });
  }

  /** They hear us from now on. */
  begin(): void {
    this.#beganAtMs ??= sharedClockMs();
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
    const { onSaid, onKey, onOpened, onFailed, onDigitsRefused, onVerdict, onSilent } = this.#options;
    switch (event.type) {
      case 'opened':
        this.#port = event.port;
        return onOpened(this.#entrance.at(event.address, event.port));
      case 'open-failed':
      case 'call-failed':
        return onFailed();
      case 'reply-wanted':
        this.#lastEpoch = Math.max(this.#lastEpoch, event.epoch);
        if (event.committed) this.#answer(event.epoch, event.cause);
        return;
      case 'reply-committed':
        return this.#answer(event.epoch, event.cause);
      case 'reply-heard':
        return this.#heard(event);
      case 'caller-unanswered':
        return onSaid(event.text, event.understood, event.startedAtMs);
      case 'caller-digits':
        for (const digit of event.digits) onKey(digit);
        return;
      case 'digits-sent':
        if (!event.ok) onDigitsRefused();
        return;
      case 'amd':
        return onVerdict(event.verdict);
      case 'peer-silent':
        return onSilent();
      default:
        // Other events on this line change nothing: whoever mutes their telephone may send nothing, and is there.
        return;
    }
  }

  #heard({ epoch, text, startedAtMs }: Extract<ShardEvent, { type: 'reply-heard' }>): void {
    const { announcement, onHeard } = this.#options;
    if (announcement !== null) return onHeard('', startedAtMs, true);
    const words = text.trim();
    const isLast = epoch === this.#saying && this.#waiting === 0;
    if (epoch === this.#saying) this.#saying = null;
    if (isLast || words !== '') onHeard(words, startedAtMs, isLast);
  }

  /** Only what is asked for is said: a turn of theirs is told, and what follows from it is asked for. */
  #answer(epoch: number, cause: Extract<ShardEvent, { type: 'reply-wanted' }>['cause']): void {
    const { shards, audioId: callId, announcement, onSaid } = this.#options;
    if (cause.kind === 'opening' && announcement !== null)
      shards.send({ type: 'speak', callId, epoch, index: 0, text: announcement, interruptible: false });
    if (cause.kind === 'requested' && cause.request.kind === 'say') {
      this.#saying = epoch;
      this.#waiting = Math.max(0, this.#waiting - 1);
      for (const [index, text] of clausesOf(cause.request.text).entries())
        shards.send({ type: 'speak', callId, epoch, index, text, interruptible: true });
    }
    shards.send({ type: 'reply-complete', callId, epoch });
    if (cause.kind === 'turn') onSaid(cause.text, cause.understood, cause.startedAtMs);
  }
}

function reopening(
  { leg, port }: PersonContinuation,
  pulse: TakenTransfer['pulse'],
  position: Pick<ResumedCall, 'answeredAtMs' | 'lastEpoch'>,
): Pick<OpenCall, 'resume' | 'amd'> & Partial<Pick<OpenCall, 'sampleRateHz'>> {
  const { hasHeard = false, stream = null, atMs = 0 } = pulse ?? {};
  return {
    ...(leg === null ? {} : { sampleRateHz: CODEC_RATES[leg.audio.codec].sampleRateHz }),
    amd: null,
    resume: { ...position, port, hasHeard, ...(stream === null ? {} : { sent: { stream, atMs } }) },
  };
}

/**
 * Binds a port for a person of another machine, before they are asked to send their audio there. `PersonAudio.goOn`
 * goes on with it. @throws if there is none
 */
export function openPersonAudio(
  options: Pick<PersonAudioOptions, 'callId' | 'audioId' | 'telephony' | 'shards' | 'open'>,
  person: PersonContinuation,
): Promise<LocalAudio & { close(): void }> {
  const nothing = (): void => undefined;
  return new Promise((resolve, reject) => {
    const audio = new PersonAudio({
      ...options,
      // It was heard on the other machine.
      announcement: null,
      onOpened: (at) => resolve({ ...at, close: () => audio.close() }),
      onFailed: () => reject(new Error('there is no port for the person')),
      onVerdict: nothing,
      onSaid: nothing,
      onKey: nothing,
      onHeard: nothing,
      onDigitsRefused: nothing,
      onSilent: nothing,
    });
    const { beganAtMs: answeredAtMs, lastEpoch } = person;
    audio.open(reopening({ ...person, port: 0 }, null, { answeredAtMs, lastEpoch }));
  });
}
