// Tries a local model: loads it, decodes half a second or says two words, exits with 0. Arguments: stt or tts, NAME.

import { messageOf } from '../../db/domain/unexpected.ts';
import type { SttEvent } from '../stt/stt.ts';

const RATE_HZ = 8_000;
const HALF_A_SECOND = RATE_HZ / 2;

const [kind, name = ''] = process.argv.slice(2);
try {
  await (kind === 'tts' ? speak() : listen());
  process.exit(0);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

async function listen(): Promise<void> {
  const engine = await (await import('../stt/sherpa/sherpa.ts')).default(name, process.env);
  const { signal } = new AbortController();
  const stream = await engine.openStream({
    callId: 'trial',
    sampleRateHz: RATE_HZ,
    vocabulary: {
      language: engine.languages?.[0] ?? 'en',
      businessName: '',
      services: [],
      questions: [],
      phrases: [],
    },
    signal,
    onFallback: () => {},
  });
  const ends: SttEvent[] = [];
  const onEvent = (event: SttEvent): void => {
    if (event.type === 'final' || event.type === 'lost') ends.push(event);
  };
  const utterance = stream.begin({ expects: 'anything', signal, onEvent });
  utterance.write(new Int16Array(HALF_A_SECOND));
  utterance.finish();
  while (engine.step?.());
  const [end] = ends;
  if (end?.type !== 'final') throw new Error(end?.type === 'lost' ? end.message : 'it gave no result');
}

async function speak(): Promise<void> {
  const engine = await (await import('../tts/sherpa.ts')).default(name, process.env);
  let samples = 0;
  await engine.speak(
    { text: 'One, two.', voiceId: engine.name, speed: 1, sampleRateHz: RATE_HZ },
    {
      signal: new AbortController().signal,
      onAudio: (block) => {
        samples += block.length;
      },
    },
  );
  if (samples === 0) throw new Error('it gave no audio');
}
