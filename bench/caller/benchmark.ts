// `npm run caller -- benchmark SIP-ADDRESS --out DIR`: calls any SIP address, measures turns, interruptions and packets
// at the caller's end, and keeps the raw captures beside a page on the method.
import { exec } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { speechBy } from '../../engine/test-runs/caller/speech.ts';
import { callerVoice, voiceEngine } from '../../engine/test-runs/caller/voice.ts';
import { encodeWav } from '../../media/wav.ts';
import { CALLER_PHRASES } from '../conversation/phrases.ts';
import { type BenchmarkCall, type BenchmarkPlan, benchmarkCall } from './benchmark-call.ts';
import { figuresOf, methodPage, reportLines, type Step } from './benchmark-report.ts';
import { writePcap } from './pcap.ts';

const USAGE = `usage: npm run caller -- benchmark SIP-ADDRESS --out DIR [options]
  SIP-ADDRESS       e.g. sip:demo@127.0.0.1:5060
  --out DIR         report.md, method.md, results.json and a folder for each call
  --calls N         calls of each step (default 10)
  --at-once N,N     a step for each number of calls at once (default 1): a ramp of capacity
  --say TEXT        a question in place of the built-in ones; several times for several
  --interrupt TEXT  said over the last answer; "" for nobody
  --languages a,b   a step for each language (default en): de fr es it nl pt need a downloaded voice each
  --voice ID        of the callers, in place of one by the seed
  --disturb CMD     runs CMD over the last answer of each call, and asks once more: does the call survive?
  --loss PERCENT    of the callers' packets
  --seed N          voices, waits and losses (default 1)
  --from NUMBER     number to call from (default +15550199001)`;

const options = {
  out: { type: 'string' },
  calls: { type: 'string', default: '10' },
  'at-once': { type: 'string', default: '1' },
  say: { type: 'string', multiple: true },
  interrupt: { type: 'string' },
  languages: { type: 'string', default: 'en' },
  voice: { type: 'string' },
  disturb: { type: 'string' },
  loss: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
  from: { type: 'string', default: '+15550199001' },
} as const;

/** Between two starts, so that callers do not speak together. */
const START_STEP_MS = 617;
const RATE_HZ = 8_000;

type Values = ReturnType<typeof readArguments>['values'];

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [address] = positionals;
  if (address === undefined) throw new Error('which address is to be called?');
  if (values.out === undefined) throw new Error('--out: where do the results go?');
  return { values: { ...values, out: values.out }, address };
}

const wholeNumbers = (name: string, text: string, min = 1): number[] =>
  text.split(',').map((part) => {
    const number = Number(part);
    if (!Number.isInteger(number) || number < min)
      throw new Error(`--${name}: "${part}" is no number of at least ${min}`);
    return number;
  });

/** @returns the exit code: 1 where a call was not played to its end, 2 if nothing could be played */
export async function runBenchmark(args: string[]): Promise<number> {
  try {
    const { values, address } = readArguments(args);
    mkdirSync(values.out, { recursive: true });
    const beganAt = new Date();
    const [steps, voices] = await play(values, address);
    const lines = reportLines(steps);
    const figures = steps.map(figuresOf);
    writeFileSync(
      join(values.out, 'report.md'),
      `# ${address}\n\n${lines.join('\n')}\n\nHow, and what it cannot show: method.md\n`,
    );
    writeFileSync(
      join(values.out, 'results.json'),
      `${JSON.stringify({ address, beganAt, steps: figures }, null, 2)}\n`,
    );
    const command = `npm run caller -- benchmark ${args.join(' ')}`;
    writeFileSync(join(values.out, 'method.md'), methodPage({ address, command, voices, beganAt }));
    process.stdout.write(`${lines.join('\n')}\n\n${values.out}/report.md, method.md, results.json, call-*/\n`);
    return figures.every(({ brokenOff }) => brokenOff === 0) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return 2;
  }
}

async function play(values: Values, address: string): Promise<[Step[], string[]]> {
  const [calls = 1] = wholeNumbers('calls', values.calls);
  const [seed = 1] = wholeNumbers('seed', values.seed, 0);
  const lossPercent = Number(values.loss);
  if (!(lossPercent >= 0 && lossPercent <= 50))
    throw new Error(`--loss: "${values.loss}" is no share of 0 to 50 percent`);
  const target = parseTarget(address);
  const steps: Step[] = [];
  const voices = new Set<string>();
  let serial = 0;
  for (const language of values.languages.split(',')) {
    const { clips, voice } = await clipsOf(values, language.trim(), seed);
    voices.add(voice);
    for (const atOnce of wholeNumbers('at-once', values['at-once'])) {
      const plan: Omit<BenchmarkPlan, 'seed'> = { target, from: values.from, lossPercent, ...clips };
      const disturb = values.disturb === undefined ? null : commandOf(values.disturb);
      const done: BenchmarkCall[] = [];
      const lanes = Array.from({ length: Math.min(atOnce, calls) }, async (_, lane) => {
        await new Promise((resolve) => setTimeout(resolve, lane * START_STEP_MS));
        for (let n = lane; n < calls; n += atOnce) {
          const number = ++serial;
          const call = await benchmarkCall({ ...plan, seed: seed + n, disturb });
          done.push(call);
          keep(values.out, number, call);
          const gaps = call.gapsMs.map((gap) => (gap === null ? '–' : Math.round(gap))).join(', ');
          process.stdout.write(`call ${number}: ${call.failure ?? `gaps ${gaps} ms`}\n`);
        }
      });
      await Promise.all(lanes);
      steps.push({ name: `${language}, ${atOnce} at once`, calls: done });
    }
  }
  return [steps, [...voices]];
}

const commandOf =
  (command: string): (() => Promise<void>) =>
  async () => {
    await promisify(exec)(command).catch((error: Error) => process.stderr.write(`${error.message}\n`));
  };

/** Rendered before anybody is called: rendering would delay packets. */
async function clipsOf(
  { say, interrupt, voice: wanted }: Values,
  language: string,
  seed: number,
): Promise<{ clips: Pick<BenchmarkPlan, 'questions' | 'interruption' | 'disturb'>; voice: string }> {
  const phrases = CALLER_PHRASES.find((each) => each.language.startsWith(language.slice(0, 2).toLowerCase()));
  if (phrases === undefined) throw new Error(`--languages: there are no questions in "${language}"`);
  const voice = callerVoice({ voice: wanted ?? null, language, seed }, process.env);
  const engine = await voiceEngine(voice, process.env);
  const questions: Int16Array[] = [];
  for (const text of say ?? phrases.questions) questions.push(await speechBy(engine, text, voice));
  const over = interrupt ?? phrases.interruptions[0] ?? '';
  const interruption = over === '' ? null : await speechBy(engine, over, voice);
  await engine.close();
  return { clips: { questions, interruption, disturb: null }, voice };
}

function keep(out: string, number: number, { said, heard, capture, ...call }: BenchmarkCall): void {
  const folder = join(out, `call-${String(number).padStart(3, '0')}`);
  mkdirSync(folder, { recursive: true });
  const stereo = new Int16Array(Math.max(said.length, heard.length) * 2);
  for (const [n, sample] of said.entries()) stereo[2 * n] = sample;
  for (const [n, sample] of heard.entries()) stereo[2 * n + 1] = sample;
  writeFileSync(join(folder, 'call.wav'), encodeWav({ channels: 2, sampleRateHz: RATE_HZ }, stereo));
  writePcap(join(folder, 'rtp.pcap'), capture);
  writeFileSync(join(folder, 'call.json'), `${JSON.stringify(call, null, 2)}\n`);
}
