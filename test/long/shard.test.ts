import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { ShardPool } from '../../engine/shard/pool.ts';
import { joinSamples, rms } from '../../media/frame.ts';
import { Control } from '../engine/shard/control.ts';
import { AGENT_HZ, FakeModels } from '../engine/shard/models/fake-models.ts';
import { Phone } from '../engine/shard/phone.ts';
import { hasTone, tone } from '../media/signals.ts';

const CALLER_HZ = 440;
const folder = temporaryFolder('shard');
const models = new FakeModels();
let pool: ShardPool;

before(async () => {
  pool = await ShardPool.start({
    shards: 1,
    rtpAddress: '127.0.0.1',
    rtpPortMin: 0,
    rtpPortMax: 0,
    connectModels: models.connectAll,
  });
});

after(async () => {
  await pool.stop();
  models.close();
});

test('a caller hears the agent, is heard, answered and recorded', async () => {
  const control = new Control(pool, folder, 'conversation');
  const phone = await Phone.open();
  control.open();
  const port = await control.answer(phone);
  const opening = await control.event('reply-wanted');
  assert.equal(opening.cause.kind, 'opening');
  await phone.say(port, new Int16Array(8000));
  const greeted = await control.event('reply-heard');
  assert.deepEqual([greeted.text, greeted.interrupted], [control.says, false]);
  const before = control.events.length;
  await phone.say(port, joinSamples([tone(CALLER_HZ, 8000, 600), new Int16Array(12_000)]));
  const wanted = await control.event('reply-wanted', before);
  assert.equal(wanted.cause.kind === 'turn' && wanted.cause.text, 'hello');
  await control.event('reply-heard', before);
  const closed = await control.close();
  phone.close();

  const loud = joinSamples(phone.heard.filter((frame) => rms(frame) > 5000));
  assert.ok(hasTone(loud, AGENT_HZ, 8000));
  assert.ok(Math.abs(loud.length - 2 * 4800) <= 320, `${loud.length} samples of the agent`);
  assert.equal(closed.recordingPath, control.recordingPath);
  const [left, right] = control.recording();
  assert.equal(left.length, closed.recordedMs * 8);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5000);
  assert.ok(hasTone(left.subarray(spokenAt, spokenAt + 4800), CALLER_HZ, 8000));
  assert.ok(hasTone(right.subarray(greeted.startedAtMs * 8, greeted.startedAtMs * 8 + 4800), AGENT_HZ, 8000));
  assert.equal(control.events.filter(({ type }) => type === 'latency').length, 1);
  assert.ok([...models.heardSamples].some(([key, samples]) => key.startsWith('conversation ') && samples >= 600 * 8));
});

test('a call that is answered with G.722 is wideband to the end, also when its shard is lost and its codec changes', async () => {
  const control = new Control(pool, folder, 'wideband');
  const phone = await Phone.open({ codec: 'G722' });
  control.open();
  pool.send({ type: 'prepare-speech', callId: 'wideband', texts: [control.says] });
  const port = await control.answer(phone);
  await phone.say(port, joinSamples([new Int16Array(16_000), tone(5_000, 16_000, 600), new Int16Array(16_000)]));
  await control.event('reply-heard');
  const before = control.events.length;
  pool.send({ type: 'model-port', model: 'vad', port: null, callId: 'wideband' } as never);
  await control.event('phase', before);
  const narrow = await Phone.open({ ssrc: 7 });
  control.connect(narrow, 'sendrecv');
  await narrow.say(port, joinSamples([new Int16Array(1_600), tone(CALLER_HZ, 8_000, 400)]));
  const { recordedMs } = await control.close();
  phone.close();
  narrow.close();
  const [left, right] = control.recording();
  assert.equal(left.length, recordedMs * 16);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5_000);
  assert.ok(hasTone(left.subarray(spokenAt, spokenAt + 9_600), 5_000, 16_000));
  assert.ok(hasTone(right, AGENT_HZ, 16_000));
  assert.ok(hasTone(left.subarray(-4_800), CALLER_HZ, 16_000));
  assert.ok(hasTone(joinSamples(phone.heard), AGENT_HZ, 16_000));
});

test('a wideband caller and a narrowband one are joined', async () => {
  const [first, second] = [new Control(pool, folder, 'wide'), new Control(pool, folder, 'narrow')];
  const [alice, bob] = [await Phone.open({ codec: 'G722' }), await Phone.open()];
  first.open();
  second.open();
  const [alicePort, bobPort] = [await first.answer(alice), await second.answer(bob)];
  await first.event('reply-heard');
  await second.event('reply-heard');
  pool.send({ type: 'bridge', callId: 'wide', otherCallId: 'narrow' });
  const from = [alice.heard.length + 5, bob.heard.length + 5] as const;
  await Promise.all([alice.say(alicePort, tone(500, 16_000, 800)), bob.say(bobPort, tone(700, 8_000, 800))]);
  assert.ok(hasTone(joinSamples(alice.heard.slice(from[0] + 10, from[0] + 30)), 700, 16_000));
  assert.ok(hasTone(joinSamples(bob.heard.slice(from[1] + 10, from[1] + 30)), 500, 8_000));
  await Promise.all([first.close(), second.close()]);
  alice.close();
  bob.close();
});

