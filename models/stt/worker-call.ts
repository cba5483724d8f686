// One call as the recogniser's worker hosts it: its stream, those that it has replaced, and its utterances.
import type { MessagePort } from 'node:worker_threads';
import type { Expectation, SttRequest, SttStream, SttUtterance } from './stt.ts';
import type { KeptAudio } from './vendor/kept-audio.ts';

export interface WorkerUtterance {
  number: number;
  abort: AbortController;
  expects: Expectation;
  /** Null until the engine has begun it. */
  sink: SttUtterance | null;
  /** Which hears it. */
  stream: SttStream;
  /** All of its audio; null where no other stream can take it. */
  kept: KeptAudio | null;
  isFinished: boolean;
  deadline: NodeJS.Timeout | null;
}

export interface WorkerCall {
  port: MessagePort;
  callId: string;
  sampleRateHz: number;
  keepsAudio: boolean;
  abort: AbortController;
  /** Null while it is being opened. */
  stream: SttStream | null;
  /** Requests that arrived before the stream was open. */
  early: SttRequest[];
  earlySamples: number;
  utterances: Map<number, WorkerUtterance>;
  /** Replaced streams whose results are on their way. */
  former: Set<SttStream>;
  /** The newest change of its language; 0: there was none. */
  change: number;
}

/** Replaced streams end with their last result. */
export function closeUnused({ former, utterances }: WorkerCall): void {
  const used = new Set([...utterances.values()].map(({ stream }) => stream));
  for (const stream of [...former]) {
    if (used.has(stream)) continue;
    former.delete(stream);
    stream.close();
  }
}
