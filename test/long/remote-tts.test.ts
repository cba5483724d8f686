// The remote voices against a server that speaks their vendors' interfaces, through the worker's own host: what is
// asked, what a caller would hear, and what each fault of the server costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { eventually } from '../../bench/rig/eventually.ts';
import { MS_PER_CHARACTER, SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import type { Fault, SpeechServerOptions } from '../../bench/rig/fakes/speech-server-options.ts';
import createElevenLabsTts from '../../models/tts/elevenlabs.ts';
import { FliteTts } from '../../models/tts/flite/flite.ts';
import createOpenAiTts from '../../models/tts/openai.ts';
import type { TtsEngine, TtsReply, TtsRequest } from '../../models/tts/tts.ts';
import { TtsHost } from '../../models/tts/worker.ts';
import { repliesOn } from '../support/models/replies.ts';

const KEY = 'sk-secret';
const TEXT = 'We are open from nine until six.';

const ENGINES: Record<string, (environment: Record<string, string>) => Promise<TtsEngine>> = {
  openai: createOpenAiTts,
  elevenlabs: createElevenLabsTts,
};

async function start(name: string, options: SpeechServerOptions = {}, environment: Record<string, string> = {}) {
  const server = await new SpeechServer({ apiKey: KEY, ...options }).start();
  const create = ENGINES[name];
  assert.ok(create);
  const base = name === 'openai' ? `${server.origin}/v1` : server.origin;
  const engine = await create({ TTS_BASE_URL: base, TTS_API_KEY: KEY, ...environment });
  return { server, engine, voiceId: engine.voices[0]?.id ?? '' };
}

function speakThrough(engines: TtsEngine[]) {
  const host = new TtsHost(engines);
  const { port1, port2 } = new MessageChannel();
  const { all: replies, next } = repliesOn<TtsReply>(port1);
  host.connect(port2);
  const samplesOf = (id: number): number[] =>
    replies.flatMap((reply) => (reply.type === 'audio' && reply.id === id ? [...reply.samples] : []));
  return {
    replies,
    samplesOf,
    send: (request: TtsRequest): void => port1.postMessage(request),
    speak: (id: number, voiceId: string, text = TEXT, sampleRateHz = 8_000): void =>
      port1.postMessage({ type: 'speak', id, text, voiceId, speed: 1, sampleRateHz } satisfies TtsRequest),
    next,
    close: async () => {
      await host.close();
      port1.close();
    },
  };
}

const over = (id: number) => (reply: TtsReply) =>
  (reply.type === 'audio' && reply.id === id && reply.last) || (reply.type === 'failed' && reply.id === id);

/** RMS of the middle half, which holds no edge of a filter. */
function level(samples: number[]): number {
  const middle = samples.slice(samples.length / 4, (samples.length * 3) / 4);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length);
}

