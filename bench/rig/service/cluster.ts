// Several engines and APIs on one PostgreSQL, each with a DATA_DIR of its own, as on several machines.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../database/postgres-server.ts';
import { KillableProcess } from './killable-process.ts';
import { Rest } from './rest.ts';
import { freshEnvironment, signIn } from './service.ts';

/** The secrets that all machines must have alike. */
export const SECRETS = {
  SEALING_KEY: Buffer.alloc(32, 1).toString('base64url'),
  JWT_SECRET: Buffer.alloc(32, 2).toString('base64url'),
};

export interface Cluster {
  postgres: PostgresServer;
  engines: readonly KillableProcess[];
  apis: readonly KillableProcess[];
  /** A client of that API, signed in. */
  rest(index: number): Promise<Rest>;
  /** The DATA_DIR of that process. */
  folderOf(name: 'engine' | 'api', index: number): string;
  /** As `testCaller` wants it. */
  sipOf(index: number): { sipAddress: string };
  /** Starts one more engine. */
  addEngine(environment?: Record<string, string>): Promise<KillableProcess>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  engines: number;
  apis: number;
  environment?: Record<string, string>;
  /** Whether PostgreSQL waits for the disk. */
  durable?: boolean;
  /** More of one process's environment, where machines differ. */
  environmentOf?(name: 'engine' | 'api', index: number, postgres: PostgresServer): Record<string, string>;
  /** The command that starts a process, for instance in another network: a program with its arguments. */
  startedBy?(name: 'engine' | 'api', index: number): readonly string[];
  /** The way of a process to the database, where a drill is to stand in it. */
  wayToDatabase?(name: 'engine' | 'api', index: number, postgres: PostgresServer): Promise<number>;
}

export async function startCluster({
  engines: engineCount,
  apis: apiCount,
  environment = {},
  durable = false,
  environmentOf = () => ({}),
  startedBy = () => [],
  wayToDatabase = async (_name, _index, postgres) => postgres.port,
}: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-cluster-'));
  const postgres = await startPostgres({ durable });
  const folderOf = (name: 'engine' | 'api', index: number): string => join(folder, `${name}-${index}`);
  const begin = async (
    name: 'engine' | 'api',
    index: number,
    more: Record<string, string> = {},
  ): Promise<KillableProcess> => {
    const port = await wayToDatabase(name, index, postgres);
    const all = {
      ...freshEnvironment(folderOf(name, index)),
      ...SECRETS,
      DATABASE_URL: postgres.url.replace(`:${postgres.port}/`, `:${port}/`),
      DRAIN_SECONDS: '2',
      LOG_LEVEL: 'info',
      MAX_CALLS: '20',
      ...environment,
      ...environmentOf(name, index, postgres),
      ...more,
    };
    const child = new KillableProcess(name, all, startedBy(name, index));
    child.start();
    return child;
  };
  const engines: KillableProcess[] = [];
  const apis: KillableProcess[] = [];
  const many = (count: number, make: (index: number) => Promise<KillableProcess>) =>
    Promise.all(Array.from({ length: count }, (_, i) => make(i)));
  engines.push(...(await many(engineCount, (index) => begin('engine', index))));
  apis.push(...(await many(apiCount, (index) => begin('api', index))));
  await Promise.all([...engines, ...apis].map((child) => child.ready()));
  return {
    postgres,
    engines,
    apis,
    async rest(index) {
      const apiUrl = (await apis[index]?.ready()) ?? '';
      return new Rest({ apiUrl, login: () => signIn(apiUrl) }).login();
    },
    folderOf,
    sipOf(index) {
      return { sipAddress: (engines[index]?.address ?? '').replace(/^sip:/, '') };
    },
    async addEngine(more) {
      const engine = await begin('engine', engines.length, more);
      engines.push(engine);
      await engine.ready();
      return engine;
    },
    async stop() {
      await Promise.all([...engines, ...apis].map((child) => child.stop()));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
