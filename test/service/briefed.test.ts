// A caller asks for a person who is one of the destinations: briefed, asked, and joined with the caller only once they
// accept. Judged by what caller and person hear, and by what an API client reads afterwards.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { renderSpeech } from '../../bench/rig/caller/speech.ts';
import { answers, Phone, type PhoneOptions, refuses, rings } from '../../bench/rig/phone/phone.ts';
import type { Caller } from '../../bench/rig/scenario.ts';
import { openRaw } from '../../db/sqlite/open.ts';
import { rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { greeted } from '../support/conversation.ts';
import { tone } from '../support/models/sounds.ts';
import { agentSaid, askForPerson, CALLER_HZ, isTone, PERSON, PERSON_HZ } from '../support/sip/transfers.ts';
import { useService } from '../support/use-service.ts';

const SECOND = '+12125550188';
const speech = (text: string): Promise<Int16Array> => renderSpeech(text, 'flite-slt');
const [wish, hello] = await Promise.all([
  speech('Can I speak to a person please?'),
  renderSpeech('Hello?', 'flite-rms'),
]);
const { service, rest } = useService({ MAX_CALLS: '20', LLM: 'receptionist' });
let business = '';

const one = (change: object = {}) => ({ name: 'Billing', target: PERSON, ringSeconds: 8, ...change });

async function destinations(...list: object[]): Promise<void> {
  await rest.must('PATCH', business, { destinations: list });
}

beforeEach(async () => {
  business = `/businesses/${(await rest.must('GET', '/businesses'))[0]?.id}`;
});

/** The telephones of all destinations, at a trunk, for the duration of `run`. */
async function withPhone(script: PhoneOptions['script'], run: (phone: Phone) => Promise<void>): Promise<void> {
  const phone = await Phone.start({ ...(script ? { script } : {}), talks: true });
  const trunk = await rest.must('POST', '/admin/trunks', { name: 'office', host: '127.0.0.1', port: phone.port });
  try {
    await rest.eventually('the engine knows the trunk', async () => phone.requests.includes('OPTIONS'));
    await run(phone);
  } finally {
    await rest.request('DELETE', `/admin/trunks/${trunk.id}`);
    phone.stop();
  }
}

/** Picks up and says hello, as people do. */
const person: PhoneOptions['script'] = async (call) => {
  await answers()(call);
  await call.pause(400);
  say(call, hello);
};
function say(call: { audio?: Phone['audio'] } | unknown, samples: Int16Array): void {
  spoken?.(samples);
  void call;
}
/** Of the phone of the test that runs. */
let spoken: ((samples: Int16Array) => void) | null = null;

/** Frames of sound that the phone has heard and that are no caller's tone. */
const told = (phone: Phone): number =>
  phone.audio.heard.filter(({ samples }) => rms(samples) > 300 && !isTone(CALLER_HZ, samples)).length;

async function asks(phone: Phone): Promise<{ caller: Caller; number: string }> {
  spoken = (samples) => phone.audio.speak(samples);
  const { caller, number } = await greeted(service, { record: true });
  await askForPerson(rest, caller, number, wish);
  return { caller, number };
}

async function briefed(phone: Phone): Promise<void> {
  await rest.eventually('the person answers', async () => phone.isUp);
  await rest.eventually('the person is being told', async () => told(phone) > 100);
  await rest.eventually('the person was asked', async () => isQuiet(phone));
}

/** The person has heard nothing for a while. */
function isQuiet(phone: Phone, frames = 40): boolean {
  const newest = phone.audio.heard.slice(-frames);
  return newest.length === frames && newest.every(({ samples }) => rms(samples) < 300);
}

/** Both speak a tone of their own and hear each other's. */
async function hearEachOther(phone: Phone, caller: Caller): Promise<void> {
  void caller.call.speak(tone([CALLER_HZ], 60_000, 6_000));
  phone.audio.speak(tone([PERSON_HZ], 60_000, 6_000));
  await rest.eventually('the person hears the caller', async () =>
    phone.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)),
  );
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.some((samples) => isTone(PERSON_HZ, samples)),
  );
}