for (const name of Object.keys(ENGINES)) {
  for (const rateHz of [8_000, 16_000]) {
    test(`${name}: a clause becomes audio of its length at ${rateHz} Hz, streamed`, async () => {
      const { server, engine, voiceId } = await start(name);
      const voice = speakThrough([engine]);
      voice.speak(1, voiceId, TEXT, rateHz);
      await voice.next(over(1));
      const expected = (TEXT.length * MS_PER_CHARACTER * rateHz) / 1_000;
      assert.ok(Math.abs(voice.samplesOf(1).length - expected) < rateHz / 100, `${voice.samplesOf(1).length} samples`);
      assert.ok(level(voice.samplesOf(1)) > 1_000);
      assert.ok(voice.replies.filter(({ type }) => type === 'audio').length > 2, 'in several pieces');
      await voice.close();
      await server.stop();
    });
  }

  test(`${name}: chunks that cut samples in two are put together, half a sample at the end is dropped`, async () => {
    const { server, engine, voiceId } = await start(name);
    const voice = speakThrough([engine]);
    voice.speak(1, voiceId);
    await voice.next(over(1));
    server.fault = 'odd-chunks';
    voice.speak(2, voiceId, `${TEXT.slice(0, -1)}!`);
    await voice.next(over(2));
    const [whole, odd] = [voice.samplesOf(1), voice.samplesOf(2)];
    assert.equal(odd.length, whole.length);
    assert.ok(Math.abs(level(odd) / level(whole) - 1) < 0.3, 'the same tone, not noise');
    await voice.close();
    await server.stop();
  });

  test(`${name}: a cancelled clause is cancelled at the server`, async () => {
    const { server, engine, voiceId } = await start(name);
    server.fault = 'half-speed';
    const voice = speakThrough([engine]);
    voice.speak(1, voiceId);
    await voice.next((reply) => reply.type === 'audio');
    voice.send({ type: 'cancel', id: 1 });
    await eventually(() => server.requests.at(-1)?.isAborted === true);
    await voice.close();
    await server.stop();
  });

  const faults: Fault[] = ['hang', 'unauthorised', 'quota', 'broken', 'garbage', 'reset', 'empty'];
  for (const fault of faults) {
    test(`${name}: behind ${fault} the built-in voice speaks, and the call says so`, async () => {
      const { server, engine, voiceId } = await start(name);
      server.fault = fault;
      const voice = speakThrough([engine, new FliteTts()]);
      voice.speak(1, voiceId);
      const end = await voice.next(over(1));
      assert.equal(end.type, 'audio', JSON.stringify(end));
      assert.ok(level(voice.samplesOf(1)) > 300);
      const told = voice.replies.find(({ type }) => type === 'fallback');
      assert.ok(told?.type === 'fallback' && told.from === name && told.to === 'flite');
      assert.ok(!told.message.includes(KEY));
      await voice.close();
      await server.stop();
    });
  }

  test(`${name}: a failure in mid clause fails that clause only`, async () => {
    const { server, engine, voiceId } = await start(name);
    server.nextFaults.push('hang-in-stream');
    const voice = speakThrough([engine, new FliteTts()]);
    voice.speak(1, voiceId);
    voice.speak(2, voiceId, 'Anything else?');
    assert.equal((await voice.next(over(2))).type, 'audio');
    assert.equal((await voice.next(over(1))).type, 'failed');
    assert.ok(voice.samplesOf(1).length > 1_000);
    await voice.close();
    await server.stop();
  });

  test(`${name}: four hung requests do not end all speech`, async () => {
    const { server, engine, voiceId } = await start(name);
    server.nextFaults.push('hang', 'hang', 'hang', 'hang');
    const voice = speakThrough([engine, new FliteTts()]);
    for (const id of [1, 2, 3, 4]) voice.speak(id, voiceId, `Hung number ${id}.`);
    voice.speak(5, voiceId, 'Fine.');
    assert.equal((await voice.next(over(5))).type, 'audio');
    for (const id of [1, 2, 3, 4]) assert.equal((await voice.next(over(id))).type, 'audio');
    await voice.close();
    await server.stop();
  });
}

test('openai: model, voice and raw PCM are asked for; a compatible server is told the rate', async () => {
  const { server, engine, voiceId } = await start('openai');
  const voice = speakThrough([engine]);
  voice.speak(1, voiceId, 'Hello.');
  await voice.next(over(1));
  assert.deepEqual(server.requests.at(-1)?.fields, {
    model: 'gpt-4o-mini-tts',
    input: 'Hello.',
    voice: 'af_heart',
    response_format: 'pcm',
    sample_rate: 24_000,
  });
  await voice.close();
  await server.stop();
});

test('openai: voices are the ones that the server lists, else those of TTS_VOICES', async () => {
  const listed = await start('openai');
  assert.deepEqual(
    listed.engine.voices.map(({ id }) => id),
    ['openai:af_heart', 'openai:bf_emma'],
  );
  await listed.server.stop();
  const named = await start('openai', {}, { TTS_VOICES: 'anna, otto' });
  assert.deepEqual(
    named.engine.voices.map(({ id }) => id),
    ['openai:anna', 'openai:otto'],
  );
  await named.server.stop();
});

