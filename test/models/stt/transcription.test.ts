// The part of a server's answer to one utterance that is believed: the names that it was told to expect come back as
// speech, and its own doubts count.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../../bench/rig/conversation/tones.ts';
import { eventually } from '../../../bench/rig/eventually.ts';
import { SpeechServer } from '../../../bench/rig/fakes/speech-server.ts';
import type { SttEvent } from '../../../models/stt/stt.ts';
import createOpenAiStt from '../../../models/stt/vendor/openai.ts';

const vocabulary = {
  language: 'en-US',
  businessName: 'Riverside Dental',
  services: ['Check-up', 'Whitening'],
  questions: [],
  phrases: [],
};

/** One utterance of a second; `transcript` answers a request with this prompt. */
async function hear(transcript: (prompt: string) => Record<string, unknown>) {
  const server = await new SpeechServer({
    transcript: ({ prompt }) => transcript(String(prompt ?? '')),
  }).start();
  const engine = await createOpenAiStt({ STT_BASE_URL: `${server.origin}/v1`, STT_API_KEY: 'key' });
  const { signal } = new AbortController();
  const stream = await engine.openStream({
    callId: 'a',
    sampleRateHz: 8_000,
    vocabulary,
    signal,
    onFallback: () => {},
  });
  const events: SttEvent[] = [];
  const utterance = stream.begin({ expects: 'anything', signal, onEvent: (event) => events.push(event) });
  utterance.write(tone([440], 1_000, 8_000, 8_000));
  utterance.finish();
  await eventually(() => events.some(({ type }) => type === 'final' || type === 'lost'));
  stream.close();
  await engine.close();
  await server.stop();
  const heard = events.find((event) => event.type === 'final');
  assert.ok(heard?.type === 'final', JSON.stringify(events));
  const prompts = server.requests.map(({ fields }) => fields.prompt !== undefined);
  return { text: heard.result.text, understood: heard.result.understood, prompts };
}

test('an answer that is the prompt is asked for again without it', async () => {
  const heard = await hear((prompt) => ({ text: prompt === '' ? 'hello there' : 'Riverside Dental, Check-up' }));
  assert.deepEqual(heard, { text: 'hello there', understood: true, prompts: [true, false] });
  const nobody = await hear((prompt) => ({ text: prompt === '' ? '' : 'Riverside' }));
  assert.deepEqual(nobody, { text: '', understood: false, prompts: [true, false] });
});

test('a piece of the prompt at the end of a sentence is dropped where it is gone without the prompt', async () => {
  const heard = await hear((prompt) => ({
    text: prompt === '' ? 'I would like a check up.' : 'I would like a check-up. Riverside Dental, Check-up.',
  }));
  assert.deepEqual(heard, { text: 'I would like a check-up.', understood: true, prompts: [true, false] });
});

test('names at the end of a sentence that the caller said stay, as the prompt spells them', async () => {
  const heard = await hear((prompt) => ({
    text: prompt === '' ? 'I would like a checkup and wide ning.' : 'I would like a Check-up, Whitening.',
  }));
  assert.deepEqual(heard, { text: 'I would like a Check-up, Whitening.', understood: true, prompts: [true, false] });
});

test('a name alone, and one within a sentence, are asked for once', async () => {
  for (const text of ['Whitening.', 'Is this Riverside Dental?'])
    assert.deepEqual((await hear(() => ({ text }))).prompts, [true], text);
});

test('the doubts of the model come with the long answer', async () => {
  const doubted = (noSpeech: number, logProbability: number) =>
    hear(() => ({
      text: 'the ferry leaves now',
      segments: [{ no_speech_prob: noSpeech, avg_logprob: logProbability }],
    }));
  assert.equal((await doubted(0.8, -1.3)).text, '', 'nobody speaks');
  assert.equal((await doubted(0.1, -1.3)).understood, false, 'a guess');
  assert.equal((await doubted(0.1, -0.2)).understood, true);
});
