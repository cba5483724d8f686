// Hunting for an answer: where the next INVITE goes, and what the call ends with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteHunt } from '../../../../../engine/sip/adapters/shared/route-hunt.ts';
import type { AttemptFailure, AttemptRoute, DialRoute } from '../../../../../engine/sip/dialog/dial-route.ts';
import type { Destination } from '../../../../../engine/sip/stack/network/transport-layer.ts';
import type { LegEnd } from '../../../../../engine/sip/telephony.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const destination = (address: string): Destination => ({
  protocol: 'udp',
  remote: { address, port: 5060 },
  serverName: null,
});
const attemptAt = ({ remote }: Destination): AttemptRoute =>
  ({ requestUri: `sip:1@${remote.address}` }) as AttemptRoute;

const failure = (status: number | null, more: Partial<AttemptFailure> = {}): AttemptFailure => ({
  status,
  cause: status === null ? 'timeout' : 'refused',
  q850Cause: null,
  reason: status === null ? 'timeout' : `status ${status}`,
  response: null,
  provisional: false,
  lastCSeq: 1,
  ...more,
});

function trunk(name: string, destinations: () => Promise<Destination[]>): DialRoute & { reports: unknown[] } {
  const reports: unknown[] = [];
  return {
    trunkId: name,
    name,
    reports,
    destinations,
    at: attemptAt,
    redirect: async () => null,
    report: (outcome) => reports.push(outcome?.reason ?? 'answered'),
  };
}

function hunt(routes: readonly DialRoute[], attempt: (uri: string) => void = () => {}) {
  const tried: string[] = [];
  const ends: LegEnd[] = [];
  const caught: unknown[] = [];
  const attempts: AttemptRoute[] = [];
  const hunting = new RouteHunt(routes, {
    attempt(route) {
      tried.push(route.requestUri);
      attempts.push(route);
      attempt(route.requestUri);
    },
    exhausted: (end) => ends.push(end),
    guard(callback) {
      try {
        callback();
      } catch (error) {
        caught.push(error);
      }
    },
  });
  const fails = (outcome: AttemptFailure): void => hunting.failed(attempts.at(-1) as AttemptRoute, outcome);
  return { hunting, tried, ends, caught, fails };
}

test('the destinations of a trunk are tried in order, then the next trunk', async () => {
  const first = trunk('first', async () => [destination('10.0.0.1'), destination('10.0.0.2')]);
  const backup = trunk('backup', async () => [destination('10.0.1.1')]);
  const { hunting, tried, fails } = hunt([first, backup]);
  hunting.next();
  await settled();
  fails(failure(null));
  fails(failure(503));
  await settled();
  assert.deepEqual(tried, ['sip:1@10.0.0.1', 'sip:1@10.0.0.2', 'sip:1@10.0.1.1']);
  hunting.answered();
  assert.deepEqual([first.reports, backup.reports], [['timeout', 'status 503'], ['answered']]);
});

test('a call ends with the failure of its first trunk where the backup fails too', async () => {
  const { hunting, ends, fails } = hunt([
    trunk('first', async () => [destination('10.0.0.1')]),
    trunk('backup', async () => [destination('10.0.1.1')]),
  ]);
  hunting.next();
  await settled();
  fails(failure(503));
  await settled();
  fails(failure(500));
  assert.deepEqual(
    ends.map(({ by, sipStatus, reason }) => [by, sipStatus, reason]),
    [['remote', 503, 'status 503']],
  );
});

test('once it rang, or where the callee refused, nothing else is tried', async () => {
  for (const [rang, status] of [
    [true, 503],
    [false, 486],
    [false, 603],
  ] as const) {
    const { hunting, tried, ends, fails } = hunt([
      trunk('first', async () => [destination('10.0.0.1'), destination('10.0.0.2')]),
    ]);
    hunting.next();
    await settled();
    if (rang) hunting.ringing();
    fails(failure(status));
    await settled();
    assert.deepEqual([tried.length, ends[0]?.sipStatus, ends[0]?.rang], [1, status, rang]);
  }
});

test('a name that is not found counts against its trunk, and the backup is tried', async () => {
  const lost = trunk('lost', async () => {
    throw new Error('no such name');
  });
  const { hunting, tried } = hunt([lost, trunk('backup', async () => [destination('10.0.1.1')])]);
  hunting.next();
  await settled();
  await settled();
  assert.deepEqual([lost.reports, tried], [['lost: no such name'], ['sip:1@10.0.1.1']]);
});

test('an exception after a name query reaches the guard of its call, not the process', async () => {
  const { hunting, caught } = hunt([trunk('first', async () => [destination('10.0.0.1')])], () => {
    throw new Error('no socket');
  });
  hunting.next();
  await settled();
  assert.deepEqual(caught.map(String), ['Error: no socket']);
});

test('a call that was given up while a name was looked up sends no INVITE', async () => {
  const { hunting, tried, ends } = hunt([trunk('first', async () => [destination('10.0.0.1')])]);
  hunting.next();
  hunting.stop();
  await settled();
  assert.deepEqual([tried, ends], [[], []]);
});
