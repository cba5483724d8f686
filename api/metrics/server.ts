// `GET /metrics` on its own port, so that only Prometheus can reach it. It needs no token and reveals nothing about
// tenants.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitingTexts } from '../../db/queries/conversations/messages.ts';
import { namedTrunkStates } from '../../db/queries/trunks/trunk-states.ts';
import { queueState } from '../../db/queries/webhooks/events.ts';
import { createEngineMetrics, type EngineMetrics } from '../../db/shared/metrics.ts';
import { type EventLoopWatch, watchEventLoop } from '../../db/shared/process/event-loop.ts';
import { portFault } from '../../db/shared/settings/ports.ts';
import type { ApiContext } from '../context.ts';
import type { DispatcherStats } from '../delivery/dispatcher.ts';
import { type Engines, notRunning, readEngines, readLostEngines } from '../peers/engines.ts';
import { type EngineStateLabel, exposition, expositionWithoutDatabase } from './exposition.ts';

const FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

interface MetricsOptions {
  host: string;
  port: number;
  delivery(): DispatcherStats;
}

interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

export async function startMetricsServer(context: ApiContext, options: MetricsOptions): Promise<MetricsServer> {
  const eventLoop = watchEventLoop();
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (path !== '/metrics') return answer(response, 404, 'text/plain', 'GET /metrics\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, 'text/plain', 'GET /metrics\n');
    collect(context, options, eventLoop).then(
      (text) => answer(response, 200, FORMAT, text),
      (error) => {
        if (!context.outage.explains(error)) {
          context.log.error({ code: (error as { code?: string }).code }, 'could not read the metrics');
        }
        answer(response, 200, FORMAT, expositionWithoutDatabase());
      },
    );
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portFault('METRICS_PORT', options, error)));
    server.listen(options.port, options.host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        eventLoop.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

async function collect(context: ApiContext, options: MetricsOptions, eventLoop: EventLoopWatch): Promise<string> {
  const engines = await readEngines(context, context.read);
  const queue = await queueState(context.read);
  const waiting = await waitingTexts(context.read);
  const nowMs = context.now();
  return exposition({
    engines: (engines.up.length > 0 ? engines.up : engines.newest === undefined ? [] : [engines.newest]).map(
      ({ hostname, metrics }) => ({ name: hostname, figures: snapshot(metrics) }),
    ),
    engineUp: engines.reason === null,
    places: engines.up.map(({ hostname, maxCalls }) => ({ name: hostname, maxCalls })),
    engineStates: countStates(engines, await readLostEngines(context), nowMs + context.skewMs()),
    trunks: await namedTrunkStates(context.read),
    disk: context.probes.probed.disk,
    eventLoopDelaySeconds: eventLoop.read(),
    delivery: options.delivery(),
    queue: aged(queue, nowMs),
    widgetRefusals: context.widgetRefusals.totals,
    providerSignIns: context.signInProvider?.totals ?? {},
    texts: { texts: aged(waiting.texts, nowMs), answers: aged(waiting.answers, nowMs) },
  });
}

const aged = ({ depth, oldestAt }: { depth: number; oldestAt: number | null }, nowMs: number) => ({
  depth,
  oldestAgeSeconds: oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt) / 1_000,
});

function countStates(
  { up, known }: Engines,
  lost: readonly unknown[],
  nowMs: number,
): Record<EngineStateLabel, number> {
  const counts = { up: up.length, starting: 0, draining: 0, away: 0, lost: lost.length };
  for (const engine of known) {
    if (up.includes(engine)) continue;
    const isAway = notRunning(engine, nowMs) !== null || engine.state === 'up';
    counts[isAway ? 'away' : engine.state === 'draining' ? 'draining' : 'starting']++;
  }
  return counts;
}

/** An engine of another release may report fewer figures; the missing ones are zero. */
function snapshot(json: string): EngineMetrics {
  return { ...createEngineMetrics(), ...(JSON.parse(json) as Partial<EngineMetrics>) };
}
