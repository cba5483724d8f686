// An API with a running dispatcher and a receiver: the setup for webhook delivery tests.
import type { TestContext } from 'node:test';
import { Dispatcher, type DispatcherOptions } from '../../../api/delivery/dispatcher.ts';
import { startApi, type Tenant, type TestApi } from '../../../bench/rig/api/api.ts';
import { type Receiver, startReceiver, trustTestAuthority } from '../../../bench/rig/service/receiver.ts';
import { addEvent, type EventType } from '../../../db/outbox.ts';

export interface Delivery {
  api: TestApi;
  receiver: Receiver;
  dispatcher: Dispatcher;
  /** Subscribes the first tenant; returns the webhook's id. */
  subscribe(path: string, events?: EventType[], tenant?: Tenant): Promise<string>;
  /** Writes events of one type in one transaction; returns their ids. */
  emit(count: number, type?: EventType, tenant?: Tenant): Promise<string[]>;
  webhook(id: string): Promise<{ isActive: number; failureCount: number; disabledReason: string | null }>;
  queued(id: string): Promise<number>;
  log(id: string, query?: string): Promise<Array<Record<string, unknown>>>;
}

export async function startDeliveryTest(t: TestContext, options: DispatcherOptions = {}): Promise<Delivery> {
  trustTestAuthority();
  const api = await startApi({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  const receiver = await startReceiver();
  // Strictly sequential and once each, even on a machine that gives this process no time for longer than a lease.
  const strict = { pollMs: 5, attemptTimeoutMs: 30_000, paceMs: 60_000, leaseMs: 600_000, random: () => 0.5 };
  const dispatcher = new Dispatcher(api.context, { ...strict, ...options });
  dispatcher.start();
  t.after(async () => {
    await dispatcher.stop(0);
    await receiver.close();
    await api.close();
  });
  const row = (id: string) =>
    api.context.read
      .selectFrom('webhooks')
      .select(['isActive', 'failureCount', 'disabledReason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  return {
    api,
    receiver,
    dispatcher,
    async subscribe(path, events = ['call.ended'], tenant = api.tenant) {
      const answer = await tenant.ask('POST', '/webhooks', { url: receiver.url(path), events });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json.data.id;
    },
    emit: (count, type = 'call.ended', tenant = api.tenant) => emit(api, tenant.accountId, count, type),
    webhook: row,
    async queued(id) {
      const rows = await api.context.read
        .selectFrom('webhookQueue')
        .select('eventSeq')
        .where('webhookId', '=', id)
        .execute();
      return rows.length;
    },
    async log(id, query = '') {
      return (await api.tenant.ask('GET', `/webhooks/${id}/deliveries?limit=100${query}`)).json.data;
    },
  };
}

let subjects = 0;

export async function emit(api: TestApi, accountId: string, count: number, type: EventType): Promise<string[]> {
  return api.context.db.transaction().execute(async (tx) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const subjectId = `call_${String(++subjects).padStart(26, '0')}`;
      const id = await addEvent(tx, { accountId, type, subjectId, data: { id: subjectId, n }, nowMs: api.clock.now });
      if (id) ids.push(id);
    }
    return ids;
  });
}
