import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GeminiLiveServer } from '../../../bench/rig/fakes/gemini-live-server.ts';
import { OpenAiRealtimeServer } from '../../../bench/rig/fakes/openai-realtime-server.ts';
import { SpeechServer } from '../../../bench/rig/fakes/speech-server.ts';
import { probeSpeechToSpeech, probeVendors } from '../../../models/vendors/server-probe.ts';

const both = (environment: Record<string, string>) => ({ stt: environment, tts: environment });

const PAIRS = [
  { stt: 'deepgram', tts: 'elevenlabs' },
  { stt: 'openai', tts: 'openai' },
];

for (const names of PAIRS) {
  test(`${names.stt} and ${names.tts}: a right key is nothing to speak of, a wrong one is found at the start`, async () => {
    const server = await new SpeechServer({ apiKey: 'right' }).start();
    const base = names.stt === 'openai' ? `${server.origin}/v1` : server.origin;
    const environment = (key: string) =>
      both({
        STT_BASE_URL: base,
        STT_API_KEY: key,
        TTS_BASE_URL: base,
        TTS_API_KEY: key,
      });
    assert.deepEqual(await probeVendors(names, environment('right')), []);
    const findings = await probeVendors(names, environment('wrong-key'));
    assert.deepEqual(
      findings.map(({ kind, engine }) => [kind, engine]),
      [
        ['stt', names.stt],
        ['tts', names.tts],
      ],
    );
    assert.match(findings[0]?.message ?? '', /401.*STT_API_KEY is not accepted/);
    assert.match(findings[1]?.message ?? '', /401.*TTS_API_KEY is not accepted/);
    assert.ok(!JSON.stringify(findings).includes('wrong-key'));
    await server.stop();
    const gone = await probeVendors(names, environment('right'));
    assert.match(gone[0]?.message ?? '', /cannot be reached.*STT_BASE_URL/);
  });
}

for (const [engine, server] of [
  ['openai-realtime', new OpenAiRealtimeServer({ apiKey: 'right' })],
  ['gemini-live', new GeminiLiveServer({ apiKey: 'right' })],
] as const)
  test(`${engine}: the same of a model that speaks itself`, async () => {
    await server.start();
    const environment = (key: string) => ({ DIALOGUE_BASE_URL: server.origin, DIALOGUE_API_KEY: key });
    assert.equal(await probeSpeechToSpeech(engine, environment('right')), null);
    const { kind, message } = (await probeSpeechToSpeech(engine, environment('wrong-key'))) ?? {};
    assert.equal(kind, 'speech-to-speech');
    assert.match(message ?? '', /401.*DIALOGUE_API_KEY is not accepted/);
    await server.stop();
  });

test('built-in engines and plug-ins are not asked', async () => {
  assert.deepEqual(await probeVendors({ stt: 'soundswallower', tts: 'module:/engine.ts' }, both({})), []);
  for (const none of [null, 'module:/engine.ts']) assert.equal(await probeSpeechToSpeech(none, {}), null);
});
