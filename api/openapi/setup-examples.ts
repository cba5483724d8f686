// Examples of what a set-up reads and proposes: a site, and ears and a voice for a language.

const url = 'https://rivera.example/contact';
const source = { field: 'phone', text: 'Call us: (212) 555-0100', url, by: 'text' };
const doubt = { field: 'hours', text: 'Mon-Fri 9 am - 5 pm', url };
const unread = { field: 'services', text: '$12 per ten minutes', url };

const release = 'https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models';
const ears = {
  kind: 'stt',
  engine: 'sherpa:kroko-de',
  description: 'Streaming zipformer for German, with capitals and punctuation',
  licence: 'CC BY-SA 4.0 or commercial',
  bytes: 55_000_000,
  memoryMb: 250,
  isInstalled: false,
  url: `${release}/sherpa-onnx-streaming-zipformer-de-kroko-2025-08-06.tar.bz2`,
  checksumUrl: `${release}/checksum.txt`,
  file: 'data/models/kroko-de.tar.bz2',
};

export const SETTING_UP: Readonly<Record<string, unknown>> = {
  Source: source,
  Doubt: doubt,
  Unread: unread,
  Site: {
    pages: [
      { url: 'https://rivera.example/', kind: null },
      { url, kind: 'contact' },
    ],
    language: 'en',
    country: 'US',
    currency: 'USD',
    timezone: null,
    industry: 'dentist',
    extracted: { name: 'Rivera Dental', phone: '+12125550100' },
    sources: [source],
    doubts: [doubt],
    unread: [unread],
  },
  ModelKitPart: ears,
  ModelKit: {
    language: 'de',
    machine: { cores: 4, memoryMb: 8_000 },
    ears,
    voice: { ...ears, kind: 'tts', engine: 'sherpa:piper-thorsten-de', bytes: 67_000_000 },
    carries: 15,
    bytes: 122_000_000,
  },
};
