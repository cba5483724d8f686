// A client has the caller put through to a person; then somebody who listens whispers to that person's ear.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { greetBriefly, greeted } from '../../support/conversation.ts';
import { Listener } from '../../support/listener.ts';

import { BriefedCalls, one } from '../../support/sip/briefed.ts';
import { CALLER_HZ, PERSON, PERSON_HZ, withPerson } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist' }, { prepare: () => greetBriefly(rest) });
const WHISPER_HZ = 1_500;

test('a transfer that a client asks for, and a whisper that only the person hears', async () => {
  await withPerson(rest, 'answer', async (person) => {
    const { caller, number } = await greeted(service, { record: true });
    const [call] = await rest.callsFrom(number);
    assert.ok(call);
    const control = (body: object) => rest.request('POST', `/calls/${call.id}/control`, body);
    assert.equal((await control({ kind: 'transfer', to: PERSON })).status, 200);
    assert.equal((await control({ kind: 'say', text: 'Not now.' })).body.code, 'TRANSFER_UNDER_WAY');
    await rest.eventually('the person answers', async () => person.isUp);
    await rest.eventually('both are joined', async () => {
      await caller.call.speak(tone([CALLER_HZ], 300, 6_000));
      return person.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples));
    });
    assert.equal((await control({ kind: 'mute' })).body.code, 'CALL_TRANSFERRED');
    const listener = await Listener.of(rest, call.id);
    listener.mode('whisper');
    await rest.eventually('it may whisper', async () => listener.told.some(({ mode }) => mode === 'whisper'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const from = caller.call.heard.length;
    listener.say(tone([PERSON_HZ], 3_000, 6_000, 16_000));
    await rest.eventually('the person hears the whisper', async () =>
      person.audio.heard.some(({ samples }) => isTone(PERSON_HZ, samples)),
    );
    assert.ok(!caller.call.heard.slice(from).some((samples) => isTone(PERSON_HZ, samples)), 'and the caller does not');
    listener.mode('take-over');
    await rest.eventually('nobody takes over from a person', async () =>
      listener.told.some(({ code }) => code === 'CALL_TRANSFERRED'),
    );
    person.callTo(PERSON)?.hangUp();
    await caller.until('the call ends with the person', () => caller.ended, 20_000);
    caller.call.close();
  });
});

test('a whisper reaches a person whom the agent found among the destinations', async () => {
  const calls = new BriefedCalls(service, rest);
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone);
    phone.callTo(PERSON)?.press('1');
    await calls.hearEachOther(phone, both.caller, 4_000);
    const [call] = await rest.callsFrom(both.number);
    assert.ok(call);
    const listener = await Listener.of(rest, call.id);
    listener.mode('whisper');
    await rest.eventually('it may whisper', async () => listener.told.some(({ mode }) => mode === 'whisper'));
    const from = both.caller.call.heard.length;
    listener.say(tone([WHISPER_HZ], 3_000, 6_000, 16_000));
    await rest.eventually('the person hears the whisper', async () =>
      phone.audio.heard.some(({ samples }) => isTone(WHISPER_HZ, samples)),
    );
    const heard = both.caller.call.heard.slice(from);
    assert.ok(!heard.some((samples) => isTone(WHISPER_HZ, samples)), 'and the caller does not');
    await calls.endsWith(phone, both);
  });
});
