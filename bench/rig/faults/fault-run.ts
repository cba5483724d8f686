// Runs the service under load during a disturbance, then examines the results (promises.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { INSTANT, pause } from '../conversation/scenario.ts';
import { KillableProcess } from '../service/killable-process.ts';
import { addCampaign, addTrunk } from '../service/outbound-setup.ts';
import { type Receiver, startReceiver, TEST_AUTHORITY } from '../service/receiver.ts';
import type { Rest } from '../service/rest.ts';
import { freshEnvironment } from '../service/service.ts';
import { clientOf, FarSide, type Load, type LoadTarget, runLoad } from './fault-load.ts';
import { type Examination, examine, settle } from './promises.ts';

/** The objects available to a disturbance. */
export interface Scene {
  engine: KillableProcess;
  api: KillableProcess;
  client: Rest;
  apiUrl: string;
  sipAddress: string;
  dataDir: string;
  random: () => number;
  log(line: string): void;
}

interface FaultRun {
  seed: number;
  /** Runs before the load, with the service idle. */
  calm?(scene: Scene): Promise<void>;
  /** Runs under load; the load continues for a moment after it has resolved. */
  disturb(scene: Scene): Promise<void>;
  log(line: string): void;
  environment?: Record<string, string>;
  /** Default: a temporary folder. */
  dataDir?: string;
  losesAudio?: boolean;
  latenessSeconds?: number;
}

export type FaultReport = Examination & { load: Load };

const CONTACTS = 900;
/** Load before the disturbance, so that calls are up when it starts, and after it. */
const LEAD_MS = 1_500;
const TRAIL_MS = 1_000;

export async function runFault(run: FaultRun): Promise<FaultReport> {
  const { seed, log, losesAudio = false, latenessSeconds = 0 } = run;
  const dataDir = run.dataDir ?? mkdtempSync(join(tmpdir(), 'voice-fault-'));
  const farSide = await FarSide.start(seededRandom(seed + 1));
  const receiver = await startReceiver();
  const environment = { ...serviceEnvironment(dataDir), ...run.environment };
  const engine = new KillableProcess('engine', environment);
  const api = new KillableProcess('api', environment);
  try {
    engine.start();
    api.start();
    const [sipUri, apiUrl] = await Promise.all([engine.ready(), api.ready()]);
    const client = clientOf(apiUrl);
    const { target, dialledCampaign } = await prepare(client, farSide, receiver, { sipUri, apiUrl });
    const { sipAddress } = target;
    const scene = { engine, api, client, apiUrl, sipAddress, dataDir, random: seededRandom(seed), log };
    await run.calm?.(scene);
    let isOver = false;
    const loading = runLoad(target, seededRandom(seed + 2), () => isOver);
    await pause(LEAD_MS);
    await run.disturb(scene);
    await Promise.all([engine.ready(), api.ready()]);
    await pause(TRAIL_MS);
    isOver = true;
    const load = await loading;
    await untilDone(() => client.must('POST', `/campaigns/${dialledCampaign}/pause`));
    await settle({ dataDir, farSide }, log);
    const witnesses = { dataDir, client, load, farSide, receiver, losesAudio, latenessSeconds };
    return { load, ...(await examine(witnesses)) };
  } catch (error) {
    log(`engine:\n${engine.output().slice(-12_000)}\napi:\n${api.output().slice(-12_000)}`);
    throw error;
  } finally {
    await engine.stop();
    await api.stop();
    await farSide.stop();
    await receiver.close();
    if (run.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

function serviceEnvironment(dataDir: string): Record<string, string> {
  return {
    ...INSTANT,
    ...freshEnvironment(dataDir),
    MAX_CALLS: '100',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_PRIVATE: '1',
    NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
  };
}

async function prepare(
  client: Rest,
  farSide: FarSide,
  receiver: Receiver,
  { sipUri, apiUrl }: { sipUri: string; apiUrl: string },
): Promise<{ target: LoadTarget; dialledCampaign: string }> {
  await client.login();
  const trunkId = await addTrunk(client, farSide.port, { maxConcurrentCalls: 90, callsPerSecond: 50 });
  const events = ['call.started', 'call.received', 'call.ended', 'call.failed', 'call.voicemail', 'call.resumed'];
  await client.must('POST', '/webhooks', { url: receiver.url('/hook'), events });
  const number = await demoNumber(client);
  const { id } = await addCampaign(client, trunkId, '+12025550142', { maxAttempts: 1, maxConcurrentCalls: 2 });
  const contacts = Array.from({ length: CONTACTS }, (_, index) => ({
    phoneNumber: `+1415${String(4_000_000 + index)}`,
    name: `Contact ${index}`,
  }));
  await client.must('POST', `/campaigns/${id}/contacts`, { contacts });
  await client.must('POST', `/campaigns/${id}/start`);
  const target = { apiUrl, sipAddress: sipUri.replace(/^sip:/, ''), client, ...number };
  return { target, dialledCampaign: id };
}

async function demoNumber(client: Rest): Promise<{ campaignId: string; phoneNumberId: string }> {
  const numbers = await client.must('GET', '/phone-numbers');
  const number = numbers.find(({ campaignId }) => campaignId !== null);
  if (!number?.campaignId) throw new Error('there is no demo number');
  return { phoneNumberId: number.id, campaignId: number.campaignId };
}

/** The service may still be recovering. @throws the last error after 30 s */
async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + 30_000;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      // The campaign has ended, or an attempt with a lost answer has paused it.
      if ((error as { status?: number }).status === 409) return;
      if (performance.now() > until) throw error;
    }
    await pause(500);
  }
}
