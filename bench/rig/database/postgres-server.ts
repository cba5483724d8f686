// A PostgreSQL server of its own in a temporary folder, from the programs that the machine has (Debian's `postgresql`).
// The server refuses to run as root: then it runs as the user `postgres`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadPg } from '../../../db/postgres/open.ts';
import { reservePort } from '../network/reserved-port.ts';
import { roomiestFolder } from '../temporary-folder.ts';

const START_MS = 30_000;
/** Commits survive a server that is killed, but not the machine. */
const FORGETFUL = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

/** The folder of its programs; null: PostgreSQL is not installed. */
export const postgresPrograms: string | null =
  globSync('/usr/lib/postgresql/*/bin')
    .sort()
    .reverse()
    .find((folder) => existsSync(join(folder, 'initdb'))) ?? null;

export interface PostgresServer {
  port: number;
  /** With a database `voice`, whose order is bytewise. */
  url: string;
  /** Of the server's first process; 0 while it is down. */
  readonly pid: number;
  /** Ends the server as a failing machine would. */
  kill(): Promise<void>;
  /** Makes a primary of a standby. */
  promote(): Promise<void>;
  /** Starts it again on the same files and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** The name by which a primary knows its standby. */
const STANDBY = 'standby';

/**
 * `durable: false`: nothing waits for a disk, and nothing survives the machine. `standbyOf`: it follows that server,
 * which from now on commits nothing that this one does not have.
 */
export async function startPostgres({
  durable = true,
  standbyOf = null,
  settings: more = [],
}: {
  durable?: boolean;
  standbyOf?: PostgresServer | null;
  /** `name=value`, besides its own. */
  settings?: readonly string[];
} = {}): Promise<PostgresServer> {
  if (postgresPrograms === null) throw new Error('PostgreSQL is not installed');
  const programs = postgresPrograms;
  const folder = mkdtempSync(join(durable ? tmpdir() : roomiestFolder(), 'voice-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = (program: string, args: readonly string[]): Buffer =>
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: 'ignore' });
  const port = await reservePort();
  if (standbyOf === null) {
    run('initdb', ['-D', data, '--locale=C', '--encoding=UTF8', '--auth=trust', '--username=voice']);
  } else {
    const primary = `host=127.0.0.1 port=${standbyOf.port} user=voice application_name=${STANDBY}`;
    run('pg_basebackup', [
      '-D',
      data,
      '-d',
      primary,
      '--write-recovery-conf',
      '--wal-method=stream',
      '--checkpoint=fast',
    ]);
  }
  const settings = ['listen_addresses=127.0.0.1', 'max_connections=300', ...(durable ? [] : FORGETFUL), ...more];
  let server: ReturnType<typeof spawn> | null = null;

  const start = async (): Promise<void> => {
    const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(programs, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
    server = child;
    const untilMs = performance.now() + START_MS;
    while (!(await hasDatabase(port))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      if (performance.now() > untilMs) throw new Error('PostgreSQL did not start in time');
      await delay(50);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  if (standbyOf !== null) {
    await ask(standbyOf.port, `alter system set synchronous_standby_names = '${STANDBY}'`);
    await ask(standbyOf.port, 'select pg_reload_conf()');
  }
  return {
    port,
    url: `postgres://voice@127.0.0.1:${port}/voice`,
    get pid() {
      return server?.pid ?? 0;
    },
    kill: () => end('SIGQUIT'),
    promote: () => ask(port, 'select pg_promote(true, 60)'),
    start,
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask(port: number, statement: string): Promise<void> {
  const { Client } = await loadPg();
  const client = new Client({ host: '127.0.0.1', port, user: 'voice', database: 'voice' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes the database `voice`, if it is missing; false while the server does not answer yet. */
async function hasDatabase(port: number): Promise<boolean> {
  const { Client } = await loadPg();
  const client = new Client({ host: '127.0.0.1', port, user: 'voice', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("select 1 from pg_database where datname = 'voice'");
    if (rows.length === 0) await client.query('create database voice template template0');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
