// Capacity: how many calls one core carries with models that answer at once, by the protocol of the published figures:
// calls are added until more than 0.5 % of them fail or a turn takes 25 % longer than that of a single call. The engine
// has one core to itself, the callers (`phones.c`) the other. Then three times as many calls are offered as it carries.
import { loadavg } from 'node:os';
import { chooseSilenceThreshold, INSTANT, pause } from '../rig/conversation/scenario.ts';
import { withPinnedEngine } from '../rig/measure/cores.ts';
import { type Carried, climb, type Ramp } from '../rig/measure/ramp.ts';
import { linePlot, type Summary, summarise, table } from '../rig/measure/statistics.ts';
import { openTlsDoor } from '../rig/network/tls-door.ts';
import type { Values } from '../rig/options.ts';
import { part } from '../rig/part.ts';
import { type PhoneFigures, Phones, type PhonesOptions, summariseBins } from '../rig/phone/phones.ts';
import { type EngineUsage, engineUsage } from '../rig/service/engine-threads.ts';
import type { Service } from '../rig/service/service.ts';
import { SENTENCES } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- capacity [--calls N,…] [--seconds N] [--warmup N] [--turns N] [--loss PERCENT] [--srtp] [--offer FACTOR] [--raw]
  N calls at a time, one step after the other (default 1,20,40,…,300), each measured for N seconds (default 30) and at
  least N turns (default 24) after a warm-up of N seconds with 20 calls (default 30); PERCENT of the callers' packets are lost (default 0); finally FACTOR
  times the carried calls are offered (default 3; 0: none);
  --srtp: the callers signal over TLS and encrypt the audio, as the engine does;
  --raw: the engine accepts calls even if it is late (REFUSE_WHEN_LATE=0), to find where it breaks and not where it refuses
  needs: a C compiler, taskset and two cores; --srtp: OpenSSL's headers`;

const LADDER = [1, ...Array.from({ length: 15 }, (_, step) => 20 * (step + 1))];
const THRESHOLD_MS = 500;
/** About what a turn takes. */
const TURN_SECONDS = 4.5;
/** Between two INVITEs: 20 a second. */
const GAP_MS = 50;
/**
 * Beyond this many calls the ramp adds one a second: a core that has not carried more admits two, and a stall may bunch
 * them.
 */
const FEW_CALLS = 60;
const RAMP_GAP_MS = 1_000;
const SETTLE_MS = 5_000;
const WARM_CALLS = 20;

export interface Step {
  /** Calls offered so far, and calls up at the end. */
  offered: number;
  up: number;
  turns: Summary;
  pace: Summary;
  late: number;
  refused: number;
  failed: number;
  early: number;
  answerP99Ms: number;
  /** Of a core, by kind of thread. */
  cpu: Record<string, number>;
  rssMiB: number;
  load: number;
}

const DEFAULTS = {
  calls: LADDER,
  seconds: 30,
  warmup: 30,
  turns: 24,
  loss: 0,
  srtp: false,
  offer: 3,
  raw: false,
} as const;

