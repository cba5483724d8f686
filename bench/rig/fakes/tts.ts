// A voice that hums: a 440 Hz tone of 60 ms per character, delivered whole after FAKE_TTS_FIRST_AUDIO_MS (0). A tone
// has no pauses, so every silent packet at the caller is the engine's doing.
import type { TtsEngine, Voice } from '../../../models/tts/tts.ts';

const MS_PER_CHARACTER = 60;
const AMPLITUDE = 8_000;

const voice = (id: string): Voice => ({
  id,
  name: id,
  language: 'en-US',
  gender: 'neutral',
  engine: 'fake',
  sampleRateHz: 8_000,
  isDefault: false,
});

const createTts = async (environment: Record<string, string | undefined>): Promise<TtsEngine> => {
  const firstAudioMs = Number(environment.FAKE_TTS_FIRST_AUDIO_MS ?? 0);
  return {
    name: 'fake',
    voices: ['flite-rms', 'flite-slt', 'flite-awb', 'flite-kal16'].map(voice),
    concurrency: 64,
    patienceMs: null,
    async speak(request, { signal, onAudio }) {
      if (firstAudioMs > 0) await new Promise((resolve) => setTimeout(resolve, firstAudioMs));
      if (signal.aborted) return;
      const length = Math.round((request.text.length * MS_PER_CHARACTER * request.sampleRateHz) / 1000);
      const samples = new Int16Array(length);
      const step = (2 * Math.PI * 440) / request.sampleRateHz;
      for (let index = 0; index < length; index++) samples[index] = Math.round(AMPLITUDE * Math.sin(step * index));
      onAudio(samples);
    },
    close: async () => {},
  };
};

export default createTts;
