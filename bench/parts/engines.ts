// The delay that the engine adds to a remote recogniser and voice, measured with local servers with the vendors'
// interfaces: from the caller's last sound to the recogniser's socket, from the voice's first byte to the caller, the
// CPU time of 100 sockets, and the pacing of 20 calls with remote engines.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import type { SttRequest } from '../../models/stt/stt.ts';
import { ModelWorker } from '../../models/workers/model-worker.ts';
import { threadTimes } from '../../models/workers/thread-times.ts';
import { INSTANT, pause, runCallers, withService } from '../rig/conversation/scenario.ts';
import { SpeechServer } from '../rig/fakes/speech-server.ts';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { summariseBins } from '../rig/phone/phones.ts';
import { measurePacing } from './pacing.ts';

const USAGE = `usage: npm run bench -- engines [--turns N] [--sockets N] [--seconds N]
  N turns of a caller (default 8), N streams of one recogniser (default 100), N seconds of pacing and streaming (default 20)`;

const KEY = 'bench';
const QUESTION = 'I would like to know where you are.';
/** A different text each time, so that none comes from the cache. */
const REPLY = 'Number {n} in the old town is where you find us.';
const LONG_REPLY = 'number {n}, one two three four five six seven eight nine ten, '.repeat(40);
/** The voice's own delay, long enough that the turn has ended before the first byte: nothing waits for the turn. */
const VOICE_DELAY_MS = 900;

const hears = (server: SpeechServer) => ({ STT: 'deepgram', STT_BASE_URL: server.origin, STT_API_KEY: KEY });
const speaks = (server: SpeechServer) => ({ TTS: 'openai', TTS_BASE_URL: `${server.origin}/v1`, TTS_API_KEY: KEY });

/** From the caller's last sound to the recogniser's socket. */
async function earLatencies(turns: number): Promise<number[]> {
  const server = await new SpeechServer({ apiKey: KEY, text: QUESTION }).start();
  const clip = await renderSpeech(QUESTION, 'flite-slt');
  const found: number[] = [];
  try {
    await withService({ ...INSTANT, ...hears(server) }, async (service) => {
      await runCallers(service, 1, async (caller) => {
        await caller.agentSound(0);
        for (let turn = 0; turn < turns; turn++) {
          await caller.agentQuiet(500);
          await pause(100 + ((turn * 131) % 300));
          const from = server.audioSeen.length;
          const lastSentAt = await caller.call.speak(clip);
          await caller.agentSound(lastSentAt);
          const last = server.audioSeen.slice(from).findLast(({ isSound }) => isSound);
          if (last) found.push(last.atMs - lastSentAt);
        }
      });
    });
  } finally {
    await server.stop();
  }
  return found;
}

/** From the first byte of a spoken answer to the first packet of it at the caller. */
async function voiceLatencies(turns: number): Promise<number[]> {
  const server = await new SpeechServer({ apiKey: KEY, delayMs: VOICE_DELAY_MS }).start();
  const clip = await renderSpeech(QUESTION, 'flite-slt');
  const found: number[] = [];
  try {
    for (let round = 0; round < 3; round++) {
      await withService({ ...INSTANT, FAKE_LLM_REPLY: REPLY, ...speaks(server) }, async (service) => {
        await runCallers(service, 1, async (caller) => {
          await caller.agentSound(0);
          for (let turn = 0; turn < turns; turn++) {
            await caller.agentQuiet(500);
            await pause(100 + ((turn * 131) % 300));
            const lastSentAt = await caller.call.speak(clip);
            const heardAt = await caller.agentSound(lastSentAt);
            const first = server.firstBytesAtMs.find((atMs) => atMs > lastSentAt);
            if (first !== undefined) found.push(heardAt - first);
          }
        });
      });
    }
  } finally {
    await server.stop();
  }
  return found;
}

/** Share of a core that one worker uses with `sockets` streams, each fed 20 ms of audio every 20 ms. */
async function socketCost(sockets: number, seconds: number): Promise<number> {
  const { origin, stop } = await serverProcess();
  const before = new Set(threadTimes('self').map(({ tid }) => tid));
  const worker = await ModelWorker.start({
    kind: 'stt',
    engine: 'deepgram',
    environment: { ...process.env, STT_BASE_URL: origin, STT_API_KEY: KEY },
    onLost: (error) => process.stderr.write(`${error.message}\n`),
  });
  const port = worker.connect();
  const send = (request: SttRequest): void => port.postMessage(request);
  const vocabulary = { language: 'en-US', businessName: 'Bench', services: [], questions: [], phrases: [] };
  const calls = Array.from({ length: sockets }, (_, index) => `call_${index}`);
  for (const callId of calls) send({ type: 'open', callId, sampleRateHz: 8_000, vocabulary });
  await pause(2_000);
  for (const callId of calls) send({ type: 'begin', callId, utterance: 1, expects: 'anything' });
  const own = new Set(threadTimes('self').flatMap(({ tid }) => (before.has(tid) ? [] : [tid])));
  const usedMs = (): number => threadTimes('self').reduce((sum, { tid, cpuMs }) => sum + (own.has(tid) ? cpuMs : 0), 0);
  const [startMs, startedAt] = [usedMs(), performance.now()];
  let nextAtMs = startedAt;
  while (performance.now() - startedAt < seconds * 1_000) {
    for (const callId of calls) send({ type: 'audio', callId, utterance: 1, samples: new Int16Array(160).fill(1_000) });
    nextAtMs += 20;
    await pause(Math.max(0, nextAtMs - performance.now()));
  }
  const share = (usedMs() - startMs) / (performance.now() - startedAt);
  port.close();
  await worker.stop();
  stop();
  return share;
}

/** A speech server whose work is not this process's. */
async function serverProcess(): Promise<{ origin: string; stop: () => void }> {
  const child = fork(fileURLToPath(new URL('../rig/fakes/speech-server-process.ts', import.meta.url)), [KEY], {
    execArgv: ['--no-warnings'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)));
    child.once('exit', () => reject(new Error('the speech server did not start')));
  });
  return { origin, stop: () => child.kill() };
}

export default part(USAGE, { turns: 8, sockets: 100, seconds: 20 }, async ({ turns, sockets, seconds }) => {
  const samples: Record<string, number[]> = {
    "caller's last sound to the recogniser's socket": await earLatencies(3 * turns),
    "the voice's first byte to the caller's first packet": await voiceLatencies(turns),
  };
  const rows = Object.entries(samples).map(([name, found]) => rowOf(name, found, 'p95 <= 40'));
  const server = await serverProcess();
  const remote = {
    FAKE_LLM_REPLY: LONG_REPLY,
    STT: 'openai',
    STT_BASE_URL: `${server.origin}/v1`,
    STT_API_KEY: KEY,
    TTS: 'openai',
    TTS_BASE_URL: `${server.origin}/v1`,
    TTS_API_KEY: KEY,
  };
  const { pace } = await measurePacing(20, seconds, remote);
  server.stop();
  rows.push({
    name: "pacing error, 20 calls with remote engines (kernel's clock)",
    summary: summariseBins(pace),
    target: 'p99 <= 2, max <= 10',
  });
  const share = await socketCost(sockets, seconds);
  const cost = `one worker with ${sockets} sockets, all of them sending: ${(share * 100).toFixed(1)} % of a core (target < 20)`;
  return { title: 'Remote engines', rows, samples, notes: [cost] };
});
