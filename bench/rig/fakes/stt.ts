// A recogniser that always returns the same sentence (FAKE_STT_TEXT) after FAKE_STT_FINAL_MS (0): the rest of a turn's
// time is the engine's.
import type { SttEngineFactory } from '../../../models/stt/stt.ts';

const TEXT = 'what are your opening hours today';

const createStt: SttEngineFactory = async (environment) => {
  const finalMs = Number(environment.FAKE_STT_FINAL_MS ?? 0);
  const text = environment.FAKE_STT_TEXT ?? TEXT;
  return {
    name: 'fake',
    freeText: true,
    async open() {
      let samples = 0;
      return {
        begin: () => {
          samples = 0;
        },
        write: (audio) => {
          samples += audio.length;
        },
        partial: () => (samples > 1_600 ? text : ''),
        finish: async () => {
          if (finalMs > 0) await new Promise((resolve) => setTimeout(resolve, finalMs));
          return { text, confidence: 1, understood: true };
        },
        cancel: () => {},
        close: () => {},
      };
    },
    close: async () => {},
  };
};

export default createStt;
