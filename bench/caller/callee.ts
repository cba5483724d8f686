// `npm run caller -- callee --out DIR`: answers the calls that the product under test places, as a voicemail or as a
// person, and tells what the product did: what a dialled address cannot show.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SimulatedCall } from '../../engine/test-runs/caller/call.ts';
import { Phone } from '../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { speechBy } from '../../engine/test-runs/caller/speech.ts';
import { callerVoice, voiceEngine } from '../../engine/test-runs/caller/voice.ts';
import { FRAME_MS, joinSamples } from '../../media/frame.ts';
import { encodeWav } from '../../media/wav.ts';
import { table } from '../rig/measure/statistics.ts';
import {
  type AnsweredCall,
  type HeardSpan,
  OUTCOMES,
  type Outcome,
  outcomeAtMachine,
  outcomeAtPerson,
  waitedMs,
} from './answered-call.ts';

const USAGE = `usage: npm run caller -- callee --out DIR [options]
  waits for calls at sip:ANYBODY@HOST:PORT, answers them, and tells what the caller did
  --out DIR         report.md, results.json and a recording of each call (left: this side, right: the caller)
  --as KIND         machine (default): a greeting, a beep, then silence; person: a word, then silence
  --calls N         ends after that many calls (default 1)
  --host HOST       the address to wait at (default 127.0.0.1)
  --port PORT       (default 5070)
  --say TEXT        the greeting, in place of the built-in one
  --voice ID        of the greeting, in place of one by the seed
  --seed N          (default 1)
  --seconds N       hangs up so long after the greeting (default 30)`;

const RATE_HZ = 8_000;
const RING_MS = 600;
/** From the answer to the first word. */
const BEFORE_MS = 400;
const GREETINGS = {
  machine: 'You have reached Jordan Miles. I cannot take your call right now. Please leave a message after the tone.',
  person: 'Hello?',
};
/** As many voicemails have it. */
const BEEP = { hz: 1_000, ms: 400, amplitude: 8_000 };
/** Pauses within a sentence are no end of it. */
const PAUSE_MS = 400;

interface CalleePlan {
  kind: keyof typeof GREETINGS;
  greeting: Int16Array;
  seconds: number;
}

interface Answered extends AnsweredCall {
  outcome: Outcome;
  said: Int16Array;
  heard: Int16Array;
}

