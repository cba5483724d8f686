// A voice judged by a listener: the sentences of a set are said as on a call, clause by clause at 8 kHz through G.711,
// and a recogniser outside of this project counts the words that it misheard. A sherpa voice is also asked without our
// rules for text, which tells what those gain and cost. The sets of such sentences belong to others, so none is here.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clausesOf } from '../../engine/dialogue/clause-splitter.ts';
import { joinSamples } from '../../media/frame.ts';
import { decodeG711, encodeG711 } from '../../media/g711.ts';
import { Resampler } from '../../media/resample.ts';
import { encodeWav } from '../../media/wav.ts';
import { loadTts } from '../../models/engines.ts';
import { localName, modelsDirOf } from '../../models/install/local-models.ts';
import { loadSherpa } from '../../models/sherpa/addon.ts';
import { voiceFiles } from '../../models/sherpa/model-files.ts';
import { VoiceLevels } from '../../models/tts/loudness.ts';
import { part, refuseOption } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- voice --set FILE --judge COMMAND [--voices ENGINE,…] [--every N] [--from N] [--out FOLDER]
  FILE has a sentence a line, {"utterance_id", "category", "text"}; every Nth of it is said (default 1), from the one at
  index --from (default 0). COMMAND gets a folder as its last word: ID.wav, 8 kHz, and manifest.jsonl, {"id", "category",
  "text"}; it prints the words that it misheard. Engines: flite (default), sherpa:NAME (also without our rules) of
  DATA_DIR/models.`;

interface Sentence {
  id: string;
  category: string;
  text: string;
}

const RATE_HZ = 8_000;
/** Silence around each recording. */
const EDGE_MS = 300;

type Say = (text: string) => Promise<Int16Array>;

const DEFAULTS = { set: '', judge: '', voices: 'flite', every: 1, from: 0, out: '/tmp/voice-bench' };

export default part(USAGE, DEFAULTS, async ({ set, judge, voices, every, from, out }) => {
  if (set === '' || judge === '') refuseOption('there is no --set or no --judge');
  const sentences = sentencesOf(set).filter((_, index) => index >= from && (index - from) % every === 0);
  for (const name of voices.split(',')) {
    const ways: Array<[string, Say]> = [[name, await asOnACall(name)]];
    const local = localName(name);
    if (local !== null) ways.push([`${name}, plain`, plainly(local)]);
    for (const [way, say] of ways) {
      const folder = join(out, way.replace(/\W+/g, '-'));
      await record(sentences, say, folder);
      process.stdout.write(`-- ${way}, ${sentences.length} sentences\n`);
      const [program = '', ...words] = judge.split(' ');
      const { status } = spawnSync(program, [...words, folder], { stdio: 'inherit' });
      if (status !== 0) throw new Error(`the judge ended with ${status}`);
    }
  }
  return undefined;
});

function sentencesOf(file: string): Sentence[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const {
      utterance_id: id,
      category,
      text,
    }: { utterance_id: string; category: string; text: string } = JSON.parse(line);
    return { id, category, text };
  });
}

async function record(sentences: readonly Sentence[], say: Say, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const edge = new Int16Array((RATE_HZ * EDGE_MS) / 1_000);
  for (const { id, text } of sentences) {
    const samples = throughG711(joinSamples([edge, await say(text), edge]));
    writeFileSync(join(folder, `${id}.wav`), encodeWav({ sampleRateHz: RATE_HZ, channels: 1 }, samples));
  }
  writeFileSync(join(folder, 'manifest.jsonl'), sentences.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

function throughG711(samples: Int16Array): Int16Array {
  const codes = new Uint8Array(samples.length);
  const heard = new Int16Array(samples.length);
  encodeG711('pcmu', samples, codes);
  decodeG711('pcmu', codes, 0, codes.length, heard);
  return heard;
}

/** As the product says it: in the dialogue's clauses, by our rules for text, at our level. */
async function asOnACall(name: string): Promise<Say> {
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
    return joinSamples(blocks);
  };
}

/** The same weights given the text as it is written. */
function plainly(name: string): Say {
  const { OfflineTts } = loadSherpa();
  const model = new OfflineTts(voiceFiles(name, join(modelsDirOf(process.env), name)));
  return async (text) => {
    const { samples } = model.generate({ text, sid: 0, speed: 1, enableExternalBuffer: false });
    const resampler = new Resampler(model.sampleRate, RATE_HZ);
    const pcm = new Int16Array(samples.length + resampler.delayInputSamples);
    for (let n = 0; n < samples.length; n++) pcm[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    return resampler.convert(pcm);
  };
}
