// Controls of a running call, from outside: by what the caller and the listener hear, and what the record says.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { rms } from '../../../media/frame.ts';
import { decodeWav } from '../../../media/wav.ts';
import { greeted } from '../../support/conversation.ts';
import { Listener } from '../../support/listener.ts';

import { CALLER_HZ, PERSON_HZ } from '../../support/sip/transfers.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist' });
const hours = await renderSpeech('What are your opening hours?', 'flite-slt');

const control = (callId: string, body: object, headers: Record<string, string> = {}) =>
  rest.request('POST', `/calls/${callId}/control`, body, headers);

/** A caller who was greeted, and the id of the call. */
async function onTheLine(options: Parameters<typeof greeted>[1] = {}) {
  const { caller, number } = await greeted(service, options);
  const [call] = await rest.callsFrom(number);
  assert.ok(call);
  return { caller, number, id: call.id, businessId: call.businessId };
}

const said = async (callId: string): Promise<string> => {
  const transcript = await rest.must('GET', `/calls/${callId}/transcript`);
  return transcript.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
};

const heardTone = (hz: number, frames: readonly Int16Array[]): boolean => frames.some((samples) => isTone(hz, samples));
/** Every second sample. */
const narrow = (samples: Int16Array): Int16Array => samples.filter((_, at) => at % 2 === 0);

/** The person says it again where a busy machine has lost a word. */
async function isUnderstood(id: string, listener: Awaited<ReturnType<typeof Listener.of>>): Promise<void> {
  const words = resampleWhole(hours, 8_000, 16_000);
  for (let attempt = 0; attempt < 3; attempt++) {
    listener.say(words);
    const understood = async (): Promise<boolean> => /person: .*opening hours/i.test(await said(id));
    if (await rest.eventually('the person is understood', understood, 20).catch(() => false)) return;
  }
  throw new Error(`the person was never understood: ${await said(id)}`);
}

test('the caller hears what a client wants said, once for one Idempotency-Key, and the audit log knows who', async () => {
  const { caller, id, businessId } = await onTheLine();
  const before = performance.now();
  const key = { 'idempotency-key': randomUUID() };
  const body = { kind: 'say', text: 'Please hold the line, a colleague is coming.' };
  const { status, body: answer } = await control(id, body, key);
  assert.equal(status, 200, JSON.stringify(answer));
  assert.deepEqual(answer.data, { kind: 'say', callId: id, state: 'done' });
  assert.equal((await control(id, body, key)).status, 200);
  await caller.agentSound(before);
  await caller.agentQuiet(900);
  await caller.hangUp();
  const transcript = await said(id);
  assert.equal(transcript.split('a colleague is coming').length, 2, transcript);
  const log = await rest.must('GET', `/businesses/${businessId}/audit-log`);
  const entries = log.filter(({ action }) => action === 'call-controlled');
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0]?.changes, { callId: { from: null, to: id }, control: { from: null, to: 'say' } });
  assert.equal((await control(id, { kind: 'mute' })).body.code, 'CALL_ENDED');
});

test('said now, it takes the place of what the agent says', async () => {
  const { caller, id } = await onTheLine();
  const sentAt = await caller.call.speak(hours);
  await caller.agentSound(sentAt);
  assert.equal((await control(id, { kind: 'say', text: 'One moment please.', when: 'now' })).status, 200);
  await rest.eventually('it is said', async () => /agent: One moment please\./.test(await said(id)));
  await caller.hangUp();
});

test('a muted agent listens and says nothing, until it may speak again', async () => {
  const { caller, id } = await onTheLine();
  assert.equal((await control(id, { kind: 'mute' })).status, 200);
  const mutedAt = performance.now();
  await caller.call.speak(hours);
  await rest.eventually('the caller is understood', async () => /caller: .*opening hours/i.test(await said(id)));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(caller.frames.filter(({ isSound, atMs }) => isSound && atMs > mutedAt + 200).length, 0);
  assert.equal((await control(id, { kind: 'unmute' })).status, 200);
  const sentAt = await caller.call.speak(hours);
  await caller.agentSound(sentAt);
  await caller.hangUp();
});

