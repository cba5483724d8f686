// A voice in this process, without a call: as the product says a text, or as its weights say it by themselves.
import { join } from 'node:path';
import { clausesOf } from '../../engine/dialogue/clause-splitter.ts';
import { joinSamples } from '../../media/frame.ts';
import { decodeG711, encodeG711 } from '../../media/g711.ts';
import { Resampler } from '../../media/resample.ts';
import { loadTts } from '../../models/engines.ts';
import { modelsDirOf } from '../../models/install/local-models.ts';
import { loadSherpa } from '../../models/sherpa/addon.ts';
import { voiceFiles } from '../../models/sherpa/model-files.ts';
import { VoiceLevels } from '../../models/tts/audio/loudness.ts';
import { RATE_HZ } from './sentences.ts';

/** Returns 8 kHz samples that went through G.711. */
export type Say = (text: string) => Promise<Int16Array>;

/** As on a call: in the dialogue's clauses, by our rules for text, at our level. */
export async function asOnACall(name: string): Promise<Say> {
  const [engine] = await loadTts(name, process.env);
  const voice = engine?.voices.find(({ isDefault }) => isDefault) ?? engine?.voices[0];
  if (!engine || !voice) throw new Error(`${name} has no voice`);
  const levels = new VoiceLevels();
  const { signal } = new AbortController();
  return async (text) => {
    const blocks: Int16Array[] = [];
    for (const clause of clausesOf(text)) {
      const request = { text: clause, voiceId: voice.id, speed: 1, sampleRateHz: RATE_HZ };
      await engine.speak(request, {
        signal,
        onAudio: (samples) => blocks.push(levels.level(engine, request, samples)),
      });
    }
    return throughG711(joinSamples(blocks));
  };
}

/** The same weights given the text as it is written. */
export function plainly(name: string): Say {
  const { OfflineTts } = loadSherpa();
  const model = new OfflineTts(voiceFiles(name, join(modelsDirOf(process.env), name)));
  return async (text) => {
    const { samples } = model.generate({ text, sid: 0, speed: 1, enableExternalBuffer: false });
    const resampler = new Resampler(model.sampleRate, RATE_HZ);
    const pcm = new Int16Array(samples.length + resampler.delayInputSamples);
    for (let n = 0; n < samples.length; n++) pcm[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    return throughG711(resampler.convert(pcm));
  };
}

function throughG711(samples: Int16Array): Int16Array {
  const codes = new Uint8Array(samples.length);
  const heard = new Int16Array(samples.length);
  encodeG711('pcmu', samples, codes);
  decodeG711('pcmu', codes, 0, codes.length, heard);
  return heard;
}
