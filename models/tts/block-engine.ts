// Takes an engine of the older shape as it is: it is given every text, and asked to stop between its blocks.
import type { BlockTtsEngine, TtsEngine } from './tts.ts';

/** Texts in turn at a time, as such engines were always run. */
const CONCURRENCY = 4;

export function isBlockEngine(engine: TtsEngine | BlockTtsEngine): engine is BlockTtsEngine {
  return !('speak' in engine);
}

export function ofBlockEngine(engine: BlockTtsEngine): TtsEngine {
  return {
    name: engine.name,
    voices: engine.voices,
    concurrency: CONCURRENCY,
    patienceMs: null,
    ...(engine.realTimeFactor === undefined ? {} : { realTimeFactor: engine.realTimeFactor }),
    speaksAnyVoice: true,
    speak: (request, { signal, onAudio }) => engine.synthesize(request, onAudio, () => signal.aborted),
    close: () => engine.close(),
  };
}
