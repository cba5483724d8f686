// The engine is killed with -9 while caller and person talk to each other and the agent listens (`after: stay`): both
// are joined again, the agent listens on, and has the caller when the person hangs up. Judged by what both sides hear.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import type { Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import { nightly } from '../../support/nightly.ts';
import { BriefedCalls, colleagueSays, one, results } from '../../support/sip/briefed.ts';
import { CALLER_HZ, PERSON, PERSON_HZ } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist' }, { skip: nightly });
const calls = new BriefedCalls(service, rest);

const ATTEMPTS = 3;
const TOLD_WITHIN_S = 25;

/** The engine is gone, and another one has the calls. */
async function nextEngine(): Promise<void> {
  const isReady = async (): Promise<boolean> => (await fetch(`${service.apiUrl}/readyz`)).status === 200;
  await rest.eventually('no engine', async () => !(await isReady()));
  await rest.eventually('another engine', isReady);
}

/** The person says it until the agent has heard it: a busy machine may lose a word, and nobody asks them again. */
async function isHeardToSay(phone: Phone, callId: string): Promise<void> {
  const words = await colleagueSays('Yes please.');
  const isTold = async (): Promise<boolean> =>
    (await rest.must('GET', `/calls/${callId}/transcript`)).some(
      ({ speaker, text, line }) => speaker === 'person' && line === undefined && /yes/i.test(text),
    );
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    phone.audio.speak(words);
    const told = rest.eventually('the person’s words are told', isTold, TOLD_WITHIN_S);
    if (await (attempt < ATTEMPTS ? told.catch(() => false) : told)) return;
  }
}

test('an agent that stays listens on in the next engine, and has the caller again', { skip: nightly }, async () => {
  await calls.destinations(one({ after: 'stay' }));
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone);
    phone.callTo(PERSON)?.press('1');
    await calls.hearEachOther(phone, both.caller, 4_000);
    const [{ id } = { id: '' }] = await rest.callsFrom(both.number);
    process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
    await nextEngine();
    const since = { heard: both.caller.call.heard.length, atMs: performance.now() };
    void both.caller.call.speak(tone([CALLER_HZ], 4_000, 6_000));
    phone.audio.speak(tone([PERSON_HZ], 4_000, 6_000));
    await rest.eventually('the person hears the caller again', async () =>
      phone.audio.heard.some(({ atMs, samples }) => atMs > since.atMs && isTone(CALLER_HZ, samples)),
    );
    await rest.eventually('the caller hears the person again', async () =>
      both.caller.call.heard.slice(since.heard).some((samples) => isTone(PERSON_HZ, samples)),
    );
    await isHeardToSay(phone, id);
    phone.callTo(PERSON)?.hangUp();
    const call = await calls.isBack(both, /I'm back on the line/, 1);
    assert.deepEqual([results(call), call.resumptions?.length], [['Billing accepted'], 1]);
  });
});
