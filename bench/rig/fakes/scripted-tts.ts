// The built-in voices with a memory: what they say is kept in the script's folder, by which the bench recognises it on
// the wire. With FAKE_TTS_FIRST_AUDIO_MS a clause comes whole after that time, whatever the machine is doing.
import { joinSamples } from '../../../media/frame.ts';
import createFlite from '../../../models/tts/flite.ts';
import type { SpeechRequest, TtsEngine } from '../../../models/tts/tts.ts';
import { SCRIPT_FOLDER, ScriptFolder, withoutSerial } from '../script.ts';

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
    // What was cut short was heard nevertheless.
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
    // Leaves the levels as they are.
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
