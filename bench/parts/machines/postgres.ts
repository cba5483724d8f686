// PostgreSQL at the size at which it is needed: a million calls are carried over and listed, and a million contacts are
// dialled.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CarryOverProgress, carryOver, compareDatabases } from '../../../db/carry-over.ts';
import { openDatabase } from '../../../db/database.ts';
import { beginCarryOver, endCarryOver } from '../../../db/postgres/carry-over.ts';
import { cases } from '../../api/api-cases.ts';
import { callsFixture, FIXTURE_TOKEN } from '../../api/calls-fixture.ts';
import { measureDialling } from '../../campaign-scale/dialling.ts';
import { startProcess } from '../../rig/api/api-process.ts';
import { freshPostgres } from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { load } from '../../rig/measure/http-load.ts';
import { type Row, rowOf } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';
import { SECRETS } from '../../rig/service/cluster.ts';

const USAGE = `usage: npm run bench -- postgres [--calls N] [--contacts N] [--seconds N] [--connections N]
  carries N calls over from SQLite (default 1000000) and lists them, some seconds for each query (default 2) on some
  connections (default 2); then dials N contacts (default 1000000) of one campaign for 20 s. PostgreSQL waits for the disk`;

const DIAL_SECONDS = 20;
const WARM_REQUESTS = 50;

export default part(
  USAGE,
  { calls: 1_000_000, contacts: 1_000_000, seconds: 2, connections: 2 },
  async ({ calls, contacts, seconds, connections }) => {
    const server = await startPostgres({ durable: true });
    const rows: Row[] = [];
    const lines: string[] = [];
    try {
      if (calls > 0) {
        lines.push(await carry(callsFixture(calls), server.url));
        rows.push(...(await lists(server.url, { calls, seconds, connections })));
      }
      if (contacts > 0) {
        const size = { campaigns: 1, contactsEach: contacts };
        const dialled = await measureDialling(size, DIAL_SECONDS, await freshPostgres(server.url, 'dialling'));
        const name = `${contacts.toLocaleString('en')} contacts`;
        rows.push(
          rowOf(`${name}: claim`, dialled.claimMs, 'p99 <= 10'),
          rowOf(`${name}: claim, in the first 10 s`, dialled.firstClaimMs),
          rowOf(`${name}: pass`, dialled.lookMs),
        );
        lines.push(`${(dialled.calls / dialled.seconds).toFixed(1)} calls a second of 20 allowed.`);
      }
      return { title: 'PostgreSQL at size', rows, lines, data: { calls, contacts, connections } };
    } finally {
      await server.stop();
    }
  },
);

/** As `npm run admin -- migrate-to` does it. */
async function carry(dataDir: string, url: string): Promise<string> {
  const source = openDatabase(join(dataDir, 'voice.db'), { readonly: true });
  const target = openDatabase(url);
  const show = ({ table, rows, total }: CarryOverProgress): void => {
    if (total > 10_000) process.stdout.write(`\r${table} ${rows.toLocaleString('en')}`);
  };
  try {
    const begun = performance.now();
    await beginCarryOver(url);
    await carryOver(source, target, show);
    await endCarryOver(url);
    const copied = performance.now();
    const compared = await compareDatabases(source, target, () => undefined);
    process.stdout.write('\n');
    const took = (fromMs: number, toMs: number): string => `${((toMs - fromMs) / 1_000).toFixed(1)} s`;
    return `${compared.toLocaleString('en')} rows carried over in ${took(begun, copied)}, compared in ${took(copied, performance.now())}.`;
  } finally {
    await source.destroy();
    await target.destroy();
  }
}

async function lists(
  url: string,
  { calls, seconds, connections }: { calls: number; seconds: number; connections: number },
): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-bench-postgres-'));
  const api = await startProcess(dataDir, {
    ...SECRETS,
    DATABASE_URL: url,
    DEMO: '0',
    RATE_LIMIT_PER_MINUTE: '100000000',
  });
  const rows: Row[] = [];
  try {
    for (const { name, paths } of cases(calls)) {
      const common = { host: api.host, port: api.port, token: FIXTURE_TOKEN, paths, connections };
      await load({ ...common, seconds: 0.5, requestsMin: WARM_REQUESTS });
      const { latenciesMs, failures } = await load({ ...common, seconds });
      rows.push(rowOf(failures === 0 ? name : `${name} (${failures} failed)`, latenciesMs, 'p99 <= 15'));
    }
    return rows;
  } finally {
    await api.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
