// Calls with one engine, more and more at once, until their turns are answered later than the bound.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { localName } from '../../models/install/local-models.ts';
import { SENTENCES, takeTurns } from '../parts/turn-latency.ts';
import { chooseSilenceThreshold, pause, runCallers } from '../rig/conversation/scenario.ts';
import { summarise } from '../rig/measure/statistics.ts';
import { reservePort } from '../rig/network/reserved-port.ts';
import { engineUsage, processesOf } from '../rig/service/engine-threads.ts';
import { Rest } from '../rig/service/rest.ts';
import { type Service, startService } from '../rig/service/service.ts';
import { environmentOf, type LocalEngine } from './engines.ts';

/** The silence that ends a turn, where the engine is none that ends turns. */
export const THRESHOLD_MS = 500;
/** The engine tries its models after the start, while nobody calls. */
const MEASURED_WITHIN_MS = 60_000;
const REST_MS = 3_000;
/** After "let me see" the first answer of a model that reads its instructions comes within this time. */
const READ_WITHIN_MS = 5_000;
const MIB_A_MB = 1.048576;

export interface Round {
  calls: number;
  turns: number;
  /** From the caller's last frame to the agent's first sound, ms. */
  p50: number;
  p95: number;
  /** Calls that failed or got no answer. */
  failed: number;
  /** Utterances and texts for which the built-in engine stood in, because the engine took too long: none of its own. */
  stoodIn: number;
}

interface Talked {
  rounds: Round[];
  /** The engine process at rest after the calls, MB. */
  megabytes: number;
  /** Calls that follow from cores and measured factors where MAX_CALLS is not set, and why. */
  carries: string;
  /** By outcome, pauses that a model of turn ends judged. */
  judged: string;
  /** The voice that spoke, as GET /voices names it; '' where the engine is none. */
  voice: string;
}

interface TalkOptions {
  folder: string;
  /** Of the engine's server; empty without one. */
  base: string;
  /** At once, rising. */
  calls: readonly number[];
  turns: number;
  boundMs: number;
}

export async function talk(engine: LocalEngine, options: TalkOptions): Promise<Talked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'local-engines-'));
  for (const model of engine.models)
    cpSync(join(options.folder, 'models', model), join(dataDir, 'models', model), { recursive: true });
  const metricsPort = await reservePort();
  const own = environmentOf(engine, options.base);
  const environment = { ...own, MAX_CALLS: '100', METRICS_PORT: String(metricsPort) };
  try {
    const service = await startService({ ...environment, LOG_LEVEL: 'warn' }, dataDir);
    try {
      if (!engine.endsTurns) await chooseSilenceThreshold(service, THRESHOLD_MS);
      if (!engine.prepares) await prepareNothing(service);
      const voice = await speakWith(service, own.TTS ?? '');
      const carries = await carriedBy(service);
      const rounds = await roundsOf(service, engine, { ...options, metricsPort });
      const { engine: pid } = processesOf(service.process.pid ?? 0);
      const megabytes = engineUsage(pid).rssMiB * MIB_A_MB;
      return { rounds, megabytes, carries, voice, judged: engine.endsTurns ? await judgedBy(metricsPort) : '' };
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A reply that is prepared while the turn may still go on would hide what an engine takes. */
async function prepareNothing(service: Service): Promise<void> {
  const rest = new Rest(service);
  const [agent] = await rest.must('GET', '/agents');
  await rest.must('PATCH', `/agents/${agent?.id}`, { conversation: { guessing: false } });
}

/**
 * Lets the agent speak with the engine's own voice, because with another one it would measure that.
 * @returns the voice; '' where the engine is none of this machine
 * @throws Error when the service has refused the engine, and offers no voice of it
 */
async function speakWith(service: Service, engine: string): Promise<string> {
  if (localName(engine) === null) return '';
  const rest = new Rest(service);
  const [agent] = await rest.must('GET', '/agents');
  const own = (await rest.must('GET', '/voices')).find((voice) => voice.engine === engine);
  if (own === undefined) throw new Error(`the service refused ${engine}`);
  await rest.must('PATCH', `/agents/${agent?.id}`, { voiceId: own.id });
  return own.id;
}

async function roundsOf(
  service: Service,
  { readsFirst = false }: LocalEngine,
  { calls, turns, boundMs, metricsPort }: TalkOptions & { metricsPort: number },
): Promise<Round[]> {
  const clips = await Promise.all(
    SENTENCES.map(async (sentence) => ({ samples: await renderSpeech(sentence, 'flite-slt') })),
  );
  const rounds: Round[] = [];
  for (const count of calls) {
    const gaps: number[] = [];
    const before = await standIns(metricsPort);
    const failures = await runCallers(service, count, async (caller) => {
      if (readsFirst) {
        await takeTurns(caller, 1, clips, []);
        await caller.agentQuiet(READ_WITHIN_MS);
      }
      await takeTurns(caller, turns, clips, gaps);
    });
    const { p50, p95 } = summarise(gaps);
    const stoodIn = (await standIns(metricsPort)) - before;
    rounds.push({ calls: count, turns: gaps.length, p50, p95, failed: failures.length, stoodIn });
    if (failures.length > 0 || p95 > boundMs) break;
    await pause(REST_MS);
  }
  return rounds;
}

/** The calls that the engine would carry by its own measurement. */
async function carriedBy(service: Service): Promise<string> {
  const rest = new Rest(service);
  const untilMs = performance.now() + MEASURED_WITHIN_MS;
  for (;;) {
    const { calls } = await rest.must('GET', '/admin/status');
    const limit = calls?.limit ?? null;
    const sources = limit === null ? ['assumed'] : [limit.stt.source, limit.tts.source];
    if (!sources.includes('assumed') || performance.now() > untilMs)
      return limit === null ? '' : `${limit.carries} (${sources.join(', ')})`;
    await pause(1_000);
  }
}

const metricsOf = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

async function standIns(metricsPort: number): Promise<number> {
  const counts = (await metricsOf(metricsPort)).matchAll(/^voice_model_fallbacks_total(?:\{.*?\})? (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function judgedBy(metricsPort: number): Promise<string> {
  const text = await metricsOf(metricsPort);
  const counts = text.matchAll(/^voice_turn_ends_total\{.*?outcome="(\w+)".*?\} (\d+)$/gm);
  return [...counts].map(([, outcome, count]) => `${count} ${outcome}`).join(', ');
}
