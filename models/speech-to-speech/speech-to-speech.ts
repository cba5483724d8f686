// The port of a speech-to-speech model: one session a call, over which the caller's audio goes up and the agent's own
// voice comes down. The floor is not its business: it hears utterances as our turn machine finds them, answers
// when it is asked to, and is told what the caller heard of its answer.
//
// A reply is known by its epoch, and within it by its round: after a tool's result the model goes on in the next round.
import type { LlmErrorCode, ToolDefinition } from '../llm/llm.ts';

/** A fact that the model needs before its next answer, and did not hear or say itself. */
export type SpeechItem =
  /** A fact of the call, or an instruction. */
  | { kind: 'note'; text: string }
  /** Words of the caller that another session has heard. */
  | { kind: 'caller'; text: string }
  /** Words of the agent that another voice has spoken: the greeting, "One moment". */
  | { kind: 'agent'; text: string }
  | { kind: 'tool-result'; id: string; name: string; result: unknown };

export interface SpeechSetup {
  instructions: string;
  tools: readonly ToolDefinition[];
  /** BCP 47. */
  language: string;
  temperature: number | null;
  /** The agent's own model and voice, by the vendor's names; null: as configured. */
  model: string | null;
  voice: string | null;
}

/** BCP 47, and a voice by the vendor's name; null: as configured. */
export type SpeechLanguage = Pick<SpeechSetup, 'language' | 'voice'>;

export interface AskedReply {
  epoch: number;
  round: number;
  items: readonly SpeechItem[];
}

/** How much of a reply was heard: of its words, and of the model's audio in each round. */
export interface HeardReply {
  epoch: number;
  text: string;
  /** Rounds with audio only. */
  rounds: ReadonlyArray<{ round: number; ms: number }>;
  /** To its end. */
  isWhole: boolean;
}

/** Of a reply, but for its audio. Of a reply that was stopped or cut only its usage is still told. */
export type ReplyEvent =
  /** The first of its audio has come. */
  | { type: 'sounds'; epoch: number; round: number }
  /** Further words of the agent, with their spaces; they may come before or after their audio. */
  | { type: 'words'; epoch: number; round: number; text: string }
  | { type: 'tool-call'; epoch: number; round: number; id: string; name: string; arguments: Record<string, unknown> }
  /** It may come after `done`. */
  | { type: 'usage'; epoch: number; round: number; inputTokens: number; outputTokens: number; cachedTokens: number }
  /** The round is whole. */
  | { type: 'done'; epoch: number; round: number };

export type SpeechEvent =
  | ReplyEvent
  /** The session stands. */
  | { type: 'opened' }
  /** The caller's words, as the model understood them, that reply `epoch` answers: all of them so far. */
  | { type: 'caller-said'; epoch: number; text: string }
  /** The session is over, or was never opened: nothing more comes of it. The message may be logged. */
  | { type: 'lost'; code: LlmErrorCode; message: string };

export interface SpeechSessionOptions {
  callId: string;
  /** Of the caller's audio, and of the model's as it is given to `onAudio`. */
  sampleRateHz: 8_000 | 16_000;
  setup: SpeechSetup;
  onEvent(event: SpeechEvent): void;
  /** PCM16 mono, any length; faster than it is spoken. The receiver owns the array. */
  onAudio(epoch: number, round: number, samples: Int16Array): void;
}

/** None of its operations throws or blocks; after `lost` they do nothing. */
export interface SpeechSession {
  begin(utterance: number): void;
  audio(utterance: number, samples: Int16Array): void;
  finish(utterance: number): void;
  /** It was no speech after all. */
  cancel(utterance: number): void;
  /** Asks for an answer to all that was heard and to the items. */
  respond(reply: AskedReply): void;
  /** Nothing more is wanted of it. */
  stop(epoch: number): void;
  /** The call goes on in another language. A setting that the vendor cannot change any more stays as it was. */
  speakIn?(language: SpeechLanguage): void;
  /** The reply is over for the caller, who heard this of it. */
  heard(reply: HeardReply): void;
  close(): void;
}

export interface SpeechToSpeechEngine {
  readonly name: string;
  /** Connects; never fails, but by the event `lost`. */
  open(options: SpeechSessionOptions): SpeechSession;
  close(): Promise<void>;
}

/** The default export of an engine's module. @throws when a setting is missing or wrong */
export type SpeechToSpeechFactory = (environment: Record<string, string | undefined>) => Promise<SpeechToSpeechEngine>;

/** Control thread → shard → worker. */
export type SpeechAsk = ({ type: 'respond' } & AskedReply) | { type: 'stop'; epoch: number };

/** Shard → worker. */
export type SpeechRequest =
  | { type: 'open'; callId: string; sampleRateHz: 8_000 | 16_000; setup: SpeechSetup }
  | { type: 'begin' | 'finish' | 'cancel'; callId: string; utterance: number }
  | { type: 'audio'; callId: string; utterance: number; samples: Int16Array }
  | { type: 'ask'; callId: string; ask: SpeechAsk }
  | ({ type: 'heard'; callId: string } & HeardReply)
  | ({ type: 'speak-in'; callId: string } & SpeechLanguage)
  | { type: 'close'; callId: string }
  | { type: 'stop' };

/** Worker → shard. */
export type SpeechReply =
  | { type: 'ready' }
  | { type: 'event'; callId: string; event: SpeechEvent }
  | { type: 'audio'; callId: string; epoch: number; round: number; samples: Int16Array };
