// The remote recognisers against a server that speaks their vendors' interfaces, through the worker's own host: what
// comes back for an utterance, and what each fault of the server costs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { tone } from '../../bench/rig/conversation/tones.ts';
import { eventually } from '../../bench/rig/eventually.ts';
import { SpeechServer } from '../../bench/rig/fakes/speech-server.ts';
import type { Fault, SpeechServerOptions } from '../../bench/rig/fakes/speech-server-options.ts';
import { withFallback } from '../../models/stt/fallback.ts';
import { streaming } from '../../models/stt/polled.ts';
import type { SttEngine, SttReply, SttRequest, SttVocabulary } from '../../models/stt/stt.ts';
import createDeepgramStt from '../../models/stt/vendor/deepgram.ts';
import createOpenAiStt from '../../models/stt/vendor/openai.ts';
import createOpenAiRealtimeStt from '../../models/stt/vendor/openai-realtime.ts';
import { SttHost } from '../../models/stt/worker.ts';
import { Breaker } from '../../models/workers/breaker.ts';
import createInstantStt from '../support/models/engines/instant-stt.ts';
import { repliesOn } from '../support/models/replies.ts';

const KEY = 'sk-secret';
const vocabulary = { language: 'en-US', businessName: 'Acme', services: ['haircut'], questions: [], phrases: [] };

const ENGINES: Record<string, (environment: Record<string, string>) => Promise<SttEngine>> = {
  openai: createOpenAiStt,
  'openai-realtime': createOpenAiRealtimeStt,
  deepgram: createDeepgramStt,
};

async function start(name: string, options: SpeechServerOptions = {}, base = '/v1') {
  const server = await new SpeechServer({ apiKey: KEY, ...options }).start();
  const create = ENGINES[name];
  assert.ok(create);
  const engine = await create({ STT_BASE_URL: `${server.origin}${base}`, STT_API_KEY: KEY });
  return { server, engine };
}

function listen(engine: SttEngine, sampleRateHz = 8_000, of: SttVocabulary = vocabulary) {
  const host = new SttHost(engine);
  const { port1, port2 } = new MessageChannel();
  const { all: replies, next } = repliesOn<SttReply>(port1);
  host.connect(port2);
  const send = (request: SttRequest): void => port1.postMessage(request);
  send({ type: 'open', callId: 'a', sampleRateHz, vocabulary: of });
  return {
    replies,
    send,
    /** One utterance of `ms`, in frames of 20 ms. */
    utter(utterance: number, ms = 1_000, isFinished = true): void {
      send({ type: 'begin', callId: 'a', utterance, expects: 'anything' });
      const audio = tone([440], ms, 8_000, sampleRateHz);
      const frame = sampleRateHz / 50;
      for (let at = 0; at < audio.length; at += frame)
        send({ type: 'audio', callId: 'a', utterance, samples: audio.slice(at, at + frame) });
      if (isFinished) send({ type: 'finish', callId: 'a', utterance });
    },
    next,
    close: async () => {
      await host.close();
      port1.close();
    },
  };
}

const answered = (utterance: number) => (reply: SttReply) =>
  (reply.type === 'final' || reply.type === 'failed') && reply.utterance === utterance;

const textOf = (reply: SttReply): string =>
  reply.type === 'final' ? reply.result.text : `failed: ${JSON.stringify(reply)}`;

