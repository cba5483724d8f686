// People beside an agent that has a language model: instructions, whispers, a softphone that takes over; and tokens
// that end with the session that asked for them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { isTone, tone } from '../../../bench/rig/conversation/tones.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../../bench/rig/service/service.ts';
import { Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { greetBriefly, greeted } from '../../support/conversation.ts';
import { Listener } from '../../support/listener.ts';
import { FakeOpenAi } from '../../support/models/fake-openai.ts';

import { CALLER_HZ, PERSON_HZ } from '../../support/sip/transfers.ts';

const question = await renderSpeech('What are your opening hours?', 'flite-slt');
let service: Service;
let model: FakeOpenAi;
let rest: Rest;

before(async () => {
  model = await FakeOpenAi.start([() => ({ type: 'text', pieces: ['We are open from nine.'] })]);
  service = await startService({
    LLM: 'openai',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'test-key',
    MAX_CALLS: '10',
  });
  rest = await new Rest(service).login();
  await greetBriefly(rest);
});
after(async () => {
  assert.equal(await service.stop(), 0);
  await model.stop();
});

async function onTheLine() {
  const { caller, number } = await greeted(service, { record: true });
  const [call] = await rest.callsFrom(number);
  assert.ok(call);
  return { caller, id: call.id };
}

const transcriptOf = (id: string) => rest.must('GET', `/calls/${id}/transcript`);
const control = (id: string, body: object) => rest.request('POST', `/calls/${id}/control`, body);
const isTold = (words: RegExp): boolean =>
  model.requests.some(({ body }) => words.test(JSON.stringify(body.messages?.[0] ?? '')));

test('an instruction stands in the system message of the requests that follow', async () => {
  const { caller, id } = await onTheLine();
  const { status, body } = await control(id, { kind: 'instruct', text: 'Offer a discount of ten percent.' });
  assert.equal(status, 200, JSON.stringify(body));
  const sentAt = await caller.call.speak(question);
  await caller.agentSound(sentAt);
  assert.ok(isTold(/Offer a discount of ten percent/));
  await caller.hangUp();
});

test('a whisper is the agent’s instruction, and the caller hears nothing of it', async () => {
  const { caller, id } = await onTheLine();
  const listener = await Listener.of(rest, id);
  listener.mode('whisper');
  await rest.eventually('it may whisper', async () => listener.told.some(({ mode }) => mode === 'whisper'));
  const from = caller.call.heard.length;
  listener.say(tone([PERSON_HZ], 1_500, 6_000, 16_000));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  listener.say(resampleWhole(question, 8_000, 16_000));
  await rest.eventually('the whisper is understood', async () =>
    (await transcriptOf(id)).some(({ speaker, line }) => speaker === 'person' && line === 'person'),
  );
  assert.ok(!caller.call.heard.slice(from).some((samples) => isTone(PERSON_HZ, samples)));
  const sentAt = await caller.call.speak(question);
  await caller.agentSound(sentAt);
  await rest.eventually('the model is told', async () => isTold(/opening hours/i));
  await caller.hangUp();
});

test('a softphone is called, takes the call over, and the agent is back once it hangs up', async () => {
  const made = await rest.request('POST', '/admin/sip-accounts', { username: 'desk', callsTo: 'demo' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const phone = await Phone.start({ talks: true });
  const credentials = { username: 'desk', password: made.body.data.password };
  await rest.eventually('the phone is registered', async () => {
    return (await phone.register(service.sipAddress, credentials)) === 200;
  });
  await rest.eventually('the registration is shown', async () => {
    const { body } = await rest.request('GET', `/admin/sip-accounts/${made.body.data.id}`);
    return body.data.registration?.port === phone.port;
  });
  const { caller, id } = await onTheLine();
  const { status, body } = await control(id, { kind: 'take-over', by: 'sip:desk' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.data.state, 'ringing');
  await rest.eventually('the softphone answers', async () => phone.isUp);
  void caller.call.speak(tone([CALLER_HZ], 4_000, 6_000));
  phone.audio.speak(tone([PERSON_HZ], 4_000, 6_000));
  await rest.eventually('the person hears the caller', async () =>
    phone.audio.heard.some(({ samples }) => isTone(CALLER_HZ, samples)),
  );
  await rest.eventually('the caller hears the person', async () =>
    caller.call.heard.some((samples) => isTone(PERSON_HZ, samples)),
  );
  assert.equal((await control(id, { kind: 'say', text: 'Not now.' })).body.code, 'CALL_TAKEN_OVER');
  assert.equal((await control(id, { kind: 'take-over', by: 'sip:desk' })).body.data?.state, 'done');
  const asked = model.requests.length;
  phone.calls.at(-1)?.hangUp();
  await rest.eventually('the agent goes on', async () => model.requests.length > asked);
  assert.equal((await control(id, { kind: 'hand-back' })).body.code, 'NOT_TAKEN_OVER');
  await caller.hangUp();
  phone.stop();
});

test('a token and a socket end with the session that asked for them', async () => {
  const { caller, id } = await onTheLine();
  const token = await service.login();
  const headers = { authorization: `Bearer ${token}` };
  const ask = async () => {
    const response = await fetch(`${service.apiUrl}/api/v1/calls/${id}/listen`, { method: 'POST', headers });
    assert.equal(response.status, 201);
    return ((await response.json()) as { data: { socketUrl: string } }).data.socketUrl;
  };
  const socket = new WebSocket(await ask());
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  const unused = await ask();
  const out = await fetch(`${service.apiUrl}/api/v1/auth/logout`, { method: 'POST', headers });
  assert.ok(out.ok, `${out.status}`);
  assert.equal(await closed, 1008);
  const status = await new Promise((resolve) => {
    const late = new WebSocket(unused);
    late.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    late.on('open', () => resolve(101));
    late.on('error', () => undefined);
  });
  assert.equal(status, 401);
  await caller.hangUp();
});

test('frames that are too long and texts that come too fast end one socket, and the call goes on', async () => {
  const { caller, id } = await onTheLine();
  const flood = await Listener.of(rest, id);
  for (let i = 0; i < 50; i++) flood.send('{"type": "mode", "mode": "nonsense"}');
  await rest.eventually('who floods is gone', async () => flood.closeCode === 1008);
  const heavy = await Listener.of(rest, id);
  heavy.send('x'.repeat(10_000_000));
  await rest.eventually('who sends 10 MB is gone', async () => heavy.closeCode !== null);
  const asked = await Promise.all(Array.from({ length: 40 }, () => rest.request('POST', `/calls/${id}/listen`)));
  assert.equal(asked.filter(({ status }) => status === 201).length, 32);
  assert.ok(asked.some(({ body }) => body.code === 'LISTENERS_FULL'));
  const sentAt = await caller.call.speak(question);
  await caller.agentSound(sentAt);
  await caller.hangUp();
});
