// Support for tests of briefed transfers: the telephones of all destinations at one trunk, what was said on them, and
// what an API client reads afterwards.

import assert from 'node:assert/strict';
import type { Caller } from '../../../bench/rig/conversation/scenario.ts';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import type { Rest } from '../../../bench/rig/service/rest.ts';
import type { Service } from '../../../bench/rig/service/service.ts';
import { openRaw } from '../../../db/sqlite/open.ts';
import { Phone, type Script } from '../../../engine/test-runs/caller/phone/phone.ts';
import type { PhoneCall } from '../../../engine/test-runs/caller/phone/phone-call.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { rms } from '../../../media/frame.ts';
import { greeted } from '../conversation.ts';

import { agentSaid, askForPerson, CALLER_HZ, PERSON, PERSON_HZ } from './transfers.ts';

export const SECOND = '+12125550188';
const WISH = await renderSpeech('Can I speak to a person please?', 'flite-slt');
const HELLO = await renderSpeech('Hello?', 'flite-rms');
export const colleagueSays = (text: string): Promise<Int16Array> => renderSpeech(text, 'flite-rms');

/** One of the destinations. */
export const one = (change: object = {}) => ({ name: 'Billing', target: PERSON, ringSeconds: 8, ...change });

interface Both {
  caller: Caller;
  number: string;
}

interface TransferredEvent {
  destination?: string;
  mode?: string;
  accepted?: string;
  waitedMs?: number;
}

export class BriefedCalls {
  readonly rest: Rest;
  readonly service: Service;

  constructor(service: Service, rest: Rest) {
    this.service = service;
    this.rest = rest;
  }

  async destinations(...destinations: object[]): Promise<void> {
    const [business] = await this.rest.must('GET', '/businesses');
    await this.rest.must('PATCH', `/businesses/${business?.id}`, { destinations });
  }

  async transferNumber(transferNumber: string | null): Promise<void> {
    const [business] = await this.rest.must('GET', '/businesses');
    await this.rest.must('PATCH', `/businesses/${business?.id}`, { transferNumber });
  }

  /** For the duration of `run`. Scripts by number; without one they pick up and say hello, as people do. */
  async withPhone(scripts: Record<string, Script>, run: (phone: Phone) => Promise<void>): Promise<void> {
    const phone: Phone = await Phone.start({
      script: (call) => (scripts[call.number] ?? ((picked) => saysHello(picked, phone)))(call),
      talks: true,
    });
    const body = { name: 'office', host: '127.0.0.1', port: phone.port };
    const trunk = await this.rest.must('POST', '/admin/trunks', body);
    try {
      await this.rest.eventually('the engine knows the trunk', async () => phone.requests.includes('OPTIONS'));
      await run(phone);
    } finally {
      await this.rest.request('DELETE', `/admin/trunks/${trunk.id}`);
      phone.stop();
    }
  }

  async asks(options: Parameters<typeof greeted>[1] = {}): Promise<Both> {
    const { caller, number } = await greeted(this.service, { record: true, ...options });
    await askForPerson(this.rest, caller, number, WISH);
    return { caller, number };
  }

  /** The person has heard who calls and why, and the question. */
  async briefed(phone: Phone, number = PERSON): Promise<void> {
    const { rest } = this;
    await rest.eventually('the person answers', async () => phone.callTo(number)?.state === 'up');
    await rest.eventually('the person is being told', async () => told(phone) > 100);
    await rest.eventually('the person was asked', async () => isQuiet(phone));
  }

  /** Both speak a tone of their own and hear each other's for a second. */
  async hearEachOther(phone: Phone, caller: Caller, forMs = 60_000): Promise<void> {
    void caller.call.speak(tone([CALLER_HZ], forMs, 6_000));
    phone.audio.speak(tone([PERSON_HZ], forMs, 6_000));
    await this.rest.eventually(
      'the person hears the caller',
      async () => phone.audio.heard.filter(({ samples }) => isTone(CALLER_HZ, samples)).length > 50,
    );
    await this.rest.eventually(
      'the caller hears the person',
      async () => caller.call.heard.filter((samples) => isTone(PERSON_HZ, samples)).length > 50,
    );
  }

  async record(number: string) {
    return this.rest.must('GET', `/calls/${(await this.rest.endedCall(number)).id}`);
  }

  /** The person hangs up: the call ends. */
  async endsWith(phone: Phone, { caller, number }: Both, of = PERSON) {
    phone.callTo(of)?.hangUp();
    await caller.until('the call ends with the person', () => caller.ended, 20_000);
    caller.call.close();
    const call = await this.record(number);
    assert.deepEqual([call.status, call.outcome], ['COMPLETED', 'transferred']);
    assert.equal(this.openLegs(), 0);
    return call;
  }

  /** The agent says why the caller has it again, and the call goes on. */
  async isBack({ caller, number }: Both, why: RegExp, transfers = 0) {
    const { rest } = this;
    let said = '';
    const saysWhy = async () => {
      said = await agentSaid(rest, number);
      return why.test(said);
    };
    await rest.eventually('the agent says why', saysWhy).catch((error: Error) => {
      throw new Error(`${error.message}; the agent has said: ${said}`);
    });
    await caller.agentQuiet(900);
    const askedAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
    await caller.agentSound(askedAt);
    await caller.agentQuiet(1_000);
    await caller.hangUp();
    const call = await this.record(number);
    assert.equal(call.outcome, 'completed', JSON.stringify(call.transcript));
    assert.equal(this.transferred(call.id).length, transfers);
    assert.equal(this.openLegs(), 0);
    return call;
  }

  /** `call.transferred` of the call. */
  transferred(callId: string): TransferredEvent[] {
    const select = "SELECT data FROM events WHERE type = 'call.transferred' AND subject_id = ?";
    const db = openRaw(`${this.service.dataDir}/voice.db`, { readonly: true });
    const rows = db.prepare<[string], { data: string }>(select).all(callId);
    db.close();
    return rows.map(({ data }) => JSON.parse(data) as TransferredEvent);
  }

  /** Legs of persons that the books have as up, of all calls. */
  openLegs(): number {
    const db = openRaw(`${this.service.dataDir}/voice.db`, { readonly: true });
    const { n } = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM transfer_legs').get() ?? { n: -1 };
    db.close();
    return n;
  }
}

type EndedCall = Awaited<ReturnType<BriefedCalls['record']>>;

async function saysHello(call: PhoneCall, phone: Phone): Promise<void> {
  call.ring();
  call.answer();
  await call.pause(400);
  phone.audio.speak(HELLO);
}

/** Frames of sound that the phone has heard, without the caller's tone. */
export const told = (phone: Phone): number =>
  phone.audio.heard.filter(({ samples }) => rms(samples) > 300 && !isTone(CALLER_HZ, samples)).length;

/** The person has heard nothing for a while. */
export function isQuiet(phone: Phone, frames = 65): boolean {
  const newest = phone.audio.heard.slice(-frames);
  return newest.length === frames && newest.every(({ samples }) => rms(samples) < 300);
}

export const results = (call: EndedCall): string[] =>
  (call.transfers ?? []).map(({ destination, result }) => `${destination} ${result}`);

/** The words on the person's line, one line each. */
export const onTheirLine = (call: EndedCall): string =>
  call.transcript
    .filter(({ line }) => line === 'person')
    .map(({ speaker, text }) => `${speaker}: ${text}`)
    .join('\n');
