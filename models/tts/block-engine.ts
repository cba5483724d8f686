// Adapts an engine of the older interface: it gets every text, and is asked to stop between its blocks.
import type { BlockTtsEngine, TtsEngine } from './tts.ts';

/** Texts rendered in turn, as such engines have always run. */
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