/** @returns the exit code: 2 if nobody could be waited for */
export async function runCallee(args: string[]): Promise<number> {
  try {
    const values = readArguments(args);
    const calls = whole('calls', values.calls);
    const plan: CalleePlan = {
      kind: values.as,
      greeting: await greetingOf(values),
      seconds: whole('seconds', values.seconds),
    };
    mkdirSync(values.out, { recursive: true });
    const done: Answered[] = [];
    const all = Promise.withResolvers<void>();
    const phone = await Phone.start({
      host: values.host,
      port: whole('port', values.port),
      script: async (call) => {
        const answered = await answer(call, plan);
        done.push(answered);
        keep(values.out, done.length, answered);
        process.stdout.write(`call ${done.length}: ${answered.outcome}\n`);
        if (done.length >= calls) all.resolve();
      },
    });
    process.stdout.write(
      `waiting for ${calls} ${calls === 1 ? 'call' : 'calls'} at sip:${values.host}:${phone.port} as a ${plan.kind}\n`,
    );
    await all.promise;
    // The last BYE is answered.
    await pause(500);
    phone.stop();
    const lines = reportLines(plan.kind, done);
    const figures = done.map(({ said: _, heard: __, ...figure }) => ({ ...figure, waitedMs: waitedMs(figure) }));
    writeFileSync(join(values.out, 'report.md'), `${lines.join('\n')}\n`);
    writeFileSync(join(values.out, 'results.json'), `${JSON.stringify({ as: plan.kind, calls: figures }, null, 2)}\n`);
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return 2;
  }
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      as: { type: 'string', default: 'machine' },
      calls: { type: 'string', default: '1' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '5070' },
      say: { type: 'string' },
      voice: { type: 'string' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const { out, as } = values;
  if (out === undefined) throw new Error('--out: where do the results go?');
  if (as !== 'machine' && as !== 'person') throw new Error(`--as: "${as}" is neither machine nor person`);
  return { ...values, out, as } as const;
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name}: "${text}" is no whole number above 0`);
  return number;
}

/** Of a machine with its beep. */
async function greetingOf(values: ReturnType<typeof readArguments>): Promise<Int16Array> {
  const seed = whole('seed', values.seed);
  const voice = callerVoice({ voice: values.voice ?? null, language: 'en', seed }, process.env);
  const engine = await voiceEngine(voice, process.env);
  const words = await speechBy(engine, values.say ?? GREETINGS[values.as], voice);
  await engine.close();
  if (values.as === 'person') return words;
  const pauseBefore = new Int16Array((RATE_HZ * 300) / 1_000);
  const beep = Int16Array.from({ length: (RATE_HZ * BEEP.ms) / 1_000 }, (_, n) =>
    Math.round(BEEP.amplitude * Math.sin((2 * Math.PI * BEEP.hz * n) / RATE_HZ)),
  );
  return joinSamples([words, pauseBefore, beep]);
}

async function answer(phoneCall: PhoneCall, { kind, greeting, seconds }: CalleePlan): Promise<Answered> {
  const ended = Promise.withResolvers<{ atMs: number; isEndedByIt: boolean }>();
  const frames: number[] = [];
  const call = new SimulatedCall({
    target: { uri: '', host: '127.0.0.1', port: 0 },
    localAddress: phoneCall.localHost,
    from: '',
    record: true,
    onEvent: (event) => {
      if (event.type === 'ended') ended.resolve({ atMs: event.atMs, isEndedByIt: event.by === 'remote' });
    },
    onFrame: ({ isSound, atMs }) => {
      if (isSound) frames.push(atMs);
    },
    dialog: (rtpPort, onEvent) => ({
      invite: async () => {
        phoneCall.onEvent = onEvent;
        phoneCall.ring();
        await pause(RING_MS);
        phoneCall.answer(rtpPort);
      },
      hangUp: () => phoneCall.hangUp(),
      close: () => undefined,
    }),
  });
  await call.place();
  const zeroMs = call.answeredAtMs ?? performance.now();
  await pause(BEFORE_MS);
  const greetedAtMs = await call.speak(greeting);
  const limit = setTimeout(() => call.hangUp(), seconds * 1_000);
  const end = await ended.promise;
  clearTimeout(limit);
  call.close();
  const answered = {
    greetedMs: Math.round(greetedAtMs - zeroMs),
    talk: spansOf(frames.map((atMs) => atMs - zeroMs)),
    endMs: Math.round(end.atMs - zeroMs),
    isEndedByIt: end.isEndedByIt,
  };
  const outcome = kind === 'machine' ? outcomeAtMachine(answered) : outcomeAtPerson(answered);
  return { ...answered, outcome, said: joinSamples(call.said), heard: joinSamples(call.heard) };
}

function spansOf(framesMs: readonly number[]): HeardSpan[] {
  const spans: HeardSpan[] = [];
  for (const atMs of framesMs.map(Math.round)) {
    const last = spans.at(-1);
    if (last !== undefined && atMs - last.toMs < PAUSE_MS) last.toMs = atMs + FRAME_MS;
    else spans.push({ fromMs: atMs, toMs: atMs + FRAME_MS });
  }
  return spans;
}

function reportLines(kind: CalleePlan['kind'], calls: readonly Answered[]): string[] {
  const counts = OUTCOMES.map((outcome) => calls.filter((call) => call.outcome === outcome).length);
  const rows = calls.map((call, n) => [
    n + 1,
    call.outcome,
    waitedMs(call) ?? '–',
    call.talk.map(({ fromMs, toMs }) => `${fromMs}-${toMs}`).join(', ') || '–',
    call.greetedMs,
    `${call.endMs} by ${call.isEndedByIt ? 'the product' : 'this side'}`,
  ]);
  const greeted = kind === 'machine' ? 'end of the beep' : 'end of the greeting';
  return [
    `Answered as a ${kind}: ${OUTCOMES.map((outcome, n) => `${outcome} ${counts[n]}`).join(', ')}. Times in ms from the answer.`,
    '',
    ...table(['call', 'what it did', `first sound after the ${greeted}`, 'it talked', greeted, 'ended'], rows),
  ];
}

function keep(out: string, number: number, { said, heard }: Answered): void {
  const stereo = new Int16Array(Math.max(said.length, heard.length) * 2);
  for (const [n, sample] of said.entries()) stereo[2 * n] = sample;
  for (const [n, sample] of heard.entries()) stereo[2 * n + 1] = sample;
  const wav = encodeWav({ channels: 2, sampleRateHz: RATE_HZ }, stereo);
  writeFileSync(join(out, `call-${String(number).padStart(3, '0')}.wav`), wav);
}
