// One call of a shard, as the models' ports see it.
import type { ClauseKey } from '../../../media/playout.ts';
import type { SttResult, SttVocabulary } from '../../../models/stt/stt.ts';
import type { SpokenWord } from '../../../models/tts/tts.ts';
import type { SpeechUses } from '../protocol.ts';

/** One call as a receiver of the models' answers. */
export interface ModelClient {
  readonly callId: string;
  /** Counted here as it is asked for. */
  readonly uses: SpeechUses;
  /** Settings for opening the recogniser, at first and after its worker was lost. */
  readonly hearing: { sampleRateHz: number; vocabulary: SttVocabulary; keepsAudio?: boolean };
  vadWindow(probability: number, endSample: number): void;
  /** A ring for a new VAD worker, which counts samples from zero. */
  renewVad(): SharedArrayBuffer;
  /** End times of further words of a clause in its audio. */
  speechWords(clause: ClauseKey, words: readonly SpokenWord[]): void;
  /** The recogniser itself reports that the caller's turn is over. */
  turnEnded(utterance: number): void;
  /** `asked`: it answers this request for the words so far. */
  sttPartial(utterance: number, text: string, asked?: number): void;
  sttFinal(utterance: number, result: SttResult): void;
  /** `utterance` is null if the worker was lost together with the open utterance. */
  sttFailed(utterance: number | null, message: string): void;
  /** Whether the recogniser hears another language now; `message`: why not. */
  hearingChanged(change: number, message: string | null): void;
  /** An engine other than the chosen one listens or speaks. */
  modelFallback(model: 'stt' | 'tts', change: ModelChange): void;
  /** The turn-end model's judgement of that pause; null if it failed. */
  turnEndJudged(pause: number, likelihood: number | null): void;
  speech(clause: ClauseKey, samples: Int16Array, last: boolean): void;
  speechFailed(clause: ClauseKey, message: string): void;
  modelFailed(model: 'vad' | 'stt' | 'tts', message: string): void;
}

export interface ModelChange {
  from: string;
  to: string;
  message: string;
}

/** Runs `action` so that an exception ends only that call. */
export type Guard = (client: Pick<ModelClient, 'callId'>, action: () => void) => void;
