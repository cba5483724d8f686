// A caller asks for a person who is one of the destinations: briefed, asked, and joined with the caller only once they
// accept. Judged by what caller and person hear, and by what an API client reads afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTone } from '../../../bench/rig/conversation/tones.ts';
import { rings } from '../../../engine/test-runs/caller/phone/phone.ts';
import { rms } from '../../../media/frame.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greetBriefly } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { BriefedCalls, colleagueSays, one, onTheirLine, results, SECOND } from '../../support/sip/briefed.ts';
import { CALLER_HZ, PERSON, PERSON_HZ } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '20', LLM: 'receptionist' }, { prepare: () => greetBriefly(rest) });
const calls = new BriefedCalls(service, rest);

/** Frames of a channel that are a tone. */
function frames(samples: Int16Array, hz: number): number {
  let found = 0;
  for (let at = 0; at + 160 <= samples.length; at += 160) if (isTone(hz, samples.subarray(at, at + 160))) found++;
  return found;
}

test('the person is told who calls and why, and has the caller with key 1; the caller waits with music', async () => {
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    const waiting = both.caller.call.heard.length;
    await calls.briefed(phone);
    assert.ok(!phone.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)));
    const music = both.caller.call.heard.slice(waiting).filter((samples) => rms(samples) > 100 && rms(samples) < 900);
    assert.ok(music.length > 50, `${music.length} frames of music`);
    phone.callTo(PERSON)?.press('1');
    await calls.hearEachOther(phone, both.caller);
    const call = await calls.endsWith(phone, both);
    const [{ waitedMs = 0, ...event } = {}, ...others] = calls.transferred(call.id);
    assert.deepEqual([event.destination, event.mode, event.accepted, others], ['Billing', 'brief', 'key', []]);
    assert.ok(waitedMs > 1_000 && waitedMs < 60_000, `${waitedMs}`);
    assert.deepEqual(results(call), ['Billing accepted']);
    assert.match(onTheirLine(call), /agent: .*on the line for you\. They said: .*person.* Press 1/i);
    assert.doesNotMatch(onTheirLine(call), /caller:/);
    assert.match(call.summary ?? '', /The caller was transferred/);
    const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
    const every = wav.sampleRateHz / 8_000;
    const [left = new Int16Array(0), right = new Int16Array(0)] = wav.channelsSamples.map((channel) =>
      channel.filter((_, n) => n % every === 0),
    );
    const heard = { caller: frames(left, CALLER_HZ), person: frames(right, PERSON_HZ), mixed: frames(left, PERSON_HZ) };
    assert.ok(heard.caller > 20 && heard.person > 20 && heard.mixed === 0, JSON.stringify(heard));
  });
});

test('nobody answers: the next one is called, and takes the call with a word', async () => {
  await calls.destinations(one({ ringSeconds: 5 }), one({ name: 'Kim', target: SECOND, accept: 'voice' }));
  await calls.withPhone({ [PERSON]: rings }, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone, SECOND);
    phone.audio.speak(await colleagueSays('Yes please.'));
    const [{ id } = { id: '' }] = await rest.callsFrom(both.number);
    await rest.eventually('the caller is put through', async () => calls.transferred(id).length === 1);
    await calls.hearEachOther(phone, both.caller);
    const call = await calls.endsWith(phone, both, SECOND);
    assert.deepEqual(results(call), ['Billing no_answer', 'Kim accepted']);
    assert.equal(calls.transferred(call.id)[0]?.accepted, 'voice');
  });
});

test('two ring at once: the other one stops to ring as soon as one has taken the call', { skip: nightly }, async () => {
  await calls.destinations(one({ ringSeconds: 60 }), one({ name: 'Kim', target: SECOND, order: 1 }));
  await calls.withPhone({ [PERSON]: rings }, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone, SECOND);
    assert.equal(phone.callTo(PERSON)?.state, 'ringing');
    phone.callTo(SECOND)?.press('1');
    await calls.hearEachOther(phone, both.caller);
    assert.ok(phone.callTo(PERSON)?.received.includes('CANCEL'), 'the other one is let go');
    const call = await calls.endsWith(phone, both, SECOND);
    assert.deepEqual(results(call).sort(), ['Billing withdrawn', 'Kim accepted']);
  });
});

test('blind: the caller’s side calls the person, who is asked nothing', async () => {
  await calls.destinations(one({ mode: 'blind' }));
  const both = await calls.asks({ acceptsRefer: true });
  await both.caller.until('the agent hangs up', () => both.caller.ended, 40_000);
  both.caller.call.close();
  const referred = both.caller.events.find((event) => event.type === 'referred');
  assert.match(referred?.type === 'referred' ? referred.target : '', /\+12125550177@127\.0\.0\.1/);
  const call = await calls.record(both.number);
  assert.deepEqual([call.outcome, results(call)], ['transferred', ['Billing accepted']]);
  const { destination, mode, accepted } = calls.transferred(call.id)[0] ?? {};
  assert.deepEqual([destination, mode, accepted], ['Billing', 'blind', 'none']);
});

test('a question of theirs is answered from what the caller said', async () => {
  await calls.destinations(one({ accept: 'voice' }));
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone);
    const [{ id } = { id: '' }] = await rest.callsFrom(both.number);
    const saidTo = async (): Promise<string> =>
      (await rest.must('GET', `/calls/${id}/transcript`)).map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
    phone.audio.speak(await colleagueSays('What is it about?'));
    await rest.eventually('the person is answered', async () =>
      /person: .*about[\s\S]*agent: They have not told me that\. They said/i.test(await saidTo()),
    );
    phone.callTo(PERSON)?.press('1');
    await calls.hearEachOther(phone, both.caller);
    const call = await calls.endsWith(phone, both);
    assert.match(onTheirLine(call), /person: .*about/i);
  });
});

test('an agent that stays listens to both, and has the caller again when the person hangs up', {
  skip: nightly,
}, async () => {
  await calls.destinations(one({ after: 'stay' }));
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone);
    phone.callTo(PERSON)?.press('1');
    await calls.hearEachOther(phone, both.caller, 4_000);
    const [{ id } = { id: '' }] = await rest.callsFrom(both.number);
    const said = async (): Promise<string> =>
      (await rest.must('GET', `/calls/${id}/transcript`))
        .map(({ speaker, text, line }) => `${speaker}${line ? '*' : ''}: ${text}`)
        .join('\n');
    phone.audio.speak(await colleagueSays('Yes please.'));
    await rest.eventually('the person’s words are told', async () => /^person: yes/im.test(await said()));
    phone.callTo(PERSON)?.hangUp();
    const call = await calls.isBack(both, /I'm back on the line/, 1);
    assert.deepEqual(results(call), ['Billing accepted']);
  });
});
