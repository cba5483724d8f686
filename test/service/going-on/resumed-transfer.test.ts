// The engine is killed with -9 while callers are being transferred, and an upgrade replaces it: whoever was joined is
// joined again, who was being told is told again, a telephone that rang rings on. Judged by what both sides hear.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../bench/rig/conversation/scenario.ts';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { saidBy } from '../../../bench/rig/service/rest.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import type { Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { rms } from '../../../media/frame.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greetBriefly, greeted } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import {
  agentSaid,
  askForPerson,
  CALLER_HZ,
  PERSON,
  PERSON_HZ,
  transferToPerson,
  withPerson,
} from '../../support/sip/transfers.ts';
import { upgrade } from '../../support/upgrade.ts';
import { useService } from '../../support/use-service.ts';

const wish = await renderSpeech('Can I speak to a person please?', 'flite-slt');
const { service, rest } = useService(
  { MAX_CALLS: '10', LLM: 'receptionist' },
  {
    prepare: async () => {
      await greetBriefly(rest);
      await transferToPerson(rest);
    },
  },
);

const killEngine = (): void => {
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
};

interface Books {
  /** Legs of persons that are up. */
  legs: number;
  /** Of all that the account has called. */
  outboundSeconds: number;
  /** `call.transferred` and `call.ended` of the call. */
  transferred: number;
  ended: number;
}

function books(callId: string): Books {
  const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
  const one = (sql: string, ...args: string[]): number =>
    db.prepare<string[], { n: number | null }>(sql).get(...args)?.n ?? 0;
  const events = 'select count(*) as n from events where type = ? and subject_id = ?';
  const read = {
    legs: one('select count(*) as n from transfer_legs'),
    outboundSeconds: one('select sum(outbound_seconds) as n from account_hours_now'),
    transferred: one(events, 'call.transferred', callId),
    ended: one(events, 'call.ended', callId),
  };
  db.close();
  return read;
}

interface Joined {
  caller: Caller;
  number: string;
  person: Phone;
}

/** Both speak a tone of their own for as long as the test takes. */
function speak({ caller, person }: Joined): void {
  void caller.call.speak(tone([CALLER_HZ], 120_000, 6_000));
  person.audio.speak(tone([PERSON_HZ], 120_000, 6_000));
}

/** Each hears the other one after `sinceMs`. */
async function hearEachOther({ caller, person }: Joined, since: { heard: number; atMs: number }): Promise<void> {
  await rest.eventually('the person hears the caller', async () =>
    person.audio.heard.some(({ atMs, samples }) => atMs > since.atMs && isTone(CALLER_HZ, samples)),
  );
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.slice(since.heard).some((samples) => isTone(PERSON_HZ, samples)),
  );
}

const now = ({ caller }: Pick<Joined, 'caller'>) => ({ heard: caller.call.heard.length, atMs: performance.now() });

async function asks(person: Phone): Promise<Joined> {
  const { caller, number } = await greeted(service, { record: true });
  await askForPerson(rest, caller, number, wish);
  await rest.eventually('the person is called', async () => person.callTo(PERSON));
  return { caller, number, person };
}

async function joined(person: Phone): Promise<Joined> {
  const both = await asks(person);
  await rest.eventually('the person answers', async () => person.isUp);
  speak(both);
  await hearEachOther(both, { heard: 0, atMs: 0 });
  return both;
}

/** The engine is gone, and another one has the calls. */
async function nextEngine(): Promise<void> {
  const isReady = async (): Promise<boolean> => (await fetch(`${service.apiUrl}/readyz`)).status === 200;
  await rest.eventually('no engine', async () => !(await isReady()));
  await rest.eventually('another engine', isReady);
}

