// Two engines behind Kamailio on one PostgreSQL. A test loses one with its machine: nobody starts it again until the
// test is over.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Caller } from '../../bench/rig/conversation/scenario.ts';
import { postgresPrograms } from '../../bench/rig/database/postgres-server.ts';
import { startExampleEdge } from '../../bench/rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutKamailio } from '../../bench/rig/network/kamailio.ts';
import { type Cluster, startCluster } from '../../bench/rig/service/cluster.ts';
import type { KillableProcess } from '../../bench/rig/service/killable-process.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import { openPostgres } from '../../db/postgres/open.ts';
import type { Db } from '../../db/schema.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { say, testCaller } from './conversation.ts';

export const skipWithoutPair =
  skipWithoutKamailio || (postgresPrograms === null ? 'PostgreSQL is not installed' : false);

export class EnginePair {
  readonly cluster: Cluster;
  readonly db: Db;
  readonly rest: Rest;
  readonly question: Int16Array;
  readonly #proxy: Kamailio;

  private constructor(cluster: Cluster, rest: Rest, proxy: Kamailio, question: Int16Array) {
    this.cluster = cluster;
    this.db = openPostgres(cluster.postgres.url);
    this.rest = rest;
    this.#proxy = proxy;
    this.question = question;
  }

  static async start(): Promise<EnginePair> {
    const cluster = await startCluster({ engines: 2, apis: 1, environment: { EDGE_PROXIES: '127.0.0.1' } });
    const engines = cluster.engines.map(({ address }) => address ?? '');
    const proxy = await startExampleEdge({ engines });
    const question = await renderSpeech('What are your opening hours?', 'flite-slt');
    return new EnginePair(cluster, await cluster.rest(0), proxy, question);
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await this.cluster.stop();
    await this.#proxy.stop();
  }

  /** A caller through the proxy who has been greeted, and the engine that has the call. */
  async greeted() {
    const call = testCaller({ sipAddress: `127.0.0.1:${this.#proxy.port}` }, 'demo', {
      localAddress: '127.0.0.2',
      record: true,
    });
    const { caller, number } = call;
    await caller.answered();
    await caller.agentSound(0);
    await caller.agentQuiet(900);
    const row = await this.db
      .selectFrom('calls')
      .select(['id', 'engineId'])
      .where('fromNumber', '=', number)
      .executeTakeFirstOrThrow();
    return { ...call, id: row.id, engine: this.engineOf(row.engineId) };
  }

  /** One who has asked something, too. */
  async talking() {
    const call = await this.greeted();
    await say(call.caller, this.question);
    return call;
  }

  engineOf(engineId: string | null): KillableProcess {
    const engine = this.cluster.engines.find((each) => each.output().includes(`"engineId":"${engineId}"`));
    assert.ok(engine, `no engine says that it is ${engineId}`);
    return engine;
  }

  async eventsOf(callId: string): Promise<string[]> {
    const events = await this.db
      .selectFrom('events')
      .select('type')
      .where('subjectId', '=', callId)
      .orderBy('seq')
      .execute();
    return events.map(({ type }) => type);
  }
}

export const streamsOf = ({ frames }: Caller): number => new Set(frames.map(({ ssrc }) => ssrc)).size;

/** Its machine is gone, for as long as the test takes. */
export async function lose(engine: KillableProcess, t: TestContext): Promise<void> {
  t.after(async () => {
    engine.start();
    await engine.ready();
  });
  await engine.end();
}

/** The last packet before the silence, and the first after it. */
export function silence(frames: readonly { atMs: number; ssrc: number }[], from: number) {
  const at = frames.findIndex((frame, i) => i > from && frame.atMs - (frames[i - 1]?.atMs ?? 0) > 3_000);
  return {
    before: frames[at - 1],
    first: frames[at],
    seconds: ((frames[at]?.atMs ?? 0) - (frames[at - 1]?.atMs ?? 0)) / 1_000,
  };
}
