// Renders a voice's sample sentence at the API's request, as a WAV file.
import { rename, writeFile } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { joinSamples } from '../../../media/frame.ts';
import { encodeWav } from '../../../media/wav.ts';
import type { TtsReply, TtsRequest } from '../../../models/tts/tts.ts';
import type { Clock } from '../../clock.ts';

const SENTENCE = 'Hello, thank you for calling. How can I help you today?';
const SAMPLE_RATE_HZ = 16_000;
const DEADLINE_MS = 10_000;

/** Writes `path` whole or not at all. */
export async function writePreview(path: string, wav: Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, wav);
  await rename(`${path}.part`, path);
}

/** A WAV file. @throws Error when the voice cannot be rendered */
export async function renderPreview(voiceId: string, port: MessagePort, clock: Clock): Promise<Buffer> {
  try {
    const pieces = await speak(port, voiceId, clock);
    return Buffer.from(encodeWav({ channels: 1, sampleRateHz: SAMPLE_RATE_HZ }, joinSamples(pieces)));
  } finally {
    port.close();
  }
}

function speak(port: MessagePort, voiceId: string, clock: Clock): Promise<Int16Array[]> {
  return new Promise((resolve, reject) => {
    const pieces: Int16Array[] = [];
    const cancelLimit = clock.after(DEADLINE_MS, () => reject(new Error('the voice did not answer in time')));
    port.on('message', (reply: TtsReply) => {
      if (reply.type === 'audio') {
        pieces.push(reply.samples);
        if (!reply.last) return;
        cancelLimit();
        resolve(pieces);
      } else if (reply.type === 'failed') {
        cancelLimit();
        reject(new Error(reply.message));
      }
    });
    port.postMessage({
      type: 'speak',
      id: 1,
      text: SENTENCE,
      voiceId,
      speed: 1,
      sampleRateHz: SAMPLE_RATE_HZ,
    } satisfies TtsRequest);
  });
}
