// A speech-to-speech model in place of recogniser, dialogue model and voice, by fakes that follow the vendors' formats
// at a vendor's usual pace: response gap, interruption to silence, and how soon the cascade is heard once the socket is
// dead. All of it from the sound at the caller.
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import {
  Caller,
  type Clip,
  chooseSilenceThreshold,
  pause,
  runCallers,
  TYPICAL,
  withService,
} from '../rig/conversation/scenario.ts';
import { GeminiLiveServer } from '../rig/fakes/gemini-live-server.ts';
import { OpenAiRealtimeServer } from '../rig/fakes/openai-realtime-server.ts';
import type { SpeechModelServer } from '../rig/fakes/speech-model-server.ts';
import { type Row, rowOf } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import type { Service } from '../rig/service/service.ts';
import { CLIP, interrupt, LONG_REPLY, type Outcome, THRESHOLD_MS } from './barge-in.ts';
import { SENTENCES, takeTurns } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- speech-to-speech [--engine NAME] [--turns N] [--rounds N] [--deaths N]
  with openai-realtime, gemini-live or both (default), N turns (default 24) and N interruptions (default 16) of one call,
  and N calls whose socket dies (default 12) in each of two states: while the model thinks, and while it speaks.
  Eight minutes an engine as it stands; --turns 12 --rounds 8 --deaths 8 takes five`;

const ENGINES = ['openai-realtime', 'gemini-live'] as const;
/** From the question to the model's first audio, as the vendors' users report it; and its pace after that. */
const FIRST_AUDIO_MS = 450;
const SPEED = 4;

function serverOf(engine: (typeof ENGINES)[number], text: () => string): SpeechModelServer {
  const options = { script: () => ({ text: text() }), firstMs: FIRST_AUDIO_MS, speed: SPEED };
  return engine === 'openai-realtime' ? new OpenAiRealtimeServer(options) : new GeminiLiveServer(options);
}

/** From the death of the socket to the first sound of the cascade, after the silence that it leaves, ms. */
async function diesWhileSpeaking(
  caller: Caller,
  server: SpeechModelServer,
  clip: Clip,
  index: number,
): Promise<number> {
  const soundAt = await caller.agentSound(await caller.call.speak(clip.samples, clip));
  await pause(900 + ((index * 373) % 1_500) + Math.max(0, soundAt - performance.now()));
  server.dropAll();
  const diedAt = server.cutsAtMs.at(-1) ?? 0;
  const silence = () => caller.frames.find((frame) => frame.atMs > diedAt && !frame.isSound);
  await caller.until('the model’s voice stops', () => silence() !== undefined);
  return (await caller.agentSound(silence()?.atMs ?? 0)) - diedAt;
}

async function diesWhileThinking(caller: Caller, server: SpeechModelServer, clip: Clip): Promise<number> {
  server.fault = 'stall';
  const before = server.answers;
  await caller.call.speak(clip.samples, clip);
  await caller.until('the model is asked', () => server.answers > before);
  await pause(200);
  server.fault = null;
  server.dropAll();
  const diedAt = server.cutsAtMs.at(-1) ?? 0;
  return (await caller.agentSound(diedAt)) - diedAt;
}

/** One call each: a session that is lost is not opened again. */
async function deaths(service: Service, count: number, die: (caller: Caller, index: number) => Promise<number>) {
  const [ms, failures]: [number[], string[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const caller = new Caller(service.sipAddress, index);
    try {
      await caller.answered();
      await caller.agentSound(0);
      await caller.agentQuiet(700);
      ms.push(await die(caller, index));
    } catch (error) {
      failures.push(`a call failed: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await caller.hangUp();
    }
  }
  return { ms, failures };
}

const DEFAULTS = { engine: 'both', turns: 24, rounds: 16, deaths: 12 } as const;

export default part(USAGE, DEFAULTS, async ({ engine, turns, rounds, deaths: deathCount }) => {
  const engines = ENGINES.filter((each) => engine === 'both' || engine === each);
  if (engines.length === 0) refuseOption(`--engine ${engine} is none of ${ENGINES.join(', ')}, both`);
  const clips = await Promise.all(SENTENCES.map(async (text) => ({ samples: await renderSpeech(text, 'flite-slt') })));
  const question: Clip = { samples: clips[0]?.samples ?? new Int16Array(0) };
  const objection: Clip = { samples: await renderSpeech(CLIP, 'flite-slt') };
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  const notes: string[] = [];
  const add = (name: string, ms: number[], target = ''): void => {
    samples[name] = ms;
    rows.push(rowOf(name, ms, target));
  };
  for (const each of engines) {
    let text = 'We are open until five.';
    const server = await serverOf(each, () => text).start();
    const environment = { ...TYPICAL, DIALOGUE: each, DIALOGUE_BASE_URL: server.origin, DIALOGUE_API_KEY: 'bench' };
    await withService(environment, async (service) => {
      const gaps: number[] = [];
      const failures = await runCallers(service, 1, (caller) => takeTurns(caller, turns, clips, gaps));
      add(`${each}: response gap`, gaps, 'p50 <= 1,000');
      text = LONG_REPLY;
      const speaking = await deaths(service, deathCount, (caller, n) => diesWhileSpeaking(caller, server, question, n));
      add(`${each}: socket dead in mid answer, to the cascade's first sound`, speaking.ms, 'max <= 2,000');
      const thinking = await deaths(service, deathCount, (caller) => diesWhileThinking(caller, server, question));
      add(`${each}: socket dead while it thinks, to the cascade's first sound`, thinking.ms, 'max <= 2,000');
      await chooseSilenceThreshold(service, THRESHOLD_MS);
      const outcome: Outcome = { loweredMs: [], silentMs: [], staleFrames: 0, missed: 0 };
      failures.push(...(await runCallers(service, 1, (caller) => interrupt(caller, rounds, objection, outcome))));
      add(`${each}: interruption, lowered or silent`, outcome.loweredMs, 'p50 <= 80, p95 <= 120');
      add(`${each}: interruption, silent`, outcome.silentMs);
      notes.push(`${each}: ${outcome.staleFrames} stale frames, ${outcome.missed} not noticed`);
      notes.push(...failures.map(({ message }) => `a call failed: ${message}`), ...speaking.failures);
      notes.push(...thinking.failures);
      if (server.refusals.length > 0) notes.push(`${each} refused: ${server.refusals.join(', ')}`);
    });
    await server.stop();
  }
  notes.push(`the fakes' first audio after ${FIRST_AUDIO_MS} ms, then ${SPEED} times as fast as it is spoken`);
  return { title: 'Speech-to-speech models', rows, samples, notes };
});