test('a masked recording is silence on both channels, and as long as the call', async () => {
  const { caller, id } = await onTheLine();
  void caller.call.speak(tone([CALLER_HZ], 60_000, 6_000));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal((await control(id, { kind: 'recording', recording: 'mask' })).status, 200);
  await control(id, { kind: 'say', text: 'This is not to be heard in the recording at all.', when: 'now' });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  assert.equal((await control(id, { kind: 'recording', recording: 'unmask' })).status, 200);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const lastedMs = performance.now() - (caller.call.answeredAtMs ?? 0);
  await caller.hangUp();
  await rest.eventually('the end', async () => (await rest.must('GET', `/calls/${id}`)).endedAt);
  const audio = await rest.bytes(`/calls/${id}/audio`);
  const { channelsSamples, sampleRateHz } = decodeWav(audio.body);
  const [left, right] = channelsSamples;
  assert.ok(left && right);
  assert.ok(Math.abs((left.length / sampleRateHz) * 1_000 - lastedMs) < 600, 'nothing is cut');
  const second = (side: Int16Array, at: number): number => rms(side.subarray(at, at + sampleRateHz / 2));
  let masked = 0;
  for (let at = 0; at + sampleRateHz / 2 <= left.length; at += sampleRateHz / 10)
    if (second(left, at) === 0 && second(right, at) === 0) masked++;
  assert.ok(masked >= 8, `${masked} windows of half a second are digital silence`);
  assert.ok(second(left, left.length - sampleRateHz / 2 - 800) > 500, 'the caller is heard again');
});

test('a listener hears both sides, and whoever comes with the token a second time does not', async () => {
  const { caller, id } = await onTheLine();
  const listener = await Listener.of(rest, id);
  void caller.call.speak(tone([CALLER_HZ], 30_000, 6_000));
  await rest.eventually('the caller is heard, left', async () =>
    heardTone(
      CALLER_HZ,
      listener.heard.map((frame) => narrow(frame.caller)),
    ),
  );
  await control(id, { kind: 'say', text: 'We are listening.', when: 'now' });
  await rest.eventually('the agent is heard, right', async () => listener.heard.some(({ agent }) => rms(agent) > 300));
  assert.ok(listener.told.some(({ type, text }) => type === 'transcript' && /Thank you for calling/.test(text ?? '')));
  const status = await new Promise((resolve) => {
    const again = new WebSocket(listener.socketUrl);
    again.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    again.on('open', () => resolve(101));
    again.on('error', () => undefined);
  });
  assert.equal(status, 401);
  await caller.hangUp();
  await rest.eventually('the socket closes with the call', async () => listener.closeCode === 1000);
});

test('who takes over by socket and the caller hear each other, the agent is silent, and comes back', async () => {
  const { caller, id } = await onTheLine({ record: true });
  const listener = await Listener.of(rest, id);
  listener.mode('take-over');
  await rest.eventually('it is taken over', async () =>
    listener.told.some(({ type, mode }) => type === 'mode' && mode === 'take-over'),
  );
  const second = await Listener.of(rest, id);
  second.mode('take-over');
  await rest.eventually('a second one is refused', async () =>
    second.told.some(({ code }) => code === 'CALL_TAKEN_OVER'),
  );
  const heard = caller.call.heard.length;
  void caller.call.speak(tone([CALLER_HZ], 3_000, 6_000));
  listener.say(tone([PERSON_HZ], 3_000, 6_000, 16_000));
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.slice(heard).some((samples) => isTone(PERSON_HZ, samples)),
  );
  await rest.eventually('the person hears the caller', async () =>
    heardTone(
      CALLER_HZ,
      listener.heard.map((frame) => narrow(frame.caller)),
    ),
  );
  await isUnderstood(id, listener);
  const backAt = performance.now();
  listener.mode('listen');
  await caller.agentSound(backAt);
  await rest.eventually('the agent is back', async () => /agent: I'm back on the line/.test(await said(id)));
  const by = { kind: 'take-over', by: 'socket' };
  assert.equal((await control(id, { ...by, listenerId: 'lis_of_nobody' })).body.code, 'LISTENER_GONE');
  assert.equal((await control(id, { ...by, listenerId: second.id })).status, 200);
  await rest.eventually('the listener is told', async () =>
    second.told.some(({ type, mode }) => type === 'mode' && mode === 'take-over'),
  );
  assert.equal((await control(id, { kind: 'hand-back' })).status, 200);
  await rest.eventually('and that it is over', async () =>
    second.told.some(({ type, mode }) => type === 'mode' && mode === 'listen'),
  );
  await caller.hangUp();
});