test('a caller who speaks over the agent gets the floor: the agent is cut, and what was heard is known', async () => {
  const control = new Control(pool, folder, 'barge-in');
  control.says = 'word '.repeat(100).trim();
  const phone = await Phone.open();
  control.open();
  const port = await control.answer(phone);
  await phone.say(port, new Int16Array(8000));
  control.says = 'yes';
  await phone.say(port, joinSamples([tone(CALLER_HZ, 8000, 1_400), new Int16Array(8000)]));
  const heard = await control.event('reply-heard');
  assert.equal(heard.interrupted, true);
  const words = heard.text.split(' ').length;
  // One word is 60 ms: about 1 s was heard before the interruption, plus the time to confirm it.
  assert.ok(words >= 12 && words <= 45, `${words} words`);
  await control.event('barge-in');
  const closed = await control.close();
  phone.close();
  assert.equal(closed.stats.bargeIns, 1);
  const [, right] = control.recording();
  let agentMs = 0;
  for (let at = 0; at + 160 <= right.length; at += 160) if (rms(right.subarray(at, at + 160)) > 1000) agentMs += 20;
  // The words that were heard, at the end in a lowered voice, plus the short answer.
  assert.ok(Math.abs(agentMs - (words + 1) * 60) <= 150, `${agentMs} ms of the agent for ${words} words`);
});

test('keys are reported once, digits are sent as events, hold stops the agent', async () => {
  const control = new Control(pool, folder, 'keys');
  const phone = await Phone.open();
  control.open();
  const port = await control.answer(phone);
  await phone.say(port, new Int16Array(1600));
  phone.press(port, 4);
  phone.press(port, 11);
  assert.equal((await control.event('caller-digits')).digits, '4');
  await phone.say(port, new Int16Array(1600));
  assert.deepEqual(
    control.events.flatMap((event) => (event.type === 'caller-digits' ? [event.digits] : [])),
    ['4', '#'],
  );
  pool.send({ type: 'send-digits', callId: 'keys', digits: '7' });
  await phone.say(port, new Int16Array(4800));
  assert.deepEqual([...new Set(phone.events.map(({ event }) => event))], [7]);
  assert.equal(phone.events.filter(({ end }) => end).length, 3);

  control.connect(phone, 'recvonly');
  await phone.say(port, new Int16Array(800));
  const packets = phone.heard.length;
  await phone.say(port, new Int16Array(3200));
  assert.equal(phone.heard.length, packets);
  control.connect(phone, 'sendrecv');
  await phone.say(port, new Int16Array(1600));
  assert.ok(phone.heard.length > packets);
  await control.close();
  phone.close();
});

test('two calls are joined: each caller hears the other, neither hears the agent', async () => {
  const [first, second] = [new Control(pool, folder, 'joined-1'), new Control(pool, folder, 'joined-2')];
  const [alice, bob] = [await Phone.open(), await Phone.open()];
  first.open();
  second.open();
  const [alicePort, bobPort] = [await first.answer(alice), await second.answer(bob)];
  await first.event('reply-heard');
  await second.event('reply-heard');
  pool.send({ type: 'bridge', callId: 'joined-1', otherCallId: 'joined-2' });
  const from = [alice.heard.length + 5, bob.heard.length + 5] as const;
  await Promise.all([alice.say(alicePort, tone(500, 8000, 1000)), bob.say(bobPort, tone(700, 8000, 1000))]);
  const middle = (phone: Phone, start: number) => joinSamples(phone.heard.slice(start + 10, start + 35));
  assert.ok(hasTone(middle(alice, from[0]), 700, 8000));
  assert.ok(hasTone(middle(bob, from[1]), 500, 8000));
  await Promise.all([first.close(), second.close()]);
  const [left, right] = first.recording();
  assert.ok(hasTone(left.subarray(-8000), 500, 8000) && hasTone(right.subarray(-8000), 700, 8000));
  alice.close();
  bob.close();
});

test('a voice failure is reported, and the reply counts as failed', async () => {
  const control = new Control(pool, folder, 'mute');
  const phone = await Phone.open();
  models.failSpeech = true;
  control.open();
  await control.answer(phone);
  assert.equal((await control.event('model-failed')).model, 'tts');
  const fallback = await control.event(
    'reply-wanted',
    control.events.findIndex((event) => event.type === 'model-failed'),
  );
  models.failSpeech = false;
  assert.equal(fallback.cause.kind, 'fallback');
  await control.close();
  phone.close();
});

