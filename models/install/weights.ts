// Models that an operator can download: archives of the sherpa-onnx project's releases (`sherpa:NAME` selects one as
// STT or TTS), and the weights of the turn-end model. Real-time factors and memory are estimates from the models' sizes
// and their publishers' figures for one core of a current server; docs/local-engines.md says which were run here.
// Names: the project's own lists and scripts, read 2026-11.

export type LocalKind = 'stt' | 'tts';

interface LocalVoice {
  /** Speaker number within the model. */
  sid: number;
  name: string;
  /** Locale, e.g. en-US. */
  language: string;
  gender: 'female' | 'male' | 'neutral';
}

export interface LocalModel {
  /** `sherpa:NAME` selects it, and DATA_DIR/models/NAME holds it. */
  name: string;
  kind: LocalKind;
  description: string;
  licence: string;
  /** Base languages; null: about a hundred. */
  languages: readonly string[] | null;
  /** Approximate size of the archive; the server reports the exact one. */
  bytes: number;
  /** Name of the archive, and of the folder in it. */
  archive: string;
  url: string;
  /** Lists the SHA-256 of the release's archives. */
  checksumUrl: string;
  /** The SHA-256 of the download where it is known here; the publisher's list counts for the others. */
  sha256?: string;
  realTimeFactor: number;
  memoryMb: number;
  /** STT: decodes while the caller speaks; otherwise when an utterance is over. */
  isStreaming: boolean;
  /** STT: silence that a streaming model needs after an utterance to return all of its text, ms. */
  tailMs: number;
  /** TTS: the voices with a name, the default first. */
  voices: readonly LocalVoice[];
}

/** One file, for TURN_END. */
interface TurnEndWeights
  extends Pick<
    LocalModel,
    'name' | 'description' | 'licence' | 'languages' | 'bytes' | 'url' | 'checksumUrl' | 'sha256' | 'memoryMb'
  > {
  kind: 'turn-end';
  /** Its name in DATA_DIR/models/NAME. */
  file: string;
}

export type DownloadableModel = LocalModel | TurnEndWeights;

const RELEASES = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const MB = 1_000_000;
/** A zipformer's chunk, its right context, and its emission delay. */
const TAIL_MS = 660;

type Given = Pick<
  LocalModel,
  'name' | 'description' | 'licence' | 'languages' | 'archive' | 'realTimeFactor' | 'memoryMb'
> & { mb: number };

function recogniser(given: Given, isStreaming: boolean, tailMs = TAIL_MS): LocalModel {
  return local(given, 'stt', { isStreaming, tailMs, voices: [] });
}

function speaker(given: Given, voices: readonly LocalVoice[]): LocalModel {
  return local(given, 'tts', { isStreaming: false, tailMs: 0, voices });
}

function local(
  { mb, ...given }: Given,
  kind: LocalKind,
  rest: Pick<LocalModel, 'isStreaming' | 'tailMs' | 'voices'>,
): LocalModel {
  const release = `${RELEASES}/${kind === 'stt' ? 'asr' : 'tts'}-models`;
  return {
    ...given,
    ...rest,
    kind,
    bytes: mb * MB,
    url: `${release}/${given.archive}.tar.bz2`,
    checksumUrl: `${release}/checksum.txt`,
  };
}

/** A voice's licence follows its training data, not Piper's code. */
const MODEL_CARD = 'see MODEL_CARD in its folder';

const kroko = (language: string, english: string): LocalModel =>
  recogniser(
    {
      name: `kroko-${language}`,
      description: `Streaming zipformer for ${english}, with capitals and punctuation`,
      licence: 'CC BY-SA 4.0 or commercial, see huggingface.co/Banafo/Kroko-ASR',
      languages: [language],
      mb: 55,
      archive: `sherpa-onnx-streaming-zipformer-${language}-kroko-2025-08-06`,
      realTimeFactor: 0.12,
      memoryMb: 250,
    },
    true,
  );

