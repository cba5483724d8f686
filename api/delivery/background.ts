// Starts webhook delivery with the API, and `GET /metrics` if METRICS_PORT is set.
import type { ApiContext } from '../context.ts';
import { startMetricsServer } from '../metrics/server.ts';
import { Dispatcher } from './dispatcher.ts';

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

export async function startDelivery(
  context: ApiContext,
): Promise<{ ports: Record<string, string>; stop(): Promise<void> }> {
  const dispatcher = new Dispatcher(context);
  dispatcher.start();
  const { apiHost, metricsPort } = context.config;
  const metrics =
    metricsPort === null
      ? null
      : await startMetricsServer(context, { host: apiHost, port: metricsPort, delivery: () => dispatcher.stats() });
  if (metrics !== null && !isLoopback(apiHost)) {
    context.log.warn({ host: apiHost, port: metrics.port }, 'metrics are served beyond this machine, without a token');
  }
  return {
    ports: metrics ? { METRICS_PORT: String(metrics.port) } : {},
    async stop() {
      await Promise.all([dispatcher.stop(), metrics?.close()]);
    },
  };
}
