// One run of one version: two starts of its service, each figure from outside by the bench of this version. The first
// start has the installation's own engines: what an operator has. The second has models that answer at once, so that
// only the service is measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRaw } from '../../db/sqlite/open.ts';
import { addCalls, FIXTURE_TENANT, FIXTURE_TOKEN } from '../api/calls-fixture.ts';
import { SENTENCES } from '../parts/turn-latency.ts';
import { chooseSilenceThreshold, INSTANT, pause } from '../rig/conversation/scenario.ts';
import { load } from '../rig/measure/http-load.ts';
import { readStat, usageOfTree } from '../rig/measure/process-usage.ts';
import { summarise } from '../rig/measure/statistics.ts';
import { Phones, summariseBins } from '../rig/phone/phones.ts';
import { processesOf, residentMiB } from '../rig/service/engine-threads.ts';
import { type Service, startService } from '../rig/service/service.ts';

/** Figures of one run. */
export interface Run {
  readyMs: number;
  startCpuMs: number;
  restMiB: number;
  pagesPerCoreSecond: number;
  overheadMs: number;
  paceMs: number;
}

export const FIGURES: ReadonlyArray<{ key: keyof Run; name: string; unit: string; worse: 'higher' | 'lower' }> = [
  { key: 'readyMs', name: '`npm start` to the `ready` line, later start', unit: 'ms', worse: 'higher' },
  { key: 'startCpuMs', name: 'processor of that start, two seconds after it', unit: 'ms', worse: 'higher' },
  { key: 'restMiB', name: 'memory of engine and API at rest', unit: 'MiB', worse: 'higher' },
  { key: 'pagesPerCoreSecond', name: 'first page of calls, of one core', unit: 'requests/s', worse: 'lower' },
  { key: 'overheadMs', name: 'overhead of a turn, 20 calls, median', unit: 'ms', worse: 'higher' },
  { key: 'paceMs', name: 'pacing error, 20 calls, p99', unit: 'ms', worse: 'higher' },
];

/** Of the tenant whose page is read. */
const CALLS = 1_000;
const SETTLES_MS = 2_000;
/** From the start on: what a start leaves to be collected is gone. */
const REST_MS = 8_000;
const PAGE_SECONDS = 4;
/** Requests that compile what a page runs. */
const PAGE_WARM = 3_000;
const CONNECTIONS = 16;
const THRESHOLD_MS = 500;
const CALLS_AT_ONCE = 20;
const GAP_MS = 50;
const WARM_MS = 4_000;
const TALK_MS = 10_000;

/** A version's service on a data folder of its own, with calls in it. */
export class Side {
  readonly name: string;
  readonly #root: string;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'voice-guard-'));

  constructor(name: string, root: string) {
    this.name = name;
    this.#root = root;
  }

  /** The first start: schema, demo, and what a start keeps for the next one. */
  async prepare(): Promise<void> {
    await this.#with({}, () => pause(REST_MS));
    const raw = openRaw(join(this.#dataDir, 'voice.db'));
    raw.exec(FIXTURE_TENANT);
    addCalls(raw, CALLS);
    raw.close();
  }

  async run(): Promise<Run> {
    const own = await this.#with({}, async (service) => {
      const pid = service.process.pid ?? 0;
      await pause(SETTLES_MS);
      const startCpuMs = usageOfTree(pid)?.cpuMs ?? Number.NaN;
      await pause(REST_MS - SETTLES_MS);
      const { engine, api } = processesOf(pid);
      const restMiB = residentMiB(engine) + residentMiB(api);
      return { readyMs: service.readyMs, startCpuMs, restMiB, pagesPerCoreSecond: await pages(service, api) };
    });
    return { ...own, ...(await this.#with(INSTANT, talk)) };
  }

  remove(): void {
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #with<T>(environment: Record<string, string>, work: (service: Service) => Promise<T>): Promise<T> {
    const more = { RATE_LIMIT_PER_MINUTE: '100000000', LOG_LEVEL: 'warn', MAX_CALLS: '40' };
    const service = await startService({ ...more, ...environment }, this.#dataDir, this.#root);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  }
}

/** Requests a second of the API's processor time. */
async function pages(service: Service, api: number): Promise<number> {
  const { hostname: host, port } = new URL(service.apiUrl);
  const what = { host, port: Number(port), token: FIXTURE_TOKEN, paths: ['/api/v1/calls?limit=20'] };
  await load({ ...what, connections: CONNECTIONS, seconds: 1, requestsMin: PAGE_WARM });
  const before = readStat(api)?.cpuMs ?? Number.NaN;
  const { requests, failures } = await load({ ...what, connections: CONNECTIONS, seconds: PAGE_SECONDS });
  if (failures > 0) throw new Error(`${failures} of ${requests} pages were refused`);
  return (requests * 1_000) / ((readStat(api)?.cpuMs ?? Number.NaN) - before);
}

async function talk(service: Service): Promise<Pick<Run, 'overheadMs' | 'paceMs'>> {
  await chooseSilenceThreshold(service, THRESHOLD_MS);
  const phones = await Phones.start({ sipAddress: service.sipAddress, sentences: SENTENCES });
  try {
    await phones.begin(CALLS_AT_ONCE, GAP_MS);
    await pause(WARM_MS);
    await phones.figures();
    await pause(TALK_MS);
    const { up, turnsMs, pace } = await phones.figures();
    if (up !== CALLS_AT_ONCE) throw new Error(`${up} of ${CALLS_AT_ONCE} calls were up`);
    return { overheadMs: summarise(turnsMs).p50 - THRESHOLD_MS, paceMs: summariseBins(pace).p99 };
  } finally {
    await phones.stop();
  }
}
