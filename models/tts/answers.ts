// The answers of a voice's worker, as they go over the ports of the calls that wait for speech.
import type { MessagePort } from 'node:worker_threads';
import type { TtsErrorCode, TtsReply } from './tts.ts';

/** Cached audio is sent in blocks of this length: a clause is one message, a very long text can still be stopped. */
const CACHED_BLOCK_MS = 30_000;

/** One request that waits for speech. */
export interface Listener {
  port: MessagePort;
  id: number;
}

/** Audio that was there already, from its beginning to its end. */
export function sendWhole(listener: Listener, samples: Int16Array, sampleRateHz: number, isKept: boolean): void {
  const block = Math.round((sampleRateHz * CACHED_BLOCK_MS) / 1_000);
  let at = 0;
  // Runs once even for a text without a sound.
  do {
    sendAudio(listener, samples.slice(at, at + block), at + block >= samples.length, isKept);
    at += block;
  } while (at < samples.length);
}

/** The samples' buffer is transferred. */
export function sendAudio({ port, id }: Listener, samples: Int16Array, last: boolean, isKept = false): void {
  const { buffer } = samples;
  port.postMessage(
    { type: 'audio', id, samples, last, ...(isKept ? { isKept } : {}) } satisfies TtsReply,
    buffer instanceof ArrayBuffer && samples.byteLength === buffer.byteLength ? [buffer] : [],
  );
}

export function fail({ port, id }: Listener, code: TtsErrorCode, message: string): void {
  reply(port, { type: 'failed', id, code, message });
}

export function reply(port: MessagePort, message: TtsReply): void {
  port.postMessage(message);
}
