// The whole service with remote ears and voices, over real SIP: a caller asks, is recognised by one server and answered
// in the voice of another; and when the servers die in mid call, by the built-in engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import { Rest, saidBy } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { nightly } from '../support/nightly.ts';

const KEY = 'vendor-secret-key';
const QUESTION = 'What are your opening hours?';

async function withEngines(
  stt: string,
  tts: string,
  run: (service: Service, server: SpeechServer) => Promise<void>,
): Promise<void> {
  const server = await new SpeechServer({ apiKey: KEY, text: 'what are your opening hours' }).start();
  const base = (name: string): string => (name.startsWith('openai') ? `${server.origin}/v1` : server.origin);
  const service = await startService({
    STT: stt,
    STT_BASE_URL: base(stt),
    STT_API_KEY: KEY,
    TTS: tts,
    TTS_BASE_URL: base(tts),
    TTS_API_KEY: KEY,
  });
  try {
    await run(service, server);
    assert.ok(!service.output().includes(KEY), 'the key is in no log');
  } finally {
    await service.stop();
    await server.stop();
  }
}

for (const [stt, tts] of [
  ['deepgram', 'elevenlabs'],
  ['openai-realtime', 'openai'],
  ['openai', 'openai'],
] as const) {
  test(`${stt} hears and ${tts} speaks; when both die in mid call, the built-in engines go on`, {
    skip: stt !== 'deepgram' && nightly,
  }, async (t) => {
    await withEngines(stt, tts, async (service, server) => {
      const rest = await new Rest(service).login();
      const { body } = await rest.request('GET', '/voices');
      const voices = body.data;
      assert.equal(voices[0]?.engine, tts);
      assert.equal(voices[0]?.isDefault, true);
      const { caller, number } = await greeted(service);
      const speech = await renderSpeech(QUESTION, 'flite-slt');
      const askedAt = await caller.call.speak(speech);
      const answeredAt = await caller.agentSound(askedAt);
      t.diagnostic(`answered ${Math.round(answeredAt - askedAt)} ms after the question`);
      await caller.agentQuiet(900);
      await server.stop();
      // Another question: sentences that were spoken before need no voice.
      const againAt = await caller.call.speak(await renderSpeech('How much is a haircut?', 'flite-slt'));
      const stillAt = await caller.agentSound(againAt);
      t.diagnostic(`without its servers after ${Math.round(stillAt - againAt)} ms`);
      await caller.agentQuiet(900);
      await caller.hangUp();
      const call = await rest.endedCall(number);
      assert.equal(call.status, 'COMPLETED');
      // How well the built-in recogniser hears is its own tests' matter: here the call goes on, and the caller is
      // answered. The server says the whole question of each part that it is sent.
      assert.match(saidBy(call, 'caller')[0] ?? '', /^what are your opening hours/);
      assert.ok(call.transcript.filter(({ speaker }) => speaker === 'agent').length >= 3);
      for (const [model, from, to] of [
        ['stt', stt, 'soundswallower'],
        ['tts', tts, 'flite'],
      ])
        assert.ok(
          call.fallbacks.some((fallback) => fallback.model === model && fallback.from === from && fallback.to === to),
        );
      assert.match(service.output(), /another engine took over/);
    });
  });
}
