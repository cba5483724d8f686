// The engines of docs/local-engines.md that the bench runs, each beside fakes of the others that answer at once, so
// that what a call waits for is the engine alone.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTANT } from '../rig/conversation/scenario.ts';

export interface LocalEngine {
  name: string;
  /** The weights, below the folder of all weights. */
  file: string;
  /** Of DATA_DIR/models, the engine's folders; none: a server outside of the service has the weights. */
  models: readonly string[];
  /** The variables that name its weights to the server, and their paths below the folder; none: there is no server. */
  server: ReadonlyArray<readonly [variable: string, path: string]>;
  /** The service's environment; `base` is the server's address, which ends in `/v1`. */
  environment(base: string): Record<string, string>;
  /** Turns end by the words and the model, not by a silence that the business has chosen. */
  endsTurns: boolean;
  /** It reads its instructions at the first turn, for seconds, and keeps what it has read: that turn does not count. */
  readsFirst?: boolean;
  /** As callers meet it: replies are prepared before it is sure that a turn is over. */
  prepares?: boolean;
  /** With fewer cores it is measured, and no bound holds for it. */
  leastCores?: number;
}

const KEY = 'bench';
/** A different text each time, so that none comes from the cache. */
const REPLY = 'Number {n} in the old town is where you find us.';

const voice = (name: string, file: string): LocalEngine => ({
  name: `sherpa:${name}`,
  file: `models/${name}/${file}`,
  models: [name],
  server: [],
  environment: () => ({ TTS: `sherpa:${name}`, FAKE_LLM_REPLY: REPLY }),
  endsTurns: false,
});

const WHISPER = ['MODELS', '.'] as const;
const SMOLLM = ['GGUF', 'smollm2.gguf'] as const;
const hears = (base: string) => ({ STT: 'openai', STT_BASE_URL: base, STT_API_KEY: KEY });
const answers = (base: string) => ({
  LLM: 'openai',
  OPENAI_BASE_URL: base,
  OPENAI_API_KEY: KEY,
  OPENAI_MODEL: 'local',
});

export const ENGINES: readonly LocalEngine[] = [
  {
    name: 'whisper-base by its API',
    file: 'whisper-base/model.bin',
    models: [],
    server: [WHISPER],
    environment: hears,
    endsTurns: false,
  },
  voice('piper-joe', 'en_US-joe-medium.onnx'),
  voice('kokoro-int8', 'model.onnx'),
  {
    name: 'smart-turn',
    file: 'models/smart-turn/smart-turn-v3.2-cpu.onnx',
    models: ['smart-turn'],
    server: [],
    environment: () => ({ TURN_END: 'smart-turn' }),
    endsTurns: true,
  },
  {
    name: 'SmolLM2-135M by its API',
    file: 'smollm2.gguf',
    models: [],
    server: [SMOLLM],
    environment: answers,
    endsTurns: false,
    readsFirst: true,
    leastCores: 4,
  },
];

/** All of them at once, for one call: ears, model, voice and turn ends of one machine. */
export const ALL_REAL: LocalEngine = {
  name: 'all real at once',
  file: 'smollm2.gguf',
  models: ['piper-joe', 'smart-turn'],
  server: [WHISPER, SMOLLM],
  environment: (base) => ({ ...hears(base), ...answers(base), TTS: 'sherpa:piper-joe', TURN_END: 'smart-turn' }),
  endsTurns: true,
  readsFirst: true,
  prepares: true,
};

/** The same calls with fakes alone: what is not the engine's. */
export const NO_ENGINE: LocalEngine = {
  name: 'none: fakes that answer at once',
  file: '',
  models: [],
  server: [],
  environment: () => ({}),
  endsTurns: false,
};

export const MINILM = { name: 'all-MiniLM-L6-v2 by its API', file: 'minilm/model.safetensors', dimensions: 384 };

export const isThere = (folder: string, { file }: Pick<LocalEngine, 'file'>): boolean =>
  file === '' || existsSync(join(folder, file));

/** An engine's own variables stand above the fakes. */
export const environmentOf = (engine: LocalEngine, base: string): Record<string, string> => ({
  ...INSTANT,
  ...engine.environment(base),
});

/** The first figures of the weights' SHA-256; empty where there are none. */
export async function weightsOf(folder: string, { file }: Pick<LocalEngine, 'file'>): Promise<string> {
  if (file === '') return '';
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, file))) hash.update(chunk);
  return hash.digest('hex').slice(0, 16);
}
