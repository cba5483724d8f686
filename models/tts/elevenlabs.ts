// Speech by ElevenLabs: `POST /v1/text-to-speech/{voice}/stream`, raw PCM at the call's own rate, streamed. With
// TTS_WORD_TIMES=1 from `…/stream/with-timestamps`: one JSON object a line, with audio in base64 and the times of its
// characters. Source: the vendor's API reference, "Stream speech", "Stream speech with timing" and "List voices", read
// 2026-11.
import { ask, httpUrl, readVendor, type Vendor } from '../vendors/vendor.ts';
import { TTS_VENDORS } from '../vendors/vendors.ts';
import { readPcm } from './audio/pcm-stream.ts';
import { timed } from './audio/timed-speech.ts';
import type { SpeechRequest, SpeechSink, TtsEngine, Voice } from './tts.ts';
import { concurrencyOf, ttsError, vendorVoice } from './vendor-speech.ts';
import { ELEVENLABS_EXAMPLE_VOICE, remoteVoice, voicesOf } from './vendor-voices.ts';

const PATIENCE_MS = 2_500;
/** Requests at a time of the smaller plans; `TTS_CONCURRENCY` sets another number. */
const CONCURRENCY = 5;
const LIST_DEADLINE_MS = 5_000;
const MAX_PAGES = 10;
const RATE_HZ = 16_000;
/** The vendor's bounds. */
const SPEED = { min: 0.7, max: 1.2 };

export default async function createElevenLabsTts(environment: Record<string, string | undefined>): Promise<TtsEngine> {
  const vendor = readVendor(environment, TTS_VENDORS.elevenlabs);
  const voices = voicesOf(environment.TTS_VOICES, 'elevenlabs', RATE_HZ) ??
    (await listVoices(vendor)) ?? [ELEVENLABS_EXAMPLE_VOICE];
  return {
    name: 'elevenlabs',
    voices,
    concurrency: concurrencyOf(environment, CONCURRENCY),
    patienceMs: PATIENCE_MS,
    speak: (request, sink) => speak(vendor, request, sink, environment.TTS_WORD_TIMES === '1'),
    close: async () => {},
  };
}

async function speak(vendor: Vendor, request: SpeechRequest, sink: SpeechSink, hasTimes: boolean): Promise<void> {
  const url = httpUrl(
    vendor,
    `/text-to-speech/${encodeURIComponent(vendorVoice(request.voiceId))}/stream${hasTimes ? '/with-timestamps' : ''}`,
    '/v1',
  );
  const rateHz = request.sampleRateHz === 8_000 ? 8_000 : RATE_HZ;
  url.searchParams.set('output_format', `pcm_${rateHz}`);
  const language = request.language?.split('-')[0];
  const body = {
    text: request.text,
    model_id: vendor.model,
    // The multilingual model detects the language and refuses this field.
    ...(language && !vendor.model.includes('multilingual_v2') ? { language_code: language } : {}),
    ...(request.speed === 1
      ? {}
      : { voice_settings: { speed: Math.min(SPEED.max, Math.max(SPEED.min, request.speed)) } }),
    ...(request.previousText ? { previous_text: request.previousText } : {}),
  };
  try {
    const answer = await ask(vendor, url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'xi-api-key': vendor.apiKey ?? '' },
      signal: sink.signal,
    });
    const rates = { fromHz: rateHz, toHz: request.sampleRateHz };
    await readPcm(vendor, hasTimes ? timed(vendor, answer, request.text, sink) : answer, rates, sink);
  } catch (error) {
    if (sink.signal.aborted) return;
    throw ttsError(error);
  }
}

/** The voices of the key's owner; null when the request fails. */
async function listVoices(vendor: Vendor): Promise<Voice[] | null> {
  const voices: Voice[] = [];
  let token = '';
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const url = httpUrl({ ...vendor, baseUrl: vendor.baseUrl.replace(/\/v\d$/, '') }, '/v2/voices');
      url.searchParams.set('page_size', '100');
      if (token) url.searchParams.set('next_page_token', token);
      const answer = await ask(vendor, url, {
        headers: { 'xi-api-key': vendor.apiKey ?? '' },
        signal: AbortSignal.timeout(LIST_DEADLINE_MS),
      });
      const listed = (await answer.json()) as { voices?: unknown; has_more?: unknown; next_page_token?: unknown };
      if (!Array.isArray(listed.voices)) break;
      voices.push(...listed.voices.flatMap(listedVoice));
      token = typeof listed.next_page_token === 'string' ? listed.next_page_token : '';
      if (listed.has_more !== true || !token) break;
    }
  } catch {
    return voices.length > 0 ? voices : null;
  }
  return voices.length > 0 ? voices : null;
}

function listedVoice(entry: unknown): Voice[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { voice_id: id, name, labels, verified_languages: languages } = entry as Record<string, unknown>;
  if (typeof id !== 'string') return [];
  const of = (value: unknown, key: string): string | null => {
    const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null;
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const [first] = Array.isArray(languages) ? languages : [];
  const gender = of(labels, 'gender');
  return [
    remoteVoice('elevenlabs', id, RATE_HZ, gender === 'male' || gender === 'female' ? gender : 'neutral', {
      name: typeof name === 'string' && name !== '' ? name : id,
      language: of(first, 'locale') ?? of(first, 'language') ?? of(labels, 'language') ?? 'en-US',
    }),
  ];
}
