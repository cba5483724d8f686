// Starts the API's background work: its heartbeat, the delivery of webhooks, the jobs of jobs.ts, and `GET /metrics` if
// METRICS_PORT is set.
import type { ApiContext } from '../context.ts';
import { startDelivery } from '../delivery/background.ts';
import type { DispatcherStats } from '../delivery/dispatcher.ts';
import { startMetricsServer } from '../metrics/server.ts';
import { startPeers } from '../peers/peer-heartbeat.ts';
import { type BackgroundWork, startJobs } from './job.ts';
import { JOBS } from './jobs.ts';

export function startBackground(context: ApiContext): Promise<BackgroundWork[]> {
  const delivery = startDelivery(context);
  return Promise.all([
    startPeers(context),
    delivery,
    startMetrics(context, () => delivery.stats()),
    startJobs(JOBS, context),
  ]);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

async function startMetrics(context: ApiContext, delivery: () => DispatcherStats): Promise<BackgroundWork> {
  const { apiHost: host, metricsPort } = context.config;
  if (metricsPort === null) return { stop: async () => {} };
  const { port, close } = await startMetricsServer(context, { host, port: metricsPort, delivery });
  if (!isLoopback(host)) context.log.warn({ host, port }, 'metrics are served beyond this machine, without a token');
  return { ports: { METRICS_PORT: String(port) }, stop: close };
}