export default part(USAGE, DEFAULTS, async (options) => {
  const [{ steps, good, over }, isPinned] = await rampUp(options);
  const most = good?.up ?? 0;
  // A heap that has carried as many calls before: the first calls of a process also bring its code.
  const warm = steps.find(({ up }) => up >= WARM_CALLS);
  const perCallMiB = good && warm && good !== warm ? (good.rssMiB - warm.rssMiB) / (good.up - warm.up) : Number.NaN;
  const offered = options.offer > 0 && most > 0 ? await offerMore(most, options) : [];
  const lines = [
    isPinned
      ? 'Engine on one core, callers and API on the other.'
      : '**Not pinned: engine and callers shared the cores.**',
    ...(options.srtp ? ['', 'Signalling over TLS, audio as SRTP.'] : []),
    ...(options.raw ? ['', 'Calls are taken however late the engine is.'] : []),
    '',
    ...stepTables(steps),
    '',
    `**${over ? '' : 'At least '}${most} calls a core**${over ? `; over at ${over.up}` : ''}. ` +
      `Memory: ${perCallMiB.toFixed(2)} MiB a call (goal: at most 1.5).`,
    ...(offered.length === 0
      ? []
      : ['', `## Up to ${options.offer} times as many are offered`, '', ...stepTables(offered)]),
  ];
  const curve = (of: (step: Step) => number) => steps.map((step) => ({ x: step.up, y: of(step) }));
  linePlot('capacity', 'Turn latency (ms) by calls on one core', 'calls', {
    p50: curve(({ turns }) => turns.p50),
    p95: curve(({ turns }) => turns.p95),
  });
  const kinds = [...new Set(steps.flatMap(({ cpu }) => Object.keys(cpu)))];
  const cpuCurves = kinds.map((kind) => [kind, curve(({ cpu }) => cpu[kind] ?? 0)] as const);
  linePlot('capacity-cpu', 'Processor time by thread (% of a core)', 'calls', Object.fromEntries(cpuCurves));
  return { title: 'Calls a core', lines, data: { isPinned, most, perCallMiB, steps, offered } };
});

type Options = Values<typeof DEFAULTS>;

interface Callers {
  /** Of the warm-up. */
  warmup: number;
  loss?: number;
  srtp?: boolean;
}

/**
 * Callers at the pinned engine, after a warm-up; over TLS where they want it. Beside the result, whether the engine
 * could be pinned.
 */
export async function withPhones<T>(
  environment: Record<string, string>,
  { warmup, loss = 0, srtp = false }: Callers,
  run: (phones: Phones, engine: number) => Promise<T>,
): Promise<[result: T, isPinned: boolean]> {
  const door = srtp ? await openTlsDoor() : null;
  try {
    return await withPinnedEngine({ ...environment, ...door?.environment }, async (service, engine, isPinned) => {
      await chooseSilenceThreshold(service, THRESHOLD_MS);
      await warmUp(service.sipAddress, warmup);
      const phones = await startPhones(door?.address ?? service.sipAddress, { lossPercent: loss, secure: srtp });
      try {
        return [await run(phones, engine), isPinned];
      } finally {
        printRefusals(service);
        await phones.stop();
      }
    });
  } finally {
    door?.close();
  }
}

function rampUp({ calls, raw, ...options }: Options): Promise<[Ramp<Step>, boolean]> {
  const environment = { MAX_CALLS: '4000', REFUSE_WHEN_LATE: raw ? '0' : '1', ...INSTANT };
  return withPhones(environment, options, (phones, engine) =>
    climb(calls, carriedBy, async (count, before) => {
      await add(phones, before?.offered ?? 0, count);
      return measure(phones, engine, { ...options, count });
    }),
  );
}

/** The same with admission as it comes, in a rush far beyond what was carried. */
async function offerMore(most: number, { offer, ...options }: Options): Promise<Step[]> {
  const [steps] = await withPhones({ MAX_CALLS: '4000', ...INSTANT }, options, async (phones, engine) => {
    const made: Step[] = [];
    for (const share of [0.5, 1, (1 + offer) / 2, offer]) {
      const count = Math.round(most * share);
      const offered = made.at(-1)?.offered ?? 0;
      if (share > 1) await phones.begin(count - offered, GAP_MS);
      else await add(phones, offered, count);
      made.push(await measure(phones, engine, { ...options, count }));
    }
    return made;
  });
  return steps;
}

/** Adds calls from one number to the other. */
export async function add(phones: Phones, from: number, to: number): Promise<void> {
  const few = Math.max(0, Math.min(to, FEW_CALLS) - from);
  await phones.begin(few, GAP_MS);
  await phones.begin(to - from - few, RAMP_GAP_MS);
}

/** Prints the engine's log lines about times without admission. */
function printRefusals(service: Service): void {
  const lines = service.output().split('\n');
  for (const line of lines)
    if (/too late for more calls|calls come faster/.test(line)) process.stdout.write(`${line}\n`);
}

const startPhones = (sipAddress: string, how: Pick<PhonesOptions, 'lossPercent' | 'secure'> = {}): Promise<Phones> =>
  Phones.start({ sipAddress, sentences: SENTENCES, ...how });

