// A call of this engine to itself, in its media threads: one end speaks, and the other must get its packets. It proves
// that threads, voice and sockets work before anybody's call depends on them, and has their code compiled by then.
import type { CallVoice, OpenCall, ShardEvent } from './shard/protocol.ts';
import type { Shards } from './shard/shards.ts';
import type { NegotiatedAudio } from './sip/telephony.ts';
import type { TurnConfig } from './turn/machine.ts';

const WORDS = 'Hello, can you hear me?';
const LIMIT_MS = 10_000;
/** Less than the words take, by far. */
const PACKETS_MIN = 10;
/** PCMU without anything else (RFC 3551). */
const PCMU = {
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventPayloadType: null,
  comfortNoisePayloadType: null,
  direction: 'sendrecv',
  srtp: null,
} as const;

interface SelfCallOptions {
  shards: Shards;
  voice: CallVoice;
  sttDeadlineMs: number;
  sttBlockMs: number;
  /** Runs an action later; returns what cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** Resolves when the words were spoken and their packets have come. @throws Error what did not happen */
export function callItself(options: SelfCallOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const speaker = new End('self_speaker', options);
    const listener = new End('self_listener', options);
    const ends = [speaker, listener];
    let isOver = false;
    const fail = (message: string): void => {
      isOver = true;
      cancelLimit();
      reject(new Error(`the engine’s call to itself failed: ${message}`));
      for (const end of ends) end.close();
    };
    const cancelLimit = options.after(LIMIT_MS, () => fail(`nothing after ${LIMIT_MS} ms, ${speaker.state}`));
    for (const end of ends) {
      end.open((event) => {
        if (isOver) return;
        if (event.type === 'open-failed' || event.type === 'call-failed') return fail(event.message);
        if (event.type === 'opened' && speaker.at && listener.at) {
          speaker.connect(listener.at);
          listener.connect(speaker.at);
        }
        if (event.type === 'reply-heard' && end === speaker) {
          if (event.text === '') return fail('the voice said nothing');
          for (const each of ends) each.close();
        }
        if (event.type !== 'closed' || !ends.every(({ isClosed }) => isClosed)) return;
        if (listener.packets < PACKETS_MIN) return fail(`${listener.packets} packets arrived`);
        cancelLimit();
        resolve();
      });
    }
  });
}

/** The turns of such a call: the speaker greets at once, the listener says nothing. */
const turnOf = (isSpeaker: boolean, sttDeadlineMs: number): TurnConfig => ({
  language: 'en-US',
  silenceThresholdMs: 600,
  endpointing: 'fixed',
  patience: 1,
  openingDelayMs: isSpeaker ? 0 : 10 * LIMIT_MS,
  backchannels: [],
  groupAcknowledgement: 'none',
  guessing: false,
  interruptionSensitivity: 0,
  idleMs: 10 * LIMIT_MS,
  idlePrompts: 0,
  sttDeadlineMs,
  hearsWords: false,
  knowsPhrases: false,
  replyDeadlineMs: LIMIT_MS,
  speechDeadlineMs: LIMIT_MS,
  maxUtteranceMs: 10 * LIMIT_MS,
});

class End {
  at: { address: string; port: number } | null = null;
  isClosed = false;
  packets = 0;
  state = 'not opened';
  readonly #options: SelfCallOptions;
  readonly #callId: string;

  constructor(callId: string, options: SelfCallOptions) {
    this.#callId = callId;
    this.#options = options;
  }

  open(onEvent: (event: ShardEvent) => void): void {
    const { shards, voice, sttDeadlineMs, sttBlockMs } = this.#options;
    const callId = this.#callId;
    const isSpeaker = callId === 'self_speaker';
    const command: OpenCall = {
      type: 'open',
      callId,
      sampleRateHz: 8_000,
      transport: { kind: 'rtp' },
      turn: turnOf(isSpeaker, sttDeadlineMs),
      voice,
      vocabulary: { language: 'en-US', businessName: '', services: [], questions: [], phrases: [] },
      sttBlockMs,
      recordingPath: null,
      amd: null,
    };
    shards.open(command, (event) => {
      this.state = `${callId} last told ${event.type}`;
      if (event.type === 'opened') this.at = { address: reachable(event.address), port: event.port };
      if (event.type === 'closed') [this.isClosed, this.packets] = [true, event.stats.packetsReceived];
      if (event.type === 'reply-wanted' && isSpeaker) this.#speak(event.epoch);
      onEvent(event);
    });
  }

  connect({ address, port }: { address: string; port: number }): void {
    const { shards } = this.#options;
    const callId = this.#callId;
    const audio: NegotiatedAudio = {
      ...PCMU,
      remoteAddress: address,
      remotePort: port,
      remoteRtcpPort: port + 1,
      sources: [address],
    };
    shards.send({ type: 'connect', callId, audio });
    shards.send({ type: 'answered', callId });
  }

  close(): void {
    this.#options.shards.send({ type: 'close', callId: this.#callId });
  }

  #speak(epoch: number): void {
    const { shards } = this.#options;
    const callId = this.#callId;
    shards.send({ type: 'speak', callId, epoch, index: 0, text: WORDS, interruptible: false });
    shards.send({ type: 'reply-complete', callId, epoch });
  }
}

/** Where packets to a socket of that address can be sent. */
const reachable = (address: string): string =>
  address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
