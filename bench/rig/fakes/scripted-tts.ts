// The built-in voices with a memory: their speech is kept in the script's folder, so that the bench recognises it on
// the wire. With FAKE_TTS_FIRST_AUDIO_MS a clause arrives whole after that time, independent of the machine's load.
import { joinSamples } from '../../../media/frame.ts';
import createFlite from '../../../models/tts/flite/flite.ts';
import type { SpeechRequest, TtsEngine } from '../../../models/tts/tts.ts';
import { SCRIPT_FOLDER, ScriptFolder, withoutSerial } from '../conversation/script.ts';

const createTts = async (environment: Record<string, string | undefined>): Promise<TtsEngine> => {
  const folder = new ScriptFolder(environment[SCRIPT_FOLDER] ?? '');
  const firstAudioMs = environment.FAKE_TTS_FIRST_AUDIO_MS;
  const flite = await createFlite();

  const render = async (request: SpeechRequest, signal: AbortSignal, onAudio: (samples: Int16Array) => void) => {
    const pieces: Int16Array[] = [];
    const keep = (samples: Int16Array): void => {
      pieces.push(samples.slice());
      onAudio(samples);
    };
    await flite.speak(request, { signal, onAudio: keep });
    const samples = joinSamples(pieces);
    // A cancelled clause was partly heard, so its audio is kept as well.
    if (samples.length > (folder.readSpeech(request.text)?.length ?? 0)) folder.writeSpeech(request.text, samples);
  };

  const recall = async (request: SpeechRequest): Promise<Int16Array | null> => {
    if (folder.readSpeech(request.text) === null) await render(request, new AbortController().signal, () => {});
    return folder.readSpeech(request.text);
  };

  return {
    name: 'scripted',
    voices: flite.voices,
    concurrency: flite.concurrency,
    patienceMs: null,
    // Prevents a change of the levels.
    speaksAnyVoice: true,
    async speak(spoken, { signal, onAudio }) {
      const request = { ...spoken, text: withoutSerial(spoken.text) };
      if (firstAudioMs === undefined) return render(request, signal, onAudio);
      const due = new Promise((resolve) => setTimeout(resolve, Number(firstAudioMs)));
      const samples = await recall(request);
      await due;
      if (samples !== null && !signal.aborted) onAudio(samples);
    },
    close: () => flite.close(),
  };
};

export default createTts;