for (const name of Object.keys(ENGINES)) {
  test(`${name}: two utterances of one call are recognised, the key goes along and is not logged`, async () => {
    const { server, engine } = await start(name);
    const call = listen(engine);
    call.utter(1);
    assert.equal(textOf(await call.next(answered(1))), server.text);
    server.text = 'thank you';
    call.utter(2, 500);
    assert.match(textOf(await call.next(answered(2))), /^(thank you|what are)/);
    assert.ok(server.requests.every(({ headers }) => String(headers.authorization).endsWith(KEY)));
    assert.ok(!JSON.stringify(call.replies).includes(KEY));
    await call.close();
    await server.stop();
  });

  test(`${name}: an utterance that nobody waits for is cancelled at the server, the next one is heard`, async () => {
    const { server, engine } = await start(name, { delayMs: 150 });
    const call = listen(engine);
    call.utter(1);
    call.send({ type: 'cancel', callId: 'a', utterance: 1 });
    call.utter(2);
    assert.equal(textOf(await call.next(answered(2))), server.text);
    assert.ok(!call.replies.some(answered(1)));
    await call.close();
    await server.stop();
  });

  test(`${name}: a wrong key is an error that names the variable`, async () => {
    const { server, engine } = await start(name, { apiKey: 'another' });
    const call = listen(engine);
    call.utter(1);
    const reply = await call.next(answered(1));
    assert.ok(
      reply.type === 'failed' && /STT_API_KEY/.test(reply.message) && !reply.message.includes(KEY),
      textOf(reply),
    );
    await call.close();
    await server.stop();
  });

  test(`${name}: a server that is not there is an error within the patience, not silence`, async () => {
    const { server, engine } = await start(name);
    await server.stop();
    const call = listen(engine);
    call.utter(1);
    const reply = await call.next(answered(1));
    assert.ok(reply.type === 'failed' && /cannot be reached/.test(reply.message), textOf(reply));
    await call.close();
  });

  test(`${name}: a call that ends while the server is silent leaves no connection open`, async () => {
    const { server, engine } = await start(name);
    server.fault = 'hang';
    const call = listen(engine);
    call.utter(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await call.close();
    await server.stop();
  });
}

/** A stand-in that counts the samples it is given. */
async function countingStandIn() {
  const instant = await createInstantStt();
  const heard = { samples: 0 };
  const open: typeof instant.open = async (options) => {
    const session = await instant.open(options);
    return {
      begin: (expects) => session.begin(expects),
      write: (samples) => {
        heard.samples += samples.length;
        session.write(samples);
      },
      partial: () => session.partial(),
      finish: () => session.finish(),
      cancel: () => session.cancel(),
      close: () => session.close(),
    };
  };
  return { builtIn: { ...streaming({ ...instant, open }), languages: ['en'] }, heard };
}

const STREAM_FAULTS: Record<string, readonly Fault[]> = {
  openai: ['hang', 'unauthorised', 'quota', 'broken', 'garbage', 'reset'],
  'openai-realtime': ['hang', 'hang-in-stream', 'unauthorised', 'broken', 'reset'],
  deepgram: ['hang', 'hang-in-stream', 'unauthorised', 'reset'],
};

for (const [name, faults] of Object.entries(STREAM_FAULTS)) {
  for (const fault of faults) {
    test(`${name}: behind ${fault} the built-in recogniser hears the same audio, and the call says so`, async () => {
      const { server, engine } = await start(name);
      server.fault = fault;
      const { builtIn, heard } = await countingStandIn();
      const call = listen(withFallback(engine, builtIn, new Breaker()));
      call.utter(1);
      const reply = await call.next(answered(1));
      assert.ok(reply.type === 'final' && reply.result.standIn, textOf(reply));
      assert.equal(heard.samples, 8_000);
      const told = call.replies.find(({ type }) => type === 'fallback');
      assert.ok(told?.type === 'fallback' && told.from === name && told.to === 'instant');
      assert.ok(!told.message.includes(KEY));
      await call.close();
      await server.stop();
    });
  }
}

test('in a language that the built-in recogniser does not know, a lost utterance is reported, not guessed', async () => {
  const { server, engine } = await start('openai');
  server.fault = 'broken';
  const builtIn = { ...streaming(await createInstantStt()), languages: ['en'] };
  const call = listen(withFallback(engine, builtIn, new Breaker()));
  call.send({ type: 'open', callId: 'a', sampleRateHz: 8_000, vocabulary: { ...vocabulary, language: 'de-DE' } });
  call.utter(1);
  const reply = await call.next(answered(1));
  assert.ok(reply.type === 'failed' && /500/.test(reply.message));
  await call.close();
  await server.stop();
});

test('openai: the utterance goes as one WAV file with model, base language and the names of the business', async () => {
  const { server, engine } = await start('openai');
  const call = listen(engine, 16_000);
  call.utter(1, 700);
  await call.next(answered(1));
  const [request] = server.requests;
  assert.equal(request?.path, '/v1/audio/transcriptions');
  assert.deepEqual(request?.fields, {
    file: { name: 'speech.wav', type: 'audio/wav' },
    model: 'gpt-4o-mini-transcribe',
    response_format: 'json',
    language: 'en',
    prompt: 'Acme, haircut',
  });
  assert.equal(request?.audioMs, 700);
  await call.close();
  await server.stop();
});

test('openai: a short Retry-After is waited for, so that the caller notices nothing', async () => {
  const { server, engine } = await start('openai');
  server.nextFaults.push('too-many');
  const call = listen(engine);
  call.utter(1);
  assert.equal(textOf(await call.next(answered(1))), server.text);
  assert.equal(server.requests.length, 2);
  await call.close();
  await server.stop();
});

test('openai: less than the vendor takes is not sent', async () => {
  const { server, engine } = await start('openai');
  const call = listen(engine);
  call.utter(1, 60);
  const reply = await call.next(answered(1));
  assert.ok(reply.type === 'final' && !reply.result.understood);
  assert.equal(server.requests.length, 0);
  await call.close();
  await server.stop();
});

for (const name of ['deepgram', 'openai-realtime']) {
  test(`${name}: a connection that breaks in mid utterance is replaced, and the audio is sent again`, async () => {
    const { server, engine } = await start(name);
    const call = listen(engine);
    call.utter(1, 1_000, false);
    await eventually(() => server.audioSeen.length >= 50);
    server.dropAll();
    await eventually(() => server.connections === 2 && server.audioSeen.length >= 100);
    call.send({ type: 'finish', callId: 'a', utterance: 1 });
    assert.equal(textOf(await call.next(answered(1))), server.text);
    await call.close();
    await server.stop();
  });
}

test('deepgram: partials come while the caller speaks, words have times within the utterance', async () => {
  const { server, engine } = await start('deepgram', {}, '');
  const call = listen(engine);
  call.utter(1, 2_000);
  const first = await call.next(answered(1));
  call.utter(2, 1_000);
  const second = await call.next(answered(2));
  assert.ok(
    call.replies.some((reply) => reply.type === 'partial' && reply.utterance === 1 && reply.text === 'what are'),
  );
  for (const [reply, ms] of [
    [first, 2_000],
    [second, 1_000],
  ] as const) {
    assert.ok(reply.type === 'final' && reply.result.words?.length === 6);
    assert.equal(reply.result.words[0]?.startMs, 0);
    assert.ok(Math.abs((reply.result.words.at(-1)?.endMs ?? 0) - ms) <= 1);
  }
  const url = new URL(server.requests[0]?.path ?? '', 'ws://localhost');
  assert.equal(url.pathname, '/v1/listen');
  const query = Object.fromEntries(url.searchParams);
  assert.equal(query.language, 'en-US');
  assert.equal(query.encoding, 'linear16');
  assert.equal(query.sample_rate, '8000');
  assert.deepEqual(url.searchParams.getAll('keyterm'), ['Acme', 'haircut']);
  await call.close();
  await server.stop();
});

test('deepgram: where Finalize is not answered, what was heard by then counts', async () => {
  const { server, engine } = await start('deepgram');
  server.fault = 'garbage';
  const call = listen(engine);
  call.utter(1, 600);
  assert.equal(textOf(await call.next(answered(1))), 'what are your');
  await call.close();
  await server.stop();
});

test('openai-realtime: a telephone call is sent as it came, in µ-law, with no model in the address', async () => {
  const { server, engine } = await start('openai-realtime');
  const call = listen(engine);
  call.utter(1, 1_000);
  await call.next(answered(1));
  const [request] = server.requests;
  assert.equal(request?.path, '/v1/realtime?intent=transcription');
  assert.equal(request?.headers['openai-beta'], undefined);
  const session = request?.fields.session as { audio: unknown } | undefined;
  assert.deepEqual(session?.audio, {
    input: {
      format: { type: 'audio/pcmu' },
      noise_reduction: null,
      transcription: { model: 'gpt-4o-mini-transcribe', language: 'en', prompt: 'Acme, haircut' },
      turn_detection: null,
    },
  });
  assert.equal(
    server.audioSeen.reduce((sum, { bytes }) => sum + bytes, 0),
    8_000,
  );
  await call.close();
  await server.stop();
});

test('openai-realtime: a browser call goes at 24 kHz', async () => {
  const { server, engine } = await start('openai-realtime');
  const call = listen(engine, 16_000);
  call.utter(1, 1_000);
  await call.next(answered(1));
  const bytes = server.audioSeen.reduce((sum, seen) => sum + seen.bytes, 0);
  assert.ok(Math.abs(bytes - 48_000) < 200, `${bytes} bytes`);
  await call.close();
  await server.stop();
});

test('openai-realtime: a server that wants the model in the address gets it, and the next calls at once', async () => {
  const { server, engine } = await start('openai-realtime', { wantsModelInUrl: true });
  const call = listen(engine);
  call.utter(1);
  assert.equal(textOf(await call.next(answered(1))), server.text);
  await call.close();
  const before = server.requests.length;
  const next = listen(engine);
  next.utter(1);
  assert.equal(textOf(await next.next(answered(1))), server.text);
  assert.equal(server.requests.length, before + 1);
  assert.match(server.requests.at(-1)?.path ?? '', /model=gpt-4o-mini-transcribe/);
  await next.close();
  await server.stop();
});

test('a call that goes on after its utterance was lost hears the next one', async () => {
  const { server, engine } = await start('deepgram');
  const call = listen(engine);
  server.fault = 'reset';
  server.dropAll();
  call.utter(1);
  await call.next(answered(1));
  server.fault = null;
  call.utter(2);
  assert.equal(textOf(await call.next(answered(2))), server.text);
  await call.close();
  await server.stop();
});

for (const [name, language] of [
  ['openai', 'german'],
  ['deepgram', 'de'],
] as const) {
  test(`${name}: left to find out the language, the server tells which one it heard`, async () => {
    const server = await new SpeechServer({ apiKey: KEY, language, text: 'wann haben sie offen' }).start();
    const environment = { STT_BASE_URL: `${server.origin}/v1`, STT_API_KEY: KEY };
    const engine = await ENGINES[name]?.({ ...environment, ...(name === 'openai' ? { STT_MODEL: 'whisper-1' } : {}) });
    assert.ok(engine);
    const call = listen(engine, 8_000, { ...vocabulary, additionalLanguages: ['de-DE'] });
    call.utter(1);
    const reply = await call.next(answered(1));
    assert.ok(reply.type === 'final');
    assert.deepEqual([reply.result.text, reply.result.language], ['wann haben sie offen', 'de']);
    assert.ok(reply.result.confidence > 0.9 && reply.result.confidence < 1);
    call.send({ type: 'change', callId: 'a', change: 1, vocabulary: { ...vocabulary, language: 'de-DE' } });
    await call.next(({ type }) => type === 'changed');
    call.utter(2);
    const told = await call.next(answered(2));
    assert.ok(told.type === 'final' && told.result.language === undefined, 'it was told the language');
    await call.close();
    await server.stop();
  });
}

test('openai: a server that refuses the long answer is asked for the short one, and never again for the long one', async () => {
  const server = await new SpeechServer({ apiKey: KEY, language: 'german' }).start();
  server.nextFaults.push('bad-request');
  const engine = await createOpenAiStt({
    STT_BASE_URL: `${server.origin}/v1`,
    STT_API_KEY: KEY,
    STT_MODEL: 'whisper-1',
  });
  const call = listen(engine, 8_000, { ...vocabulary, additionalLanguages: ['de-DE'] });
  for (const utterance of [1, 2]) {
    call.utter(utterance);
    assert.equal(textOf(await call.next(answered(utterance))), server.text);
  }
  assert.deepEqual(
    server.requests.map(({ fields }) => fields.response_format),
    ['verbose_json', 'json', 'json'],
  );
  await call.close();
  await server.stop();
});
