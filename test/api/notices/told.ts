// Calls that end, appointments and results, as notices are made of them; and the job that tells.
import { NoticeJob } from '../../../api/notices/send.ts';
import type { TestApi } from '../../../bench/rig/api/api.ts';
import { addEvent } from '../../../db/outbox.ts';
import { callResource } from '../../../db/records/call-record.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import { seedCall } from '../../support/api/resources.ts';

/** A call of the tenant that has just ended, with its event. */
export async function ended(api: TestApi, businessId: string, call: Partial<CallTable> = {}): Promise<CallTable> {
  const startedAt = api.clock.now - 31_000;
  const answered = { startedAt, answeredAt: startedAt + 1_000, endedAt: api.clock.now };
  const row = await seedCall(api, api.tenant, {
    businessId,
    summary: 'Asked for the opening hours.',
    ...answered,
    ...call,
  });
  const data = callResource(row);
  const { accountId, id: subjectId } = row;
  await addEvent(api.context.db, { accountId, type: 'call.ended', subjectId, data, nowMs: api.clock.now });
  return row;
}

export const MISSED = {
  status: 'FAILED',
  outcome: 'hung_up',
  answeredAt: null,
  durationSeconds: 0,
  summary: null,
} as const;

/** One run of the job, with all that it begins. */
export async function tell(api: TestApi): Promise<void> {
  const job = new NoticeJob(api.context);
  await job.run();
  await job.settled();
}

export async function log(api: TestApi, businessId: string) {
  return (await api.tenant.ask('GET', `/businesses/${businessId}/notices`)).json.data;
}
