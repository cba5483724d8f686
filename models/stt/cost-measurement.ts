// Lets a recogniser hear one sentence as on a call, to learn what it costs on this machine.
import { readFileSync } from 'node:fs';
import { decodeG711 } from '../../media/g711.ts';
import { factorOf, letOthersGo, type MeasurementClocks } from '../workers/cost-measurement.ts';
import type { SttEngine, SttVocabulary } from './stt.ts';

const RATE_HZ = 8_000;
const DEADLINE_MS = 20_000;
/** As a business of usual size has it: the cost of a grammar grows with its words. */
const VOCABULARY: Omit<SttVocabulary, 'language'> = {
  businessName: 'Willow Hair Studio',
  services: ['Haircut', 'Colour', 'Blow dry', 'Beard trim', 'Consultation'],
  questions: ['Where are you located?', 'Do you have parking?', 'Do you sell gift cards?'],
  phrases: [],
};

/**
 * "Hello, what are your opening hours on Saturday?", said by flite's `slt`, with 300 ms of silence around it: a file,
 * so that a recogniser's thread need not load a voice.
 */
export function measuredSentence(): Int16Array {
  const codes = readFileSync(new URL('./measured-sentence.ulaw', import.meta.url));
  const samples = new Int16Array(codes.length);
  decodeG711('pcmu', codes, 0, codes.length, samples);
  return samples;
}

/**
 * Seconds of one core per second of speech; null when the trial was disturbed, or another engine stood in.
 * @throws the engine's own error
 */
export async function sttFactor(
  engine: SttEngine,
  isDisturbed: () => boolean,
  clocks?: MeasurementClocks,
): Promise<number | null> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(DEADLINE_MS)]);
  let isReplaced = false;
  const stream = await engine.openStream({
    callId: 'cost-measurement',
    sampleRateHz: RATE_HZ,
    vocabulary: { language: engine.languages?.[0] ?? 'en', ...VOCABULARY },
    signal,
    onFallback: () => {
      isReplaced = true;
    },
  });
  try {
    const samples = measuredSentence();
    const block = (RATE_HZ * engine.blockMs) / 1_000;
    return await factorOf(async () => {
      let report: (isHeard: boolean) => void = () => {};
      const heard = new Promise<boolean>((resolve) => {
        report = resolve;
      });
      signal.addEventListener('abort', () => report(false), { once: true });
      const utterance = stream.begin({
        expects: 'anything',
        signal,
        onEvent: ({ type }) => {
          if (type === 'final' || type === 'lost') report(type === 'final');
        },
      });
      const decode = async (): Promise<void> => {
        do await letOthersGo();
        while (engine.step?.() && !isDisturbed());
      };
      for (let at = 0; at < samples.length; at += block) {
        if (isDisturbed()) return null;
        utterance.write(samples.slice(at, at + block));
        await decode();
      }
      utterance.finish();
      await decode();
      const isHeard = !isDisturbed() && (await heard);
      return isHeard && !isReplaced && !isDisturbed() ? (samples.length * 1_000) / RATE_HZ : null;
    }, clocks);
  } finally {
    end.abort();
    stream.close();
  }
}
