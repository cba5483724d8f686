// Browser calls by WebRTC beside browser calls by their socket: what one costs the engine, and how even the agent's
// frames arrive. The callers are one Node process, which measures with its own clock: its own unevenness counts too,
// for both.

import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { FRAME_MS, joinSamples } from '../../media/frame.ts';
import { OPUS_RATE_HZ } from '../../media/opus.ts';
import { INSTANT, pause, withService } from '../rig/conversation/scenario.ts';
import { type Row, rowOf, table } from '../rig/measure/statistics.ts';
import { reservePort } from '../rig/network/reserved-port.ts';
import { part } from '../rig/part.ts';
import { engineUsage, processesOf } from '../rig/service/engine-threads.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';
import { BrowserCaller, type Frame } from '../rig/webrtc/browser-caller.ts';
import { everyFrame, framesOf } from '../rig/webrtc/frames.ts';
import { WebRtcPhone } from '../rig/webrtc/webrtc-phone.ts';
import { SENTENCES } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- webrtc [--calls N] [--seconds N] [--rounds N]
  N browser calls at once (default 20), measured for N seconds (default 20) by WebRTC and by the socket, N times in turn
  (default 2)`;

const PAUSE_MS = 3_000;
const WARM_MS = 5_000;

type Path = BrowserCaller['path'];

/** Sentences with pauses between them, again and again. */
async function microphone(): Promise<Frame[]> {
  const pieces = await Promise.all(
    SENTENCES.map(async (sentence) => resampleWhole(await renderSpeech(sentence, 'flite-slt'), 8_000, OPUS_RATE_HZ)),
  );
  const silence = new Int16Array((OPUS_RATE_HZ * PAUSE_MS) / 1_000);
  return framesOf(joinSamples(pieces.flatMap((piece) => [piece, silence])));
}

interface Measured {
  path: Path;
  intervalErrorsMs: number[];
  connectMs: number[];
  /** Of one call, % of a core: all of the engine, and its media threads. */
  corePercent: number;
  shardPercent: number;
  /** Calls whose audio went by another path than asked for. */
  astray: number;
  /** By the engine's own clock: |interval - 20 ms| of its sends, ms. */
  pacing: { p99: string; max: string };
}

/** Of the minute before, as Prometheus would read it. */
async function pacingOf(metricsPort: number): Promise<Measured['pacing']> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const at = (quantile: string): string => {
    const [, seconds] =
      new RegExp(`^voice_pacing_error_seconds\\{.*quantile="${quantile}".*\\} (.*)$`, 'm').exec(text) ?? [];
    return (Number(seconds) * 1_000).toFixed(1);
  };
  return { p99: at('0.99'), max: at('1') };
}

async function measure(
  service: Service,
  path: Path,
  { calls, seconds, metricsPort }: { calls: number; seconds: number; metricsPort: number },
): Promise<Measured> {
  const rest = new Rest(service);
  const [campaign] = await rest.must('GET', '/campaigns');
  const frames = await microphone();
  const { engine } = processesOf(service.process.pid ?? 0);
  const callers: BrowserCaller[] = [];
  const stop = everyFrame((tick) => {
    for (const [index, caller] of callers.entries()) caller.send(frames[(tick + index * 37) % frames.length] as Frame);
  });
  for (let index = 0; index < calls; index++) {
    const { body } = await rest.request('POST', '/calls/web', { campaignId: campaign?.id });
    callers.push(await BrowserCaller.join(body.data.socketUrl, path === 'webrtc' ? await WebRtcPhone.open() : null));
    await pause(100);
  }
  await pause(WARM_MS);
  for (const caller of callers) caller.arrivals = [];
  const before = engineUsage(engine);
  const startMs = performance.now();
  await pause(seconds * 1_000);
  const after = engineUsage(engine);
  const elapsedMs = performance.now() - startMs;
  stop();
  const used = (kind: string): number => (after.cpuMs.get(kind) ?? 0) - (before.cpuMs.get(kind) ?? 0);
  const all = [...after.cpuMs.keys()].reduce((sum, kind) => sum + used(kind), 0);
  const percent = (ms: number): number => (ms * 100) / elapsedMs / calls;
  const measured: Measured = {
    path,
    intervalErrorsMs: callers.flatMap(({ arrivals }) =>
      arrivals.slice(1).map((atMs, index) => Math.abs(atMs - (arrivals[index] as number) - FRAME_MS)),
    ),
    connectMs: callers.flatMap(({ connectMs }) => connectMs ?? []),
    corePercent: percent(all),
    shardPercent: percent(used('shard')),
    astray: callers.filter((caller) => caller.path !== path).length,
    pacing: await pacingOf(metricsPort),
  };
  for (const caller of callers) caller.close();
  await rest.eventually('all calls to end', async () => (await rest.must('GET', '/live')).length === 0);
  return measured;
}

export default part(USAGE, { calls: 20, seconds: 20, rounds: 2 }, async ({ calls, seconds, rounds }) => {
  const measured: Measured[] = [];
  const metricsPort = await reservePort();
  const environment = { ...INSTANT, MAX_CALLS: String(calls + 5), METRICS_PORT: String(metricsPort) };
  for (let round = 0; round < rounds; round++) {
    for (const path of ['webrtc', 'socket'] as const) {
      // A service each: its figures are of the last minute.
      await withService(environment, async (service) => {
        measured.push(await measure(service, path, { calls, seconds, metricsPort }));
      });
    }
  }
  const rows: Row[] = (['webrtc', 'socket'] as const).map((path) => {
    const own = measured.filter((each) => each.path === path);
    return rowOf(
      `|interval - 20 ms|, ${path}`,
      own.flatMap(({ intervalErrorsMs }) => intervalErrorsMs),
    );
  });
  rows.push(
    rowOf(
      'offer to keys',
      measured.flatMap(({ connectMs }) => connectMs),
    ),
  );
  const lines = table(
    ['path', '% of a core a call, engine', 'its media thread', 'engine paces, p99 ms', 'max', 'calls astray'],
    measured.map(({ path, corePercent, shardPercent, pacing, astray }) => [
      ...[path, corePercent.toFixed(2), shardPercent.toFixed(2), pacing.p99, pacing.max, astray],
    ]),
  );
  return { title: `Browser calls by WebRTC and by their socket, ${calls} at once`, rows, lines, data: { calls } };
});