const whisper = (size: string, mb: number, realTimeFactor: number, memoryMb: number): LocalModel =>
  recogniser(
    {
      name: `whisper-${size}`,
      description: `OpenAI Whisper ${size}, about a hundred languages: the finished utterance, no partials`,
      licence: 'MIT',
      languages: null,
      mb,
      archive: `sherpa-onnx-whisper-${size}`,
      realTimeFactor,
      memoryMb,
    },
    false,
  );

const piper = (
  voice: string,
  locale: string,
  gender: LocalVoice['gender'],
  licence: string,
  { quality = 'medium', speakers = 1, mb = 67 } = {},
): LocalModel => {
  const [language = ''] = locale.split('-');
  const name = voice.charAt(0).toUpperCase() + voice.slice(1).replace('_r', '');
  const first = { sid: 0, name, language: locale, gender };
  const others = Array.from({ length: speakers - 1 }, (_, n) => ({
    sid: n + 1,
    name: `${name} ${n + 2}`,
    language: locale,
    gender: 'neutral' as const,
  }));
  return speaker(
    {
      name: `piper-${voice.replace('_r', '')}-${language}`,
      description: `Piper voice "${voice}", ${locale}`,
      licence,
      languages: [language],
      mb,
      archive: `vits-piper-${locale.replace('-', '_')}-${voice}-${quality}`,
      realTimeFactor: 0.15,
      memoryMb: 200,
    },
    [first, ...others],
  );
};

/** Order of the speakers in the model's voice file, from the first to the last English one. */
const KOKORO_ENGLISH =
  'af_alloy af_aoede af_bella af_heart af_jessica af_kore af_nicole af_nova af_river af_sarah af_sky am_adam am_echo am_eric ' +
  'am_fenrir am_liam am_michael am_onyx am_puck am_santa bf_alice bf_emma bf_isabella bf_lily bm_daniel bm_fable bm_george ' +
  'bm_lewis';
const KOKORO_DEFAULT = 'af_heart';

function kokoroVoices(): LocalVoice[] {
  const names = KOKORO_ENGLISH.split(' ');
  const voices = names.map((id, sid) => ({ id, sid }));
  const ordered = [
    ...voices.filter(({ id }) => id === KOKORO_DEFAULT),
    ...voices.filter(({ id }) => id !== KOKORO_DEFAULT),
  ];
  return ordered.map(({ id, sid }) => ({
    sid,
    name: id.charAt(3).toUpperCase() + id.slice(4),
    language: id.startsWith('b') ? 'en-GB' : 'en-US',
    gender: id.charAt(1) === 'f' ? 'female' : 'male',
  }));
}

