// One sentence said by a voice, or heard by a recogniser, in a test of its settings.
import type { MessagePort } from 'node:worker_threads';
import type { TrialOutcome } from '../../../db/domain/model-trial.ts';
import { joinSamples } from '../../../media/frame.ts';
import type { SttReply, SttRequest } from '../../../models/stt/stt.ts';
import type { TtsReply, TtsRequest } from '../../../models/tts/tts.ts';
import type { EngineDescription } from '../../../models/workers/worker-task.ts';
import type { Clock } from '../../clock.ts';

export const SENTENCE = 'What are your opening hours?';
/** Of other languages; longer, so that one word more or less does not decide. */
const SENTENCES: Readonly<Record<string, string>> = {
  de: 'Guten Tag, ich möchte gern einen Termin am Dienstag um zehn Uhr.',
  fr: 'Bonjour, je voudrais prendre rendez-vous mardi matin, s’il vous plaît.',
  es: 'Buenos días, quisiera pedir una cita para el martes por la mañana.',
  it: 'Buongiorno, vorrei prendere un appuntamento per martedì mattina.',
  pt: 'Bom dia, eu gostaria de marcar uma consulta para terça de manhã.',
  nl: 'Goedemorgen, ik wil graag een afspraak maken op dinsdag om tien uur.',
};
export const sentenceIn = (language: string): string => SENTENCES[language.slice(0, 2)] ?? SENTENCE;
/** As on the telephone. */
export const SAMPLE_RATE_HZ = 8_000;
const DEADLINE_MS = 10_000;
const SILENCE_MS = 500;

/** @throws Error with the engine's own words when it cannot say it */
export function sayOnPort(
  port: MessagePort,
  engine: string,
  text: string,
  voiceId: string,
  clock: Clock,
): Promise<{ samples: Int16Array; outcome: TrialOutcome }> {
  const startedMs = clock.monotonicMs();
  const elapsedMs = (): number => Math.round(clock.monotonicMs() - startedMs);
  return within(clock, 'it sent no audio', (resolve, reject) => {
    const pieces: Int16Array[] = [];
    let firstMs: number | null = null;
    port.on('message', (reply: TtsReply) => {
      // The built-in engine would speak now; that is not what was asked.
      if (reply.type === 'failed' || reply.type === 'fallback') return reject(new Error(reply.message));
      if (reply.type !== 'audio') return;
      if (reply.samples.length > 0) firstMs ??= elapsedMs();
      pieces.push(reply.samples);
      if (!reply.last) return;
      const samples = joinSamples(pieces);
      const outcome = {
        engine,
        error: null,
        firstMs,
        totalMs: elapsedMs(),
        text: null,
        audioBytes: samples.byteLength,
      };
      if (samples.length === 0) reject(new Error('it sent no audio'));
      else resolve({ samples, outcome });
    });
    const request = { type: 'speak', id: 1, text, voiceId, speed: 1, sampleRateHz: SAMPLE_RATE_HZ } as const;
    port.postMessage(request satisfies TtsRequest);
  });
}

/** @throws Error with the engine's own words when it cannot hear it */
export function hearSentence(
  port: MessagePort,
  engine: string,
  sample: Int16Array,
  { blockMs = 60 }: EngineDescription,
  clock: Clock,
  language = 'en-US',
): Promise<TrialOutcome> {
  const send = (request: SttRequest): void => port.postMessage(request);
  const of = { callId: 'model-test', utterance: 1 };
  return within(clock, 'it gave no text', (resolve, reject) => {
    let finishedMs = clock.monotonicMs();
    port.on('message', (reply: SttReply) => {
      if (reply.type === 'failed' || reply.type === 'fallback') return reject(new Error(reply.message));
      if (reply.type !== 'final') return;
      const { text } = reply.result;
      const ms = Math.round(clock.monotonicMs() - finishedMs);
      if (text.trim() === '') return reject(new Error(`it heard no words in "${sentenceIn(language)}"`));
      resolve({ engine, error: null, firstMs: ms, totalMs: ms, text, audioBytes: null });
    });
    const vocabulary = { language, businessName: 'Test', services: [], questions: [], phrases: [] };
    send({ type: 'open', callId: of.callId, sampleRateHz: SAMPLE_RATE_HZ, vocabulary });
    send({ type: 'begin', ...of, expects: 'anything' });
    for (const samples of inBlocks(sample, blockMs)) send({ type: 'audio', ...of, samples });
    finishedMs = clock.monotonicMs();
    send({ type: 'finish', ...of });
  });
}

/** The sentence with silence around it, cut as a call's ear gives it. */
export function* inBlocks(sentence: Int16Array, blockMs: number): Generator<Int16Array> {
  const silence = new Int16Array((SAMPLE_RATE_HZ * SILENCE_MS) / 1_000);
  const audio = joinSamples([silence, sentence, silence]);
  const block = (SAMPLE_RATE_HZ * blockMs) / 1_000;
  for (let at = 0; at < audio.length; at += block) yield audio.slice(at, at + block);
}

/** @throws Error `otherwise`, when the work takes longer than 10 s */
export function within<T>(
  clock: Clock,
  otherwise: string,
  work: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = (): Error => new Error(`${otherwise} within ${DEADLINE_MS / 1_000} s`);
    const cancel = clock.after(DEADLINE_MS, () => reject(error()));
    work(
      (value) => {
        cancel();
        resolve(value);
      },
      (reason) => {
        cancel();
        reject(reason);
      },
    );
  });
}
