// One sentence that a speech-to-speech model hears and answers, in a test of its settings.
import type { MessagePort } from 'node:worker_threads';
import type { TrialOutcome } from '../../../db/domain/model-trial.ts';
import { joinSamples } from '../../../media/frame.ts';
import type { SpeechReply, SpeechRequest, SpeechSetup } from '../../../models/speech-to-speech/speech-to-speech.ts';
import type { Clock } from '../../clock.ts';
import { inBlocks, SAMPLE_RATE_HZ, within } from './speech.ts';

/** More of an answer tells nothing new. */
const MAX_CHARS = 300;
/** As the ear of a call gives them. */
const BLOCK_MS = 60;
const CALL_ID = 'model-test';

/** A business that says little: the test is about the server. */
const SETUP: SpeechSetup = {
  instructions: 'You answer the telephone of a shop that is open from nine to five. Answer in one short sentence.',
  tools: [],
  language: 'en-US',
  temperature: null,
  model: null,
  voice: null,
};

/**
 * `firstMs`: from the end of the sentence to the first audio. The session stands before, as on a call, which opens it
 * while the telephone rings. @throws Error with the engine's own words
 */
export function answerSentence(
  port: MessagePort,
  engine: string,
  sentence: Int16Array,
  clock: Clock,
): Promise<TrialOutcome> {
  const send = (request: SpeechRequest): void => port.postMessage(request);
  return within(clock, 'it gave no answer', (resolve, reject) => {
    const pieces: Int16Array[] = [];
    let text = '';
    let firstMs: number | null = null;
    let askedMs = 0;
    const elapsedMs = (): number => Math.round(clock.monotonicMs() - askedMs);
    port.on('message', (reply: SpeechReply) => {
      if (reply.type === 'audio') {
        firstMs ??= elapsedMs();
        pieces.push(reply.samples);
      }
      if (reply.type !== 'event') return;
      const { event } = reply;
      if (event.type === 'opened') speak();
      if (event.type === 'words') text += event.text;
      if (event.type === 'lost') reject(new Error(event.message));
      if (event.type !== 'done') return;
      const audioBytes = joinSamples(pieces).byteLength;
      if (audioBytes === 0) return reject(new Error('it sent no audio'));
      const words = text.trim().slice(0, MAX_CHARS) || null;
      resolve({ engine, error: null, firstMs, totalMs: elapsedMs(), text: words, audioBytes });
    });
    const speak = (): void => {
      const of = { callId: CALL_ID, utterance: 1 };
      send({ type: 'begin', ...of });
      for (const samples of inBlocks(sentence, BLOCK_MS)) send({ type: 'audio', ...of, samples });
      send({ type: 'finish', ...of });
      askedMs = clock.monotonicMs();
      send({ type: 'ask', callId: CALL_ID, ask: { type: 'respond', epoch: 1, round: 0, items: [] } });
    };
    send({ type: 'open', callId: CALL_ID, sampleRateHz: SAMPLE_RATE_HZ, setup: SETUP });
  });
}