test('an answering machine is recognised by its words, and its tone is reported', async () => {
  const control = new Control(pool, folder, 'machine');
  const phone = await Phone.open();
  models.understands = 'please leave a message after the tone';
  control.open({ amd: { enabled: true } });
  const port = await control.answer(phone);
  await phone.say(port, joinSamples([new Int16Array(2400), tone(300, 8000, 600), new Int16Array(8000)]));
  let from = 0;
  while ((await control.event('amd', from)).verdict !== 'machine') from++;
  models.understands = 'hello';
  await phone.say(port, joinSamples([tone(1400, 8000, 800), new Int16Array(4800)]));
  await control.event('beep');
  await control.close();
  phone.close();
});

test('a call that is closed before its sockets are bound, or twice, ends once', async () => {
  const control = new Control(pool, folder, 'brief');
  control.open();
  pool.send({ type: 'close', callId: 'brief' });
  const closed = await control.event('closed');
  assert.equal(closed.recordedMs, 0);
  assert.equal(closed.recordingPath, null);
  pool.send({ type: 'close', callId: 'brief' });
  pool.send({ type: 'answered', callId: 'brief' });
  assert.equal(control.events.filter(({ type }) => type === 'closed').length, 1);
});

test('a lost shard comes back with its calls: same port, no second greeting, one recording', async () => {
  const control = new Control(pool, folder, 'survivor');
  const phone = await Phone.open();
  control.open();
  const port = await control.answer(phone);
  await phone.say(port, new Int16Array(16_000));
  const greeted = await control.event('reply-heard');
  const before = control.events.length;
  // An invalid port: the handler throws outside any call, which kills the thread.
  pool.send({ type: 'model-port', model: 'vad', port: null, callId: 'survivor' } as never);
  await control.event('phase', before);
  await phone.say(port, joinSamples([new Int16Array(3200), tone(CALLER_HZ, 8000, 600), new Int16Array(8000)]));
  const wanted = await control.event('reply-wanted', before);
  assert.equal(wanted.cause.kind, 'turn');
  assert.ok(wanted.epoch > greeted.epoch);
  await control.event('reply-heard', before);
  const closed = await control.close();
  phone.close();
  assert.equal(control.events.filter(({ type }) => type === 'opened').length, 1);
  const [left, right] = control.recording();
  assert.equal(left.length, closed.recordedMs * 8);
  assert.ok(closed.recordedMs >= 3500, `${closed.recordedMs} ms`);
  const spokenAt = left.findIndex((sample) => Math.abs(sample) > 5000);
  assert.ok(spokenAt > 16_000);
  // The first shard's greeting and the second shard's answer are both there.
  assert.ok(rms(right.subarray(greeted.startedAtMs * 8, greeted.startedAtMs * 8 + 1600)) > 5000);
  assert.ok(rms(right.subarray(spokenAt + 4800)) > 500);
});

test('two joined calls whose shard is lost are joined again, whichever of them is there first', async () => {
  const [first, second] = [new Control(pool, folder, 'again-1'), new Control(pool, folder, 'again-2')];
  const [alice, bob] = [await Phone.open(), await Phone.open()];
  first.open();
  second.open();
  const [alicePort, bobPort] = [await first.answer(alice), await second.answer(bob)];
  await first.event('reply-heard');
  await second.event('reply-heard');
  pool.send({ type: 'bridge', callId: 'again-1', otherCallId: 'again-2' });
  pool.send({ type: 'model-port', model: 'vad', port: null, callId: 'again-1' } as never);
  await Promise.all([isBack(alice), isBack(bob)]);
  const from = [alice.heard.length + 5, bob.heard.length + 5] as const;
  await Promise.all([alice.say(alicePort, tone(500, 8000, 1000)), bob.say(bobPort, tone(700, 8000, 1000))]);
  const middle = (phone: Phone, start: number) => joinSamples(phone.heard.slice(start + 10, start + 35));
  assert.ok(hasTone(middle(alice, from[0]), 700, 8000));
  assert.ok(hasTone(middle(bob, from[1]), 500, 8000));
  await Promise.all([first.close(), second.close()]);
  alice.close();
  bob.close();
});

/** Packets come again after they had stopped. */
async function isBack({ arrivalsMs }: Phone): Promise<void> {
  const before = arrivalsMs.length;
  const hasStopped = (): boolean =>
    arrivalsMs.some((atMs, index) => index >= before && atMs - (arrivalsMs[index - 1] ?? atMs) > 100);
  while (!hasStopped()) await new Promise((resolve) => setTimeout(resolve, 20));
}
