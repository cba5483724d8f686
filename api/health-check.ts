// The health check of a container: `node api/health-check.ts [/healthz | /readyz]` ends with 0 when the API answers
// 200.
import { messageOf } from '../db/domain/unexpected.ts';
import { readApiConfig } from './config.ts';

const WAIT_MS = 4_000;
/** The address of a server that listens on every address. */
const SELF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const [path = '/healthz'] = process.argv.slice(2);
const { apiHost, apiPort } = readApiConfig(process.env);
const host = SELF[apiHost] ?? apiHost;
const url = `http://${host.includes(':') ? `[${host}]` : host}:${apiPort}${path}`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
  process.stdout.write(`${response.status} ${(await response.text()).slice(0, 500)}\n`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${url}: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
