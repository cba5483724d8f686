// The vendors of remote engines: their addresses and the variables that configure them.
import { readVendor, type Vendor, type VendorDefaults } from './vendor.ts';

const OPENAI = {
  baseUrl: 'https://api.openai.com/v1',
  keyNames: ['OPENAI_API_KEY'],
  baseNames: ['OPENAI_BASE_URL'],
  // Compatible servers often need no key.
  needsKey: (baseUrl: string) => baseUrl.includes('api.openai.com'),
};

/** Its realtime API answers a shorter commit with an error. */
export const OPENAI_MIN_COMMIT_MS = 100;

export const STT_VENDORS = {
  openai: { ...OPENAI, name: 'openai', prefix: 'STT', model: 'gpt-4o-mini-transcribe' },
  'openai-realtime': { ...OPENAI, name: 'openai-realtime', prefix: 'STT', model: 'gpt-4o-mini-transcribe' },
  deepgram: {
    name: 'deepgram',
    prefix: 'STT',
    baseUrl: 'https://api.deepgram.com',
    model: 'nova-3',
    keyNames: ['DEEPGRAM_API_KEY'],
    needsKey: () => true,
  },
} satisfies Record<string, VendorDefaults>;

export const TTS_VENDORS = {
  openai: { ...OPENAI, name: 'openai', prefix: 'TTS', model: 'gpt-4o-mini-tts' },
  elevenlabs: {
    name: 'elevenlabs',
    prefix: 'TTS',
    baseUrl: 'https://api.elevenlabs.io',
    model: 'eleven_flash_v2_5',
    keyNames: ['ELEVENLABS_API_KEY', 'XI_API_KEY'],
    needsKey: () => true,
  },
} satisfies Record<string, VendorDefaults>;

/** Of speech-to-speech models. */
export const DIALOGUE_VENDORS = {
  'openai-realtime': { ...OPENAI, name: 'openai-realtime', prefix: 'DIALOGUE', model: 'gpt-realtime' },
  'gemini-live': {
    name: 'gemini-live',
    prefix: 'DIALOGUE',
    baseUrl: 'https://generativelanguage.googleapis.com',
    model: 'gemini-3.8-live',
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: (baseUrl: string) => baseUrl.includes('googleapis.com'),
  },
} satisfies Record<string, VendorDefaults>;

/** The server of a remote engine; null for the others. @throws {VendorSettingError} */
export function vendorOf(
  kind: 'stt' | 'tts',
  name: string,
  environment: Record<string, string | undefined>,
): Vendor | null {
  const vendors: Record<string, VendorDefaults> = kind === 'stt' ? STT_VENDORS : TTS_VENDORS;
  const defaults = Object.hasOwn(vendors, name) ? vendors[name] : undefined;
  return defaults ? readVendor(environment, defaults) : null;
}
