// A voice judged by a listener: the sentences of a set are said in calls over SIP, or in this process clause by
// clause at 8 kHz through G.711, and a recogniser outside of this project counts the words that it misheard. A sherpa
// voice can also be asked without our rules for text, which tells what those gain and cost. The sets of such
// sentences belong to others, so none is here.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { localName } from '../../models/install/local-models.ts';
import { summarise } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import { asOnACall, plainly, type Say } from '../voice/said-here.ts';
import { sayInCalls } from '../voice/said-in-calls.ts';
import { Recordings, type Sentence, sentencesOf } from '../voice/sentences.ts';

const USAGE = `usage: npm run bench -- voice --set FILE --judge COMMAND [--voices ENGINE,…] [--calls N] [--plain] [--every N]
                                  [--from N] [--out FOLDER]
  FILE has a sentence a line, {"utterance_id", "category", "text"}; every Nth of it is said (default 1), from the one at
  index --from (default 0). COMMAND gets a folder as its last word: ID.wav, 8 kHz, and manifest.jsonl, {"id", "category",
  "text"}; it prints the words that it misheard. Engines: flite (default), sherpa:NAME of DATA_DIR/models.
  Each sentence is the greeting of a call, N calls at once (default 3); --calls 0: in this process, without calls.
  Beside the recordings is first-sound.json: from the answer to the first sound, also of ten calls of one greeting.
  --plain: a sherpa voice also says each without calls and without our rules.`;

const DEFAULTS = {
  set: '',
  judge: '',
  voices: 'flite',
  calls: 3,
  plain: false,
  every: 1,
  from: 0,
  out: '/tmp/voice-bench',
} as const;

export default part(USAGE, DEFAULTS, async ({ set, judge, voices, calls, plain, every, from, out }) => {
  if (set === '' || judge === '') refuseOption('there is no --set or no --judge');
  const sentences = sentencesOf(set).filter((_, index) => index >= from && (index - from) % every === 0);
  const judged = (way: string, { folder }: Recordings): void => {
    process.stdout.write(`-- ${way}, ${sentences.length} sentences, load ${loadavg()[0]?.toFixed(1)}\n`);
    const [program = '', ...words] = judge.split(' ');
    const { status } = spawnSync(program, [...words, folder], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`the judge ended with ${status}`);
  };
  const folderOf = (way: string): string => join(out, way.replace(/\W+/g, '-'));
  for (const name of voices.split(',')) {
    const way = calls === 0 ? name : `${name} in calls`;
    const recordings = new Recordings(folderOf(way));
    if (calls === 0) await sayHere(await asOnACall(name), sentences, recordings);
    else await sayOnTheLine(name, calls, sentences, recordings);
    judged(way, recordings);
    const local = localName(name);
    if (local === null || !plain) continue;
    const alone = new Recordings(folderOf(`${name} plain`));
    await sayHere(plainly(local), sentences, alone);
    judged(`${name}, plain`, alone);
  }
  return undefined;
});

async function sayHere(say: Say, sentences: readonly Sentence[], recordings: Recordings): Promise<void> {
  for (const sentence of sentences) recordings.keep(sentence, await say(sentence.text));
  recordings.list(sentences);
}

async function sayOnTheLine(
  name: string,
  atATime: number,
  sentences: readonly Sentence[],
  recordings: Recordings,
): Promise<void> {
  const firstSoundMs: number[] = [];
  const unchangedMs = await sayInCalls(name, { sentences, atATime }, (said) => {
    recordings.keep(said.sentence, said.samples);
    firstSoundMs.push(said.firstSoundMs);
    process.stderr.write(`\r${firstSoundMs.length} of ${sentences.length} `);
  });
  process.stderr.write('\n');
  recordings.list(sentences);
  const times = { changed: summarise(firstSoundMs), unchanged: summarise(unchangedMs) };
  writeFileSync(join(recordings.folder, 'first-sound.json'), JSON.stringify(times));
  for (const [greeting, { count, p50, p95, max }] of Object.entries(times))
    process.stdout.write(
      `${name}: first sound, greeting ${greeting}, ${count} calls: p50 ${p50}, p95 ${p95}, max ${max} ms\n`,
    );
}
