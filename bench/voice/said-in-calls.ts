// Sentences as callers hear them: each is the greeting of a call over SIP and RTP to the running service.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinSamples } from '../../media/frame.ts';
import { localName, modelsDirOf } from '../../models/install/local-models.ts';
import { Caller, INSTANT, pause } from '../rig/conversation/scenario.ts';
import { Rest } from '../rig/service/rest.ts';
import { type Service, startService } from '../rig/service/service.ts';
import type { Sentence } from './sentences.ts';

/** Longer than a rest between two sentences, also of a voice that makes the second one on a busy machine. */
const QUIET_MS = 2_500;

/** A greeting is made ahead two seconds after its change, while nobody calls. */
const MADE_AHEAD_MS = 10_000;
const UNCHANGED_CALLS = 10;

interface SaidInACall {
  sentence: Sentence;
  /** 8 kHz, from the first sound to the last one. */
  samples: Int16Array;
  /** From the answer to the first sound. */
  firstSoundMs: number;
}

/** Says the sentences, `atATime` calls at once. Resolves with the first sounds of calls with one greeting, ms. */
export async function sayInCalls(
  voice: string,
  { sentences, atATime }: { sentences: readonly Sentence[]; atATime: number },
  onSaid: (said: SaidInACall) => void,
): Promise<number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-calls-'));
  const local = localName(voice);
  if (local !== null)
    cpSync(join(modelsDirOf(process.env), local), join(dataDir, 'models', local), { recursive: true });
  try {
    const service = await startService({ ...INSTANT, TTS: voice, MAX_CALLS: '100', LOG_LEVEL: 'warn' }, dataDir);
    try {
      const greet = await greeter(service);
      const waiting = [...sentences.entries()];
      const saySome = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [index, sentence] = next;
          onSaid(await sayOne(service, index, sentence, greet));
        }
      };
      await Promise.all(Array.from({ length: atATime }, saySome));
      const [last] = sentences.slice(-1);
      return last === undefined ? [] : await sayUnchanged(service, last);
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The last greeting again, in one call after the other: a slow voice has made it ahead by then. */
async function sayUnchanged(service: Service, sentence: Sentence): Promise<number[]> {
  await pause(MADE_AHEAD_MS);
  const found: number[] = [];
  for (let n = 0; n < UNCHANGED_CALLS; n++)
    found.push((await sayOne(service, n, sentence, (_text, call) => call())).firstSoundMs);
  return found;
}

/** Makes a text the greeting until `call` has been answered; one call after the other. */
type Greet = (text: string, call: () => Promise<void>) => Promise<void>;

async function greeter(service: Service): Promise<Greet> {
  const rest = new Rest(service);
  const [business] = await rest.must('GET', '/businesses');
  const [agent] = await rest.must('GET', '/agents');
  const voices = await rest.must('GET', '/voices');
  const voice = voices.find(({ isDefault }) => isDefault) ?? voices[0];
  await rest.must('PATCH', `/agents/${agent?.id}`, { voiceId: voice?.id });
  let before = Promise.resolve();
  return (text, call) => {
    const mine = before.then(async () => {
      await rest.must('PATCH', `/businesses/${business?.id}`, { greetingTemplate: text });
      await call();
    });
    before = mine.catch(() => undefined);
    return mine;
  };
}

async function sayOne(service: Service, index: number, sentence: Sentence, greet: Greet): Promise<SaidInACall> {
  const heard: Int16Array[] = [];
  const caller = new Caller(service.sipAddress, index, 'demo', { onSamples: (samples) => heard.push(samples) });
  try {
    await greet(sentence.text, () => caller.answered());
    const firstSoundAtMs = await caller.agentSound(0);
    await caller.agentQuiet(QUIET_MS);
    const first = caller.frames.findIndex(({ isSound }) => isSound);
    const last = caller.frames.findLastIndex(({ isSound }) => isSound);
    const firstSoundMs = firstSoundAtMs - (caller.call.answeredAtMs ?? Number.NaN);
    return { sentence, samples: joinSamples(heard.slice(first, last + 1)), firstSoundMs };
  } finally {
    await caller.hangUp();
  }
}
