// Webhooks: deliveries per second to local TLS receivers, and the time from the commit that ends a call to the receipt
// of its `call.ended`, while one of ten receivers hangs. The real service delivers; events are written as the engine
// does.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleData } from '../../api/delivery/samples.ts';
import { openDatabase } from '../../db/database.ts';
import { addEvent } from '../../db/outbox.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { pause, withService } from '../rig/conversation/scenario.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { COUNTING, countStatements, dearestStatements } from '../rig/database/statement-costs.ts';
import type { ReceiverReport } from '../rig/fakes/webhook-receiver.ts';
import { type Report, rowOf } from '../rig/measure/statistics.ts';
import { part, refuseOption } from '../rig/part.ts';
import { SECRETS } from '../rig/service/cluster.ts';
import { TEST_AUTHORITY } from '../rig/service/receiver.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- webhooks [--events N] [--seconds N] [--on sqlite|postgres] [--statements N]
  N events for the throughput (default 1,000), N seconds beside a hanging receiver (default 15), on SQLite by default;
  of PostgreSQL also the N statements that take most time, by delivery (slower)`;

const RECEIVERS = 10;
const RECEIVER = fileURLToPath(new URL('../rig/fakes/webhook-receiver.ts', import.meta.url));

class Receiver {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(): Promise<Receiver> {
    const child = fork(RECEIVER, { execArgv: ['--no-warnings'] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new Receiver(child, port);
  }

  reset(): void {
    this.#child.send('reset');
  }

  async report(): Promise<ReceiverReport> {
    this.#child.send('report');
    const [message] = (await once(this.#child, 'message')) as [ReceiverReport];
    return message;
  }

  /** Waits until `count` deliveries have arrived. @throws Error when none arrives for 20 s */
  async until(count: number): Promise<ReceiverReport> {
    let seen = -1;
    let since = performance.now();
    for (;;) {
      const current = await this.report();
      if (current.received >= count) return current;
      if (current.received > seen) {
        seen = current.received;
        since = performance.now();
      } else if (performance.now() - since > 20_000) {
        throw new Error(`${current.received} of ${count} deliveries arrived`);
      }
      await pause(50);
    }
  }

  stop(): void {
    this.#child.disconnect();
  }
}

const subscribe = async (rest: Rest, url: string): Promise<string> =>
  (await rest.must('POST', '/webhooks', { url, events: ['call.ended'] })).id;

/** Ends calls: each a commit of its own event, with a full call record. */
async function endCalls(db: Db, accountId: string, count: number, together: number): Promise<void> {
  for (let done = 0; done < count; done += together) {
    await db.transaction().execute(async (tx) => {
      for (let n = 0; n < Math.min(together, count - done); n++) {
        const subjectId = newId('call');
        const nowMs = Date.now();
        const data = { ...sampleData('call.ended', nowMs), id: subjectId };
        await addEvent(tx, { accountId, type: 'call.ended', subjectId, data, nowMs });
      }
    });
  }
}

interface Load {
  events: number;
  seconds: number;
  /** Address of a PostgreSQL; null: SQLite. */
  url: string | null;
  statements: number;
}

async function measure(
  service: Service,
  receiver: Receiver,
  { events, seconds, url, statements }: Load,
): Promise<Report> {
  const rest = new Rest(service);
  const db = openDatabase(url ?? join(service.dataDir, 'voice.db'));
  const { accountId } = await db
    .selectFrom('users')
    .select('accountId')
    .where('role', '=', 'ADMIN')
    .executeTakeFirstOrThrow();
  for (let n = 0; n < RECEIVERS; n++) await subscribe(rest, `https://localhost:${receiver.port}/${n}`);

  // Warms up connections and code, as in a running service.
  await endCalls(db, accountId, 100, 1);
  await receiver.until(100 * RECEIVERS);
  receiver.reset();
  if (statements > 0) await countStatements(db);
  await endCalls(db, accountId, events, 50);
  const throughput = await receiver.until(events * RECEIVERS);
  const perSecond = (throughput.received / (throughput.lastAtMs - throughput.firstAtMs)) * 1_000;
  process.stdout.write(`${throughput.received} deliveries, ${Math.round(perSecond)} a second (target >= 800)\n`);
  const lines = statements > 0 ? await dearestStatements(db, statements, throughput.received) : [];

  const hanging = await subscribe(rest, `https://localhost:${receiver.port}/hang`);
  const { id: last } = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '<>', hanging)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await rest.must('DELETE', `/webhooks/${last}`);
  receiver.reset();
  const calls = seconds * 20;
  for (let n = 0; n < calls; n++) {
    await endCalls(db, accountId, 1, 1);
    await pause(50);
  }
  const lag = await receiver.until(calls * (RECEIVERS - 1));
  await db.destroy();
  return {
    title: `Webhooks: ${Math.round(perSecond)} deliveries a second (target >= 800)`,
    rows: [rowOf('call end to receipt, one of ten receivers hangs', lag.lagsMs, 'p99 <= 300')],
    lines,
    samples: { 'call end to receipt': lag.lagsMs },
    notes: [`the hanging receiver held ${lag.hanging} requests meanwhile`],
  };
}

export default part(
  USAGE,
  { events: 1_000, seconds: 15, on: null, statements: 0 },
  async ({ events, seconds, on, statements }) => {
    if (on !== null && on !== 'sqlite' && on !== 'postgres') refuseOption(`there is no database "${on}"`);
    const receiver = await Receiver.start();
    const postgres = on === 'postgres' ? await startPostgres({ settings: statements > 0 ? COUNTING : [] }) : null;
    const environment = {
      WEBHOOK_ALLOW_PRIVATE: '1',
      NODE_EXTRA_CA_CERTS: TEST_AUTHORITY,
      ...(postgres && { ...SECRETS, DATABASE_URL: postgres.url }),
    };
    try {
      const load = { events, seconds, url: postgres?.url ?? null, statements: postgres === null ? 0 : statements };
      return await withService(environment, (service) => measure(service, receiver, load));
    } finally {
      await postgres?.stop();
      receiver.stop();
    }
  },
);
