// A caller asks for a person who does not take the call: the caller is back with the agent, who knows why, and nobody
// is left on a line. Judged by what caller and person hear, and by what an API client reads afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { answers, refuses } from '../../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted } from '../../support/conversation.ts';
import { nightly } from '../../support/nightly.ts';
import { BriefedCalls, colleagueSays, isQuiet, one, onTheirLine, results, told } from '../../support/sip/briefed.ts';
import { agentSaid, PERSON } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '20', LLM: 'receptionist' }, { prepare: () => greetBriefly(rest) });
const calls = new BriefedCalls(service, rest);

test('the person declines and has a word for the caller, who hears it from the agent', async () => {
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await calls.briefed(phone);
    let before = told(phone);
    const isAsked = async () => told(phone) > before + 50 && isQuiet(phone);
    phone.callTo(PERSON)?.press('2');
    await rest.eventually('the person is asked for a message', isAsked);
    const word = await colleagueSays('Please call again tomorrow morning.');
    // On a machine that has no time for it, a sentence is doubted: the person is asked again, and says it again.
    for (let times = 0; phone.isUp && times < 3; times++) {
      before = told(phone);
      phone.audio.speak(word);
      await rest.eventually('the person is asked again, or let go', async () => !phone.isUp || (await isAsked()));
    }
    await rest.eventually('the person is let go', async () => !phone.isUp);
    const call = await calls.isBack(
      both,
      /Billing cannot take the call right now\. The message for you is: .*tomorrow/i,
    );
    assert.deepEqual(results(call), ['Billing declined']);
    assert.match(onTheirLine(call), /person: .*tomorrow/i);
  });
});

test('an answering machine takes nobody', { skip: nightly }, async () => {
  await calls.destinations(one({ accept: 'none', mode: 'announce' }));
  const greeting = await colleagueSays(
    'You have reached the voice mail of the billing department. Nobody can take your call right now. Please leave a message after the tone.',
  );
  await calls.withPhone({ [PERSON]: answers() }, async (phone) => {
    const both = await calls.asks();
    await rest.eventually('the machine answers', async () => phone.isUp);
    phone.audio.speak(greeting);
    await rest.eventually('the machine is let go', async () => !phone.isUp);
    const call = await calls.isBack(both, /Billing is not answering/);
    assert.deepEqual(results(call), ['Billing machine']);
  });
});

test('a busy person', { skip: nightly }, async () => {
  await calls.destinations(one());
  await calls.withPhone({ [PERSON]: refuses(486) }, async () => {
    const call = await calls.isBack(await calls.asks(), /Billing is on another call/);
    assert.deepEqual(results(call), ['Billing busy']);
  });
});

test('a person who hangs up while they are told', { skip: nightly }, async () => {
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await rest.eventually('the person is being told', async () => told(phone) > 50);
    phone.callTo(PERSON)?.hangUp();
    const call = await calls.isBack(both, /Billing cannot take the call right now/);
    assert.deepEqual(results(call), ['Billing hung_up']);
  });
});

test('a caller who hangs up while the person is told: the person is let go', async () => {
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await rest.eventually('the person is being told', async () => told(phone) > 50);
    await both.caller.hangUp();
    await rest.eventually('the person is let go', async () => !phone.isUp);
    assert.ok(phone.callTo(PERSON)?.received.includes('BYE'));
    const call = await calls.record(both.number);
    assert.deepEqual(
      [call.outcome, call.endReason, results(call)],
      ['completed', 'caller_hangup', ['Billing withdrawn']],
    );
    assert.equal(calls.openLegs(), 0);
  });
});

test('out of hours nobody is promised, and nobody called', async () => {
  const [business] = await rest.must('GET', '/businesses');
  const zone = business?.timezone ?? 'UTC';
  const soon = new Date(Date.now() + 3 * 3_600_000);
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(soon);
  const day = part({ weekday: 'long' }).toLowerCase();
  await calls.transferNumber(null);
  await calls.destinations(
    one({ hours: [{ day, open: part({ hour: '2-digit', minute: '2-digit' }), close: '23:59' }] }),
  );
  await calls.withPhone({}, async (phone) => {
    const { caller, number } = await greeted(service);
    const sentAt = await caller.call.speak(await renderSpeech('Can I speak to a person please?', 'flite-slt'));
    await caller.agentSound(sentAt);
    await caller.agentQuiet(1_000);
    assert.match(await agentSaid(rest, number), /nobody can take the call right now/);
    await caller.hangUp();
    const call = await calls.record(number);
    assert.deepEqual([results(call), phone.calls.length, call.outcome], [[], 0, 'completed']);
  });
});

test('the engine is killed while the person is told: nobody is left on the line, and the caller has the agent', {
  skip: nightly,
}, async () => {
  await calls.destinations(one());
  await calls.withPhone({}, async (phone) => {
    const both = await calls.asks();
    await rest.eventually('the person is being told', async () => told(phone) > 50);
    process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
    await rest.eventually('the person is let go', async () => !phone.isUp);
    const call = await calls.isBack(both, /sorry/i);
    assert.equal(call.resumptions?.length, 1);
  });
});