/** The whole record of a transferred call. */
async function assertTransferred({ number }: Joined, cause: 'crash' | 'upgrade' = 'crash') {
  const { id } = await rest.endedCall(number);
  const call = await rest.must('GET', `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome, call.endReason], ['COMPLETED', 'transferred', 'transfer']);
  assert.deepEqual(
    call.resumptions?.map((each) => each.cause),
    [cause],
  );
  assert.doesNotMatch(saidBy(call, 'agent').join(' '), /lost you/);
  const { legs, transferred, ended } = books(id);
  assert.deepEqual([legs, transferred, ended], [0, 1, 1]);
  return call;
}

const invites = (person: Phone): number => person.calls.length;

test('caller and person who talk to each other do so again, in the same streams; the person hangs up', async () => {
  await withPerson(rest, 'answer', async (person) => {
    const both = await joined(person);
    const { caller } = both;
    const upSince = performance.now();
    const before = books('').outboundSeconds;
    killEngine();
    const since = now(both);
    await caller.until('the line is back', () => caller.frames.length > since.heard + 10, 30_000);
    await hearEachOther(both, { heard: since.heard + 10, atMs: since.atMs + 500 });
    assert.equal(new Set(caller.frames.map(({ ssrc }) => ssrc)).size, 1);
    assert.equal(new Set(person.audio.heard.map(({ ssrc }) => ssrc)).size, 1);
    const from = person.audio.heard.length;
    await rest.eventually('they talk for a while', async () => person.audio.heard.length > from + 100);
    const heard = person.audio.heard.slice(from).filter(({ samples }) => isTone(CALLER_HZ, samples));
    assert.ok(heard.length > 80, `${heard.length} of 100 frames: the agent is silent`);
    const spokenMs = performance.now() - upSince;
    person.callTo(PERSON)?.hangUp();
    await caller.until('the call ends with the person', () => caller.ended, 20_000);
    caller.call.close();
    const call = await assertTransferred(both);
    assert.equal(invites(person), 1);
    const counted = (books(call.id).outboundSeconds - before) * 1_000;
    assert.ok(counted > spokenMs && counted < spokenMs + 30_000, `${counted} ms of ${spokenMs} in the books`);
    const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
    const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
    assert.ok(Math.abs(seconds - call.durationSeconds) <= 1.5, `${seconds} s of ${call.durationSeconds} were recorded`);
  });
});

test('the caller hangs up after it: the person is let go', { skip: nightly }, async () => {
  await withPerson(rest, 'answer', async (person) => {
    const both = await joined(person);
    killEngine();
    await nextEngine();
    const since = now(both);
    await hearEachOther(both, since);
    await both.caller.hangUp();
    await rest.eventually('the person is let go', async () => !person.isUp);
    assert.ok(person.callTo(PERSON)?.received.includes('BYE'));
    await assertTransferred(both);
  });
});

test('who was being told who is waiting is told again, and then joined', { skip: nightly }, async () => {
  await withPerson(rest, 'answer', async (person) => {
    const both = await asks(person);
    const sounds = (): number => person.audio.heard.filter(({ samples }) => rms(samples) > 300).length;
    await rest.eventually('the announcement begins', async () => sounds() > 20);
    killEngine();
    const told = sounds();
    speak(both);
    await hearEachOther(both, now(both));
    const again = person.audio.heard.filter(({ samples }) => rms(samples) > 300 && !isTone(CALLER_HZ, samples)).length;
    assert.ok(again > told + 100, `${again - told} frames of announcement after it`);
    assert.equal(new Set(person.audio.heard.map(({ ssrc }) => ssrc)).size, 1);
    person.callTo(PERSON)?.hangUp();
    await both.caller.until('the call ends with the person', () => both.caller.ended, 20_000);
    both.caller.call.close();
    await assertTransferred(both);
    assert.equal(invites(person), 1);
  });
});

test('a telephone that rings rings on: whoever picks up then is joined, and the caller is asked for patience', async () => {
  await withPerson(rest, 'ring', async (person) => {
    const both = await asks(person);
    const call = person.callTo(PERSON);
    await call?.pause(500);
    killEngine();
    await nextEngine();
    await rest.eventually('the agent says that it still tries', async () =>
      /still trying/.test(await agentSaid(rest, both.number)),
    );
    assert.equal(call?.state, 'ringing');
    while (!call?.isAcknowledged) {
      call?.answer();
      await call?.pause(500);
    }
    speak(both);
    await hearEachOther(both, now(both));
    call?.hangUp();
    await both.caller.until('the call ends with the person', () => both.caller.ended, 20_000);
    both.caller.call.close();
    await assertTransferred(both);
    assert.equal(invites(person), 1);
    assert.ok(!person.requests.includes('CANCEL'));
  });
});

test('nobody picks up: the caller is back with the agent, who says so', { skip: nightly }, async () => {
  await withPerson(rest, 'ring', async (person) => {
    const { caller, number } = await asks(person);
    const call = person.callTo(PERSON);
    await call?.pause(500);
    killEngine();
    await nextEngine();
    call?.refuse(486);
    await rest.eventually('the agent says so', async () => /sorry/i.test(await agentSaid(rest, number)));
    await caller.agentQuiet(900);
    await caller.hangUp();
    const { id, outcome, endReason } = await rest.endedCall(number);
    assert.deepEqual([outcome, endReason], ['completed', 'caller_hangup']);
    assert.deepEqual([books(id).legs, invites(person)], [0, 1]);
  });
});

test('an upgrade takes over caller and person in the middle of their conversation', async () => {
  await withPerson(rest, 'answer', async (person) => {
    const both = await joined(person);
    const before = processesOf(service.process.pid ?? 0);
    const { code, output } = await upgrade(service);
    assert.equal(code, 0, output);
    const engineNow = async () => processesOf(service.process.pid ?? 0).engine;
    await rest.eventually('the former engine has ended', async () => (await engineNow()) !== before.engine);
    await hearEachOther(both, now(both));
    person.callTo(PERSON)?.hangUp();
    await both.caller.until('the call ends with the person', () => both.caller.ended, 20_000);
    both.caller.call.close();
    await rest.login();
    await assertTransferred(both, 'upgrade');
  });
});
