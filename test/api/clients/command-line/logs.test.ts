// The log as lines: the events of a call until its end, and the faults of the account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '../typescript/answering.ts';
import { useConsole } from './console.ts';

const { run } = useConsole();
const env = { VOICECTL_URL: 'https://phone.example', VOICECTL_TOKEN: 'vcs_x' };
const page = (data: unknown[]) => json(200, { success: true, data, pagination: { hasNext: false } });
const one = (data: unknown) => json(200, { success: true, data });

const call = {
  id: 'call_1',
  direction: 'inbound',
  fromNumber: '+1',
  toNumber: '+2',
  outcome: null,
  durationSeconds: 61,
};
const delivery = {
  ...{ id: 'dlv_1', webhookId: 'wh_1', url: 'https://crm.example/\u001b[2Jhook', attempt: 1, success: false },
  ...{ statusCode: 500, error: null, at: '2026-05-01T10:00:02Z', nextRetryAt: '2026-05-01T10:05:00Z' },
};
const received = { id: 'evt_1', type: 'call.received', createdAt: '2026-05-01T10:00:01Z', deliveries: [delivery] };
const again = { ...delivery, id: 'dlv_2', attempt: 2, success: true, statusCode: 200, at: '2026-05-01T10:05:01Z' };
const ended = { id: 'evt_2', type: 'call.ended', createdAt: '2026-05-01T10:01:01Z', deliveries: [] };

const firing = {
  ...{ id: 'fir_1', metric: 'failed_share', comparison: 'above', limit: 20, windowMinutes: 60, value: 40 },
  ...{ calls: 10, endedValue: null, endedAt: null, createdAt: '2026-05-01T11:00:00Z' },
};

/** A service by its answers to paths; those that stand in a list are given one after the other. */
function service(answers: Record<string, Array<() => Response>>): typeof fetch {
  return (async (url: string) => {
    const path = new URL(url).pathname.replace('/api/v1', '');
    const left = answers[path] ?? [() => page([])];
    return (left.length > 1 ? left.shift() : left[0])?.();
  }) as typeof fetch;
}

const whatOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => line.slice(21));

test('a call is followed to its end, each of its events and tries of a webhook once, in order', async () => {
  const fetch = service({
    '/calls/call_1': [() => one({ ...call, status: 'IN_PROGRESS' }), () => one({ ...call, status: 'COMPLETED' })],
    '/calls/call_1/events': [
      () => page([received]),
      // The webhook is told a moment after the end.
      () => page([ended, received]),
      () => page([ended, { ...received, deliveries: [again, delivery] }]),
    ],
  });
  const { code, out } = await run(['logs', 'call_1', '--follow'], { fetch, env });
  const lines = whatOf(out);
  assert.equal(code, 0);
  assert.match(lines[1] ?? '', /^webhook +https:\/\/crm\.example\/ \[2Jhook call\.received: 500, again 2026-05-01 /);
  assert.deepEqual([lines[0], lines[2], lines.length], ['call.received', 'call.ended', 4]);
  assert.match(lines[3] ?? '', /call\.received: 200 at try 2$/);
});

test('what went wrong in the account is told with exit code 1, and nothing with 0', async () => {
  const failed = { ...call, status: 'FAILED', endReason: 'busy', startedAt: '2026-05-01T10:00:00Z', endedAt: null };
  const left = { ...failed, id: 'call_2', status: 'COMPLETED', outcome: 'agent_failed', endReason: 'caller_hangup' };
  const calls = [() => page([failed]), () => page([left, { ...failed, outcome: 'agent_failed' }])];
  const wrong = service({
    '/calls': [...calls, ...calls],
    '/webhooks': [() => page([{ id: 'wh_1', url: 'https://crm.example/hook' }])],
    '/webhooks/wh_1/deliveries': [
      () =>
        page([
          {
            ...delivery,
            eventType: 'call.ended',
            statusCode: null,
            error: 'ECONNREFUSED',
            nextRetryAt: null,
            createdAt: '2026-05-01T09:00:00Z',
          },
          { ...delivery, id: 'dlv_0', eventType: 'call.ended', createdAt: '2026-04-01T09:00:00Z' },
        ]),
    ],
    '/alert-rules': [() => page([{ id: 'alr_1', name: 'Many failed' }])],
    '/alert-rules/alr_1/firings': [() => page([firing])],
  });
  const { code, out } = await run(['logs', '--since', '2026-05-01'], { fetch: wrong, env });
  assert.equal(code, 1);
  assert.deepEqual(whatOf(out), [
    'webhook           https://crm.example/hook call.ended: ECONNREFUSED',
    'call failed       call_1 ← +1 busy after 1:01',
    'agent failed      call_2 ← +1 caller_hangup after 1:01',
    'alert             Many failed: failed_share 40 is above 20 over 60 min',
  ]);
  const lines = (await run(['logs', '--since', '2026-05-01', '--json'], { fetch: wrong, env })).out.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).what),
    ['webhook', 'call failed', 'agent failed', 'alert'],
  );
  const well = await run(['logs'], { fetch: service({}), env });
  assert.deepEqual([well.code, well.out], [0, 'Nothing went wrong.\n']);
});

test('a call that failed is exit code 1, and one that the agent left without an answer; one that there is not 2', async () => {
  const fetch = service({
    '/calls/call_1': [() => one({ ...call, status: 'FAILED' })],
    '/calls/call_3': [() => one({ ...call, status: 'COMPLETED', outcome: 'agent_failed' })],
    '/calls/call_2': [() => json(404, { success: false, error: 'Call not found', code: 'NOT_FOUND' })],
  });
  assert.equal((await run(['logs', 'call_1'], { fetch, env })).code, 1);
  assert.equal((await run(['logs', 'call_3'], { fetch, env })).code, 1);
  const none = await run(['logs', 'call_2'], { fetch, env });
  assert.deepEqual([none.code, none.err], [2, 'Call not found\n']);
});