interface Event {
  destination?: string;
  mode?: string;
  accepted?: string;
  waitedMs?: number;
}

/** `call.transferred` of the call. */
function transferred(callId: string): Event[] {
  const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
  const rows = db
    .prepare<[string], { data: string }>("SELECT data FROM events WHERE type = 'call.transferred' AND subject_id = ?")
    .all(callId);
  db.close();
  return rows.map(({ data }) => JSON.parse(data) as Event);
}

/** Legs of persons that the books have as up, of all calls. */
function openLegs(): number {
  const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
  const { n } = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM transfer_legs').get() ?? { n: -1 };
  db.close();
  return n;
}

const record = async (number: string) => rest.must('GET', `/calls/${(await rest.endedCall(number)).id}`);
type Ended = Awaited<ReturnType<typeof record>>;

const results = (call: Ended): string[] =>
  (call.transfers ?? []).map(({ destination, result }) => `${destination} ${result}`);

/** The person hung up, or was let go. */
async function endsWith(phone: Phone, { caller, number }: { caller: Caller; number: string }): Promise<Ended> {
  phone.callTo(PERSON)?.hangUp();
  await caller.until('the call ends with the person', () => caller.ended, 20_000);
  caller.call.close();
  return record(number);
}

/** Nobody took the call: the agent says why, and the call goes on. */
async function isBack(caller: Caller, number: string, why: RegExp): Promise<Ended> {
  await rest.eventually('the agent says why', async () => why.test(await agentSaid(rest, number)));
  await caller.agentQuiet(900);
  const askedAt = await caller.call.speak(await speech('What are your opening hours?'));
  await caller.agentSound(askedAt);
  await caller.agentQuiet(1_000);
  await caller.hangUp();
  const call = await record(number);
  assert.equal(call.outcome, 'completed', JSON.stringify(call.transcript));
  assert.deepEqual(transferred(call.id), []);
  assert.equal(openLegs(), 0);
  return call;
}

test('the person is told who calls and why, and has the caller once they press 1; the caller waits with music', async () => {
  await destinations(one());
  await withPhone(person, async (phone) => {
    const both = await asks(phone);
    const waiting = both.caller.call.heard.length;
    await briefed(phone);
    assert.ok(!phone.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)));
    const music = both.caller.call.heard.slice(waiting).filter((samples) => rms(samples) > 100 && rms(samples) < 900);
    assert.ok(music.length > 50, `${music.length} frames of music`);
    phone.callTo(PERSON)?.press('1');
    await hearEachOther(phone, both.caller);
    const call = await endsWith(phone, both);
    assert.deepEqual([call.status, call.outcome], ['COMPLETED', 'transferred']);
    const [{ waitedMs = 0, ...event } = {}, ...others] = transferred(call.id);
    assert.deepEqual([event.destination, event.mode, event.accepted, others], ['Billing', 'brief', 'key', []]);
    assert.ok(waitedMs > 1_000 && waitedMs < 60_000, `${waitedMs}`);
    assert.deepEqual(results(call), ['Billing accepted']);
    const told = call.transcript.filter(({ line }) => line === 'person');
    assert.match(told.find(({ speaker }) => speaker === 'agent')?.text ?? '', /on the line for you\. They said: .*person.* Press 1/i);
    assert.ok(!call.transcript.some(({ speaker, line }) => speaker === 'caller' && line === 'person'));
    assert.equal(openLegs(), 0);
    const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
    const [left = new Int16Array(0), right = new Int16Array(0)] = wav.channelsSamples;
    const frames = (samples: Int16Array, hz: number): number => {
      let found = 0;
      for (let at = 0; at + 160 <= samples.length; at += 160)
        if (isTone(hz, samples.subarray(at, at + 160))) found++;
      return found;
    };
    assert.ok(frames(left, CALLER_HZ) > 20 && frames(right, PERSON_HZ) > 20, 'who speaks is on their own channel');
    assert.equal(frames(left, PERSON_HZ), 0);
  });
});
void refuses;
void rings;
void isBack;
void SECOND;