/** The first calls of a process are its slowest. */
async function warmUp(sipAddress: string, seconds: number): Promise<void> {
  if (seconds === 0) return;
  const phones = await startPhones(sipAddress);
  await phones.begin(WARM_CALLS, GAP_MS);
  await pause(seconds * 1_000);
  await phones.stop();
}

export async function measure(
  phones: Phones,
  engine: number,
  { count, seconds, turns }: { count: number; seconds: number; turns: number },
): Promise<Step> {
  await pause(SETTLE_MS);
  const begun = await phones.figures();
  const [before, startedAtMs] = [engineUsage(engine), performance.now()];
  await pause(Math.max(seconds, (turns * TURN_SECONDS) / count) * 1_000);
  const [after, figures] = [engineUsage(engine), await phones.figures()];
  const step = stepOf(
    count,
    { begun, figures },
    cpuShares(before, after, performance.now() - startedAtMs),
    after.rssMiB,
  );
  process.stdout.write(`${cellsOf(step).join(' | ')}\n`);
  return step;
}

function stepOf(
  offered: number,
  { begun, figures }: { begun: PhoneFigures; figures: PhoneFigures },
  cpu: Record<string, number>,
  rssMiB: number,
): Step {
  const both = (of: (each: PhoneFigures) => number): number => of(begun) + of(figures);
  return {
    offered,
    up: figures.up,
    turns: summarise(figures.turnsMs),
    pace: summariseBins(figures.pace),
    late: figures.late,
    refused: both(({ refused }) => refused),
    failed: both(({ failed, dropped, silent }) => failed + dropped + silent),
    early: figures.early,
    answerP99Ms: summarise(begun.answersMs).p99,
    cpu,
    rssMiB,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

function cpuShares(before: EngineUsage, after: EngineUsage, elapsedMs: number): Record<string, number> {
  const shares = [...after.cpuMs].map(([thread, ms]) => {
    const share = (100 * (ms - (before.cpuMs.get(thread) ?? 0))) / elapsedMs;
    return [thread, Math.round(share * 10) / 10] as const;
  });
  return Object.fromEntries(shares.filter(([, share]) => share >= 0.1));
}

const carriedBy = ({ offered, failed, refused, turns }: Step): Carried => ({
  calls: Math.max(1, offered),
  failed: failed + refused,
  p50Ms: turns.p50,
});

const COLUMNS =
  'offered | up | refused | failed | turn p50 (ms) | p95 | p99 | early | pacing p99 (ms) | max | late | INVITE to 200 p99 (ms) | core | RSS (MiB) | load';

/** Threads with their own columns, always the same, so that runs can be merged; other threads are summed up. */
const THREADS = ['shard', 'vad', 'control', 'node', 'stt', 'tts', 'libuv-worker'];

export function stepTables(steps: readonly Step[]): string[] {
  return [
    ...table(COLUMNS.split(' | '), steps.map(cellsOf)),
    '',
    'Of the core, in %, by thread:',
    '',
    ...table(['calls', ...THREADS, 'other'], steps.map(threadCells)),
  ];
}

function threadCells({ up, cpu }: Step): number[] {
  const known = THREADS.map((thread) => cpu[thread] ?? 0);
  const other = Object.entries(cpu).reduce((sum, [thread, share]) => (THREADS.includes(thread) ? sum : sum + share), 0);
  return [up, ...known, Math.round(other * 10) / 10];
}

function cellsOf(step: Step): Array<string | number> {
  const { turns, pace, cpu } = step;
  const core = Object.values(cpu).reduce((sum, share) => sum + share, 0);
  const cells = [step.offered, step.up, step.refused, step.failed, turns.p50, turns.p95, turns.p99, step.early];
  const answerP99Ms = Number.isNaN(step.answerP99Ms) ? '' : step.answerP99Ms;
  const busy = [`${core.toFixed(0)} %`, step.rssMiB.toFixed(0), step.load];
  return [...cells, pace.p99, pace.max, step.late, answerP99Ms, ...busy];
}
