// Session timers (RFC 4028) of calls whose engine is killed: sipp has agreed on 90 s, as the one who is refreshed or
// who refreshes, by UPDATE and by re-INVITE. The next engine keeps to what was agreed, and no call ends for it but one
// whose peer has gone.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { pause } from '../../bench/rig/conversation/scenario.ts';
import { processesOf } from '../../bench/rig/service/engine-threads.ts';
import { type SippResult, skipWithoutSipp } from '../support/sip/sipp.ts';
import { acknowledges, answers, asks, callWithSipp, hangsUp, pauseFor, sdp } from '../support/sip/sipp-caller.ts';
import { useService } from '../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '10' }, { skip: skipWithoutSipp });

/** It refreshes at half of the interval; the other side gives up after two thirds of it. */
const HALF_MS = 45_000;
/** From there until it would have ended without the refresh, and some more. */
const PAST_MS = 20_000;

const allows = (...methods: string[]): string => `Allow: ${['INVITE', 'ACK', 'BYE', 'CANCEL', ...methods].join(', ')}`;
const agreesOn = (refresher: 'uac' | 'uas'): string[] => [
  'Supported: timer',
  `Session-Expires: 90;refresher=${refresher}`,
];
const HELD = { isHeld: true };

interface Way {
  headers: string[];
  steps(user: string): string[];
  endReason: string;
}

const WAYS: Record<string, Way> = {
  'refreshed-update': {
    headers: [allows('UPDATE'), ...agreesOn('uas')],
    steps: (user) => [
      answers(user, 'UPDATE', { headers: ['Require: timer', 'Session-Expires: 90;refresher=uac'] }),
      pauseFor(PAST_MS),
      hangsUp(user, 2),
    ],
    endReason: 'caller_hangup',
  },
  'refreshed-invite': {
    headers: [allows(), ...agreesOn('uas')],
    steps: (user) => [
      answers(user, 'INVITE', {
        headers: ['Require: timer', 'Session-Expires: 90;refresher=uac'],
        session: sdp(HELD, 2),
      }),
      pauseFor(PAST_MS),
      hangsUp(user, 2),
    ],
    endReason: 'caller_hangup',
  },
  'refreshes-update': {
    headers: [allows('UPDATE'), ...agreesOn('uac')],
    steps: (user) => [pauseFor(HALF_MS), asks(user, 'UPDATE', 2, agreesOn('uac')), pauseFor(PAST_MS), hangsUp(user, 3)],
    endReason: 'caller_hangup',
  },
  'refreshes-invite': {
    headers: [allows(), ...agreesOn('uac')],
    steps: (user) => [
      pauseFor(HALF_MS),
      asks(user, 'INVITE', 2, agreesOn('uac'), ['application/sdp', sdp(HELD, 2)]),
      acknowledges(user, 2),
      pauseFor(PAST_MS),
      hangsUp(user, 3),
    ],
    endReason: 'caller_hangup',
  },
  gone: {
    headers: [allows('UPDATE'), ...agreesOn('uac')],
    steps: (user) => [answers(user, 'BYE')],
    endReason: 'network',
  },
};

describe('an engine is killed once under five sessions', { skip: skipWithoutSipp }, () => {
  const done = new Map<string, SippResult>();

  before(async () => {
    const calling = Object.entries(WAYS).map(async ([user, { headers, steps }]) => {
      // On hold from the beginning: nobody asks whether they are still there.
      const run = await callWithSipp(service.sipAddress, { user, headers, audio: HELD, steps: steps(user) });
      done.set(user, await run.done);
    });
    for (const user of Object.keys(WAYS)) {
      await rest.eventually(user, async () => (await rest.callsFrom(user))[0]?.status === 'IN_PROGRESS');
    }
    await pause(5_000);
    process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
    await Promise.all(calling);
  });

  for (const [user, { endReason }] of Object.entries(WAYS)) {
    test(`${user}: ends as ${endReason}`, async () => {
      const { exitCode, output = '', messages = '' } = done.get(user) ?? {};
      assert.equal(exitCode, 0, `${output.slice(-800)}\n${messages.slice(-4_000)}`);
      const call = await rest.must('GET', `/calls/${(await rest.endedCall(user)).id}`);
      assert.deepEqual([call.endReason, call.resumptions?.length], [endReason, 1]);
    });
  }
});