/** The best of a language first: the first installed model is used where STT or TTS is not set. */
export const LOCAL_MODELS: readonly LocalModel[] = [
  kroko('en', 'English'),
  recogniser(
    {
      name: 'nemotron-en',
      description:
        'NVIDIA Nemotron streaming 0.6B, int8, chunks of 560 ms: the most exact, for a machine with many cores',
      licence: 'NVIDIA Open Model Licence',
      languages: ['en'],
      mb: 465,
      archive: 'sherpa-onnx-nemotron-speech-streaming-en-0.6b-560ms-int8-2026-04-25',
      realTimeFactor: 0.4,
      memoryMb: 1_000,
    },
    true,
    1_000,
  ),
  recogniser(
    {
      name: 'zipformer-en-20m',
      description: 'Streaming zipformer for English with 20 million parameters: small and quick, without punctuation',
      licence: 'Apache-2.0',
      languages: ['en'],
      mb: 128,
      archive: 'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17',
      realTimeFactor: 0.06,
      memoryMb: 150,
    },
    true,
  ),
  kroko('de', 'German'),
  kroko('fr', 'French'),
  kroko('es', 'Spanish'),
  recogniser(
    {
      name: 'moonshine-tiny-en',
      description: 'Moonshine tiny for English: the finished utterance, no partials',
      licence: 'MIT',
      languages: ['en'],
      mb: 110,
      archive: 'sherpa-onnx-moonshine-tiny-en-int8',
      realTimeFactor: 0.08,
      memoryMb: 200,
    },
    false,
  ),
  whisper('base', 208, 0.3, 400),
  whisper('tiny', 116, 0.15, 250),
  piper('libritts_r', 'en-US', 'female', 'CC BY 4.0 (LibriTTS-R)', { speakers: 16, mb: 82 }),
  piper('lessac', 'en-US', 'female', 'Blizzard 2013 (no commercial use)'),
  piper('cori', 'en-GB', 'female', MODEL_CARD),
  piper('thorsten', 'de-DE', 'male', 'CC0'),
  piper('davefx', 'es-ES', 'male', MODEL_CARD),
  piper('siwis', 'fr-FR', 'female', 'CC BY 4.0 (SIWIS)'),
  piper('paola', 'it-IT', 'female', MODEL_CARD),
  piper('faber', 'pt-BR', 'male', MODEL_CARD),
  piper('nathalie', 'nl-BE', 'female', MODEL_CARD),
  speaker(
    {
      name: 'kokoro',
      description:
        'Kokoro 82M v1.0, its 28 English voices: the most natural, about as slow as speech itself on one core',
      licence: 'Apache-2.0',
      languages: ['en'],
      mb: 350,
      archive: 'kokoro-multi-lang-v1_0',
      realTimeFactor: 0.9,
      memoryMb: 700,
    },
    kokoroVoices(),
  ),
  speaker(
    {
      name: 'kitten-en',
      description: 'Kitten nano, eight English voices in 15 million parameters',
      licence: 'Apache-2.0',
      languages: ['en'],
      mb: 27,
      archive: 'kitten-nano-en-v0_1-fp16',
      realTimeFactor: 0.4,
      memoryMb: 150,
    },
    Array.from({ length: 8 }, (_, sid) => ({
      sid,
      name: `Kitten ${sid + 1}`,
      language: 'en-US',
      gender: sid % 2 === 0 ? ('male' as const) : ('female' as const),
    })),
  ),
];

const SMART_TURN_FILE = 'smart-turn-v3.2-cpu.onnx';
/** Of January 2026, the release of v3.2. */
const SMART_TURN_REVISION = 'f766f81d3cfdf7737ac64aad813d91bbfd56bf93';
const SMART_TURN_REPOSITORY = 'https://huggingface.co/pipecat-ai/smart-turn-v3';

/** Hears whether the caller has finished, in 23 languages. */
export const SMART_TURN: TurnEndWeights = {
  name: 'smart-turn',
  kind: 'turn-end',
  description: 'Smart Turn v3.2: hears whether the caller has finished, 23 languages',
  licence: 'BSD-2-Clause',
  languages: 'ar bn da de en es fi fr hi id it ja ko mr nl no pl pt ru tr uk vi zh'.split(' '),
  bytes: 8.7 * MB,
  url: `${SMART_TURN_REPOSITORY}/resolve/${SMART_TURN_REVISION}/${SMART_TURN_FILE}`,
  // The repository keeps a pointer with the file's SHA-256 in its place.
  checksumUrl: `${SMART_TURN_REPOSITORY}/raw/${SMART_TURN_REVISION}/${SMART_TURN_FILE}`,
  sha256: '2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f',
  memoryMb: 80,
  file: SMART_TURN_FILE,
};

/** Everything that `npm run models -- download` can fetch. */
export const DOWNLOADS: readonly DownloadableModel[] = [...LOCAL_MODELS, SMART_TURN];

export function findDownload(name: string): DownloadableModel | undefined {
  return name === SMART_TURN.name ? SMART_TURN : findLocalModel(name);
}

/** The model of this name, or of this archive. */
export function findLocalModel(name: string): LocalModel | undefined {
  return LOCAL_MODELS.find((model) => model.name === name || model.archive === name);
}
