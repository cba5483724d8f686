// The uses of a call that somebody may charge for: requests to models, minutes of trunks. An engine writes them down in
// quantities; their prices are an ADMIN's (prices.ts).

/** Of calls, in the order in which they are shown. */
export const USE_KINDS = ['llm', 'speech_to_speech', 'stt', 'tts', 'trunk'] as const;
export type UseKind = (typeof USE_KINDS)[number];

/** `call`: while it went on, or in a conversation in writing; the others are work after a call. */
export const USE_PURPOSES = ['call', 'transfer', 'summary', 'results', 'rerun'] as const;
export type UsePurpose = (typeof USE_PURPOSES)[number];

interface AnyUse {
  purpose: UsePurpose;
  /** A part of it is not told by anybody, and reckoned. */
  isEstimated?: true;
}

/** Of an engine; whole numbers, and 0 where it is nothing. */
interface ModelUse extends AnyUse {
  kind: Exclude<UseKind, 'trunk'>;
  engine: string;
  model: string | null;
  /** It runs on a machine of the installation. */
  isOwn?: true;
  requests: number;
  /** Sound that a recogniser was sent, or that a voice made, or the time of a session. */
  ms: number;
  /** Of texts for a voice. */
  characters: number;
  /** All of a prompt, the cached part among them. */
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

/** A leg that was answered. */
interface TrunkUse extends AnyUse {
  kind: 'trunk';
  trunkId: string | null;
  direction: 'inbound' | 'outbound';
  /** That was called, E.164; not kept once it is priced. */
  number: string;
  ms: number;
}

export type Use = ModelUse | TrunkUse;
export type { ModelUse, TrunkUse };

const NO_QUANTITIES = { requests: 0, ms: 0, characters: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

export const modelUse = (
  of: Pick<ModelUse, 'kind' | 'engine' | 'model' | 'purpose'> & Partial<ModelUse>,
): ModelUse => ({ ...NO_QUANTITIES, ...of });

/** Nobody is asked for 0 s of sound. */
export const isUsed = (use: Use): boolean =>
  use.kind === 'trunk' ? use.ms > 0 : use.requests + use.ms + use.characters + use.inputTokens + use.outputTokens > 0;

/** Of most languages' words, roughly; where a server tells no tokens. */
const CHARACTERS_A_TOKEN = 4;
export const estimatedTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);

/** An engine as a bill names it. */
export interface BilledEngine {
  engine: string;
  /** Null: its server has one, or it is our own. */
  model: string | null;
  /** It runs on a machine of the installation. */
  isOwn: boolean;
}

export interface BilledEngines {
  stt: BilledEngine;
  tts: BilledEngine;
  /** Null: no such model is configured. */
  speechToSpeech: BilledEngine | null;
}
