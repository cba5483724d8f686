// Speech by `POST {base}/audio/speech` of OpenAI and compatible servers: speaches, Kokoro-FastAPI, LocalAI. Raw PCM at
// 24 kHz, streamed. Source: the vendor's API reference, "Create speech", read 2026-11.
import { ask, httpUrl, readVendor, type Vendor } from '../vendors/vendor.ts';
import { TTS_VENDORS } from '../vendors/vendors.ts';
import { readPcm } from './audio/pcm-stream.ts';
import type { SpeechRequest, SpeechSink, TtsEngine, Voice } from './tts.ts';
import { concurrencyOf, ttsError, vendorVoice } from './vendor-speech.ts';
import { OPENAI_VOICES, remoteVoice, voicesOf } from './vendor-voices.ts';

const RATE_HZ = 24_000;
/** The vendor sends its first audio after 0.3 to 1 s. */
const PATIENCE_MS = 2_500;
/** Requests at a time; `TTS_CONCURRENCY` sets another number. */
const CONCURRENCY = 32;
const LIST_DEADLINE_MS = 3_000;

export default async function createOpenAiTts(environment: Record<string, string | undefined>): Promise<TtsEngine> {
  const vendor = readVendor(environment, TTS_VENDORS.openai);
  const isVendors = vendor.baseUrl.includes('api.openai.com');
  const voices =
    voicesOf(environment.TTS_VOICES, 'openai', RATE_HZ) ??
    (isVendors ? OPENAI_VOICES : ((await listVoices(vendor)) ?? OPENAI_VOICES));
  return {
    name: 'openai',
    voices,
    concurrency: concurrencyOf(environment, CONCURRENCY),
    patienceMs: PATIENCE_MS,
    hasUnlistedVoices: isVendors,
    speak: (request, sink) => speak(vendor, isVendors, request, sink),
    close: async () => {},
  };
}

async function speak(vendor: Vendor, isVendors: boolean, request: SpeechRequest, sink: SpeechSink): Promise<void> {
  const body = {
    model: vendor.model,
    input: request.text,
    voice: vendorVoice(request.voiceId),
    // The default is MP3.
    response_format: 'pcm',
    ...(request.speed === 1 ? {} : { speed: Math.min(4, Math.max(0.25, request.speed)) }),
    // speaches sends PCM at its model's rate unless a rate is given; the vendor refuses unknown fields.
    ...(isVendors ? {} : { sample_rate: RATE_HZ }),
  };
  try {
    const answer = await ask(vendor, httpUrl(vendor, '/audio/speech'), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` }),
      },
      signal: sink.signal,
    });
    await readPcm(vendor, answer, { fromHz: RATE_HZ, toHz: request.sampleRateHz }, sink);
  } catch (error) {
    if (sink.signal.aborted) return;
    throw ttsError(error);
  }
}

/** `GET {base}/audio/voices` of speaches and Kokoro-FastAPI; null if the server has no such list. */
async function listVoices(vendor: Vendor): Promise<Voice[] | null> {
  try {
    const answer = await ask(vendor, httpUrl(vendor, '/audio/voices'), {
      headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
      signal: AbortSignal.timeout(LIST_DEADLINE_MS),
    });
    const listed: unknown = await answer.json();
    const entries = typeof listed === 'object' && listed !== null && 'voices' in listed ? listed.voices : null;
    if (!Array.isArray(entries)) return null;
    const voices = entries.flatMap((entry: unknown) => {
      const id = typeof entry === 'string' ? entry : nameIn(entry);
      return id === null ? [] : [remoteVoice('openai', id, RATE_HZ)];
    });
    return voices.length > 0 ? voices : null;
  } catch {
    return null;
  }
}

function nameIn(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { id, voice_id: voiceId, name } = entry as Record<string, unknown>;
  const found = [id, voiceId, name].find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
}
