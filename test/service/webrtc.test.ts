// A browser call by WebRTC whose packets stop in the middle of a sentence: the sentence is understood whole, and the
// agent's words go on by the socket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserCaller, type Frame } from '../../bench/rig/webrtc/browser-caller.ts';
import { everyFrame, framesOf } from '../../bench/rig/webrtc/frames.ts';
import { WebRtcPhone } from '../../bench/rig/webrtc/webrtc-phone.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { OPUS_RATE_HZ } from '../../media/opus.ts';
import { nightly } from '../support/nightly.ts';
import { useService } from '../support/use-service.ts';

const { rest } = useService();
const QUESTION = /what are your opening hours/i;

test('no word is lost where packets stop, wherever in a sentence that is', { timeout: 180_000 }, async () => {
  const question = resampleWhole(await renderSpeech('What are your opening hours?', 'flite-slt'), 8_000, OPUS_RATE_HZ);
  const spoken = await framesOf(question);
  const [silence] = await framesOf(new Int16Array(OPUS_RATE_HZ / 50));
  const [campaign] = await rest.must('GET', '/campaigns');
  const { body } = await rest.request('POST', '/calls/web', { campaignId: campaign?.id });
  const { call, socketUrl } = body.data;
  const caller = await BrowserCaller.join(socketUrl, await WebRtcPhone.open());
  const { phone } = caller;
  assert.ok(phone);
  let speech: Frame[] = [];
  let cutAt = Number.POSITIVE_INFINITY;
  const stop = everyFrame(() => {
    if (spoken.length - speech.length === cutAt) phone.isMute = phone.isDeaf = true;
    caller.send((speech.shift() ?? silence) as Frame);
  });
  const understood = (): number => [...caller.understood.values()].filter((text) => QUESTION.test(text)).length;
  // At its beginning, in its middle, and before its last sound.
  for (const [turn, share] of (nightly === false ? [0.1, 0.5, 0.85] : [0.5]).entries()) {
    await rest.eventually('WebRTC, and an agent who listens', async () => {
      return caller.path === 'webrtc' && caller.states.at(-1) === 'listening';
    });
    cutAt = Math.round(spoken.length * share);
    speech = [...spoken];
    await rest.eventually('the socket', async () => caller.path === 'socket');
    const bySocket = caller.got.socket;
    await rest.eventually(`question ${turn + 1}`, async () => understood() === turn + 1);
    assert.ok(caller.got.socket > bySocket, 'the agent is heard by the socket meanwhile');
    cutAt = Number.POSITIVE_INFINITY;
    phone.isMute = phone.isDeaf = false;
  }
  stop();
  caller.close();
  await rest.eventually('the end', async () => (await rest.must('GET', `/calls/${call.id}`)).endedAt);
});