test('elevenlabs: voice and rate stand in the address, what was said before goes along', async () => {
  const { server, engine, voiceId } = await start('elevenlabs');
  assert.deepEqual(
    engine.voices.map(({ name, gender, language }) => [name, gender, language]),
    [
      ['George', 'male', 'en-GB'],
      ['Charlotte', 'female', 'en-US'],
    ],
  );
  const voice = speakThrough([engine]);
  voice.send({
    type: 'speak',
    id: 1,
    text: 'Sonst noch etwas?',
    voiceId,
    speed: 2,
    sampleRateHz: 8_000,
    language: 'de-DE',
    previousText: 'Gern.',
  });
  await voice.next(over(1));
  const request = server.requests.at(-1);
  assert.equal(request?.path, '/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/stream?output_format=pcm_8000');
  assert.equal(request?.headers['xi-api-key'], KEY);
  assert.deepEqual(request?.fields, {
    text: 'Sonst noch etwas?',
    model_id: 'eleven_flash_v2_5',
    language_code: 'de',
    voice_settings: { speed: 1.2 },
    previous_text: 'Gern.',
  });
  await voice.close();
  await server.stop();
});

test('a voice that no engine has is spoken by the chosen engine’s own, and the call says so', async () => {
  const { server, engine } = await start('openai');
  const voice = speakThrough([engine, new FliteTts()]);
  voice.speak(1, 'sherpa:gone');
  assert.equal((await voice.next(over(1))).type, 'audio');
  assert.equal(server.requests.at(-1)?.fields.voice, 'af_heart');
  assert.ok(voice.replies.some(({ type }) => type === 'fallback'));
  await voice.close();
  await server.stop();
});

test('a server that has failed several times is left alone for a while', async () => {
  const { server, engine, voiceId } = await start('openai');
  server.fault = 'broken';
  const voice = speakThrough([engine, new FliteTts()]);
  for (const id of [1, 2]) {
    voice.speak(id, voiceId, `Text ${id}.`);
    await voice.next(over(id));
  }
  const asked = server.requests.length;
  voice.speak(3, voiceId, 'Text 3.');
  assert.equal((await voice.next(over(3))).type, 'audio');
  assert.equal(server.requests.length, asked);
  await voice.close();
  await server.stop();
});

test('the built-in voice is not kept in the cache under the name of the other', async () => {
  const { server, engine, voiceId } = await start('openai');
  server.nextFaults.push('broken');
  const voice = speakThrough([engine, new FliteTts()]);
  voice.speak(1, voiceId);
  await voice.next(over(1));
  voice.speak(2, voiceId);
  await voice.next(over(2));
  assert.ok(!voice.replies.some((reply) => reply.type === 'fallback' && reply.id === 2));
  await voice.close();
  await server.stop();
});

test('voices of different loudness come out alike after the first moments', async () => {
  const { server, engine, voiceId } = await start('openai');
  const voice = speakThrough([engine]);
  voice.speak(1, voiceId, 'One two three four five six seven.');
  await voice.next(over(1));
  voice.speak(2, voiceId, 'Eight nine ten eleven twelve.');
  await voice.next(over(2));
  const dbfs = 20 * Math.log10(level(voice.samplesOf(2)) / 32_768);
  assert.ok(Math.abs(dbfs - -19) < 1, `${dbfs.toFixed(1)} dBFS`);
  await voice.close();
  await server.stop();
});

test('elevenlabs with word times: audio and words come in one stream, and what is no such stream is a failure', async () => {
  const environment = { TTS_WORD_TIMES: '1' };
  const { server, engine, voiceId } = await start('elevenlabs', {}, environment);
  const voice = speakThrough([engine]);
  voice.speak(1, voiceId, 'We open at nine.');
  await voice.next(over(1));
  assert.match(server.requests.at(-1)?.path ?? '', /\/stream\/with-timestamps\?/);
  const words = voice.replies.flatMap((reply) => (reply.type === 'words' ? reply.words : []));
  assert.deepEqual(
    words.map(({ endChar, endMs }) => [endChar, endMs]),
    [2, 7, 10, 16].map((end) => [end, end * MS_PER_CHARACTER]),
  );
  assert.equal(voice.samplesOf(1).length, (16 * MS_PER_CHARACTER * 8_000) / 1_000);
  server.nextFaults.push('garbage');
  voice.speak(2, voiceId, 'Something else.');
  const failed = await voice.next(over(2));
  assert.equal(failed.type, 'failed');
  await voice.close();
  await server.stop();
});
