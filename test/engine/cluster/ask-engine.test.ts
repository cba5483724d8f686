// Whether a silent engine lives: asked on its control port and by SIP.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { answersAnyhow, knock } from '../../../engine/cluster/ask-engine.ts';
import { startControl } from '../../../engine/cluster/control-server.ts';
import { ANSWER_WITHIN_MS } from '../../../engine/silence.ts';
import { SipLab } from '../../support/sip/sip-lab.ts';

const sealingKey = randomBytes(32);
const OWN = 'sip:10.0.0.1:5060';
const OTHER = 'sip:10.0.0.2:5060';

/** `lives`: the SIP addresses where somebody answers. */
function ask(engine: { controlUrl?: string | null; sipUri?: string | null }, lives: readonly string[] = []) {
  const asked: string[] = [];
  const reaches = async (uri: string) => {
    asked.push(uri);
    return lives.includes(uri);
  };
  const asking = { sealingKey, nowMs: () => Date.now(), telephony: { reaches }, sipUri: OWN };
  const answers = answersAnyhow({ controlUrl: null, sipUri: null, ...engine }, asking);
  return { answers, asked };
}

test('either answer is a sign of life, and no answer is none', async () => {
  const control = await startControl({
    host: '127.0.0.1',
    port: 0,
    sealingKey,
    now: () => Date.now(),
    renderSample: async () => Buffer.alloc(0),
    endCall() {},
    disk: { id: 'disk_1', recordingsDir: '' },
  });
  assert.equal(await ask({ controlUrl: control.url, sipUri: OTHER }).answers, true);
  await control.close();
  assert.equal(await ask({ controlUrl: control.url, sipUri: OTHER }, [OTHER]).answers, true);
  assert.equal(await ask({ controlUrl: control.url, sipUri: OTHER }).answers, false);
  assert.equal(await ask({ sipUri: OTHER }, [OTHER]).answers, true);
  assert.equal(await ask({}).answers, false);
});

test('the port of a process is open, and refused when that has ended', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const controlUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal(await knock({ controlUrl }), 'open');
  server.close();
  await once(server, 'close');
  assert.equal(await knock({ controlUrl }), 'refused');
  assert.equal(await knock({ controlUrl: null }), 'silent');
});

test('it does not take itself for the other', async () => {
  for (const sipUri of [OWN, 'sip:0.0.0.0:5060', 'sip:[::]:5060']) {
    const { answers, asked } = ask({ sipUri }, [sipUri]);
    assert.equal(await answers, false);
    assert.deepEqual(asked, []);
  }
});

test('by SIP an engine answers whoever asks, also one that is full; nobody, and a drachtio without engine, do not', async () => {
  const lab = new SipLab();
  // The proxy runs on the asking engine's machine: it is told that there is no room.
  const options = { inboundAllow: [], edgeProxies: ['10.0.0.1/32'] };
  const [one, other] = [await lab.endpoint('10.0.0.1', options), await lab.endpoint('10.0.0.2', options)];
  const reaches = async (uri: string) => {
    const answer = one.reaches(uri, ANSWER_WITHIN_MS);
    await lab.run(1_500);
    return answer;
  };
  assert.equal(await reaches(OTHER), true);
  other.setAdmission(() => 'capacity');
  assert.equal(await reaches(OTHER), true);
  await other.stop();
  assert.equal(await reaches(OTHER), false);
  const drachtio = lab.peer('10.0.0.3');
  drachtio.onMessage = (message, from) => {
    if (message.kind === 'request') drachtio.respond(message, from, 503);
  };
  assert.equal(await reaches('sip:10.0.0.3:5060'), false);
  assert.equal(await reaches('tel:+15551230000'), false);
  await lab.run(40_000, 500);
  assert.equal(one.counts.transactions, 0);
  assert.deepEqual(lab.errors, []);
});
