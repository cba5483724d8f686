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
  /** Of DATA_DIR/models, the engine's folder; null: a server outside of the service has the weights. */
  model: string | null;
  /** The variable that names its weights to the server, and their path below the folder; null: there is no server. */
  server: readonly [variable: string, path: string] | null;
  /** The service's environment; `base` is the server's address, which ends in `/v1`. */
  environment(base: string): Record<string, string>;
  /** Turns end by the words and the model, not by a silence that the business has chosen. */
  endsTurns: boolean;
  /** It reads its instructions at the first turn, for seconds, and keeps what it has read: that turn does not count. */
  readsFirst?: boolean;
  /** With fewer cores it is measured, and no bound holds for it. */
  leastCores?: number;
}

const KEY = 'bench';
/** A different text each time, so that none comes from the cache. */
const REPLY = 'Number {n} in the old town is where you find us.';

const voice = (name: string, file: string): LocalEngine => ({
  name: `sherpa:${name}`,
  file: `models/${name}/${file}`,
  model: name,
  server: null,
  environment: () => ({ TTS: `sherpa:${name}`, FAKE_LLM_REPLY: REPLY }),
  endsTurns: false,
});

export const ENGINES: readonly LocalEngine[] = [
  {
    name: 'whisper-base by its API',
    file: 'whisper-base/model.bin',
    model: null,
    server: ['MODELS', '.'],
    environment: (base) => ({ STT: 'openai', STT_BASE_URL: base, STT_API_KEY: KEY }),
    endsTurns: false,
  },
  voice('piper-joe', 'en_US-joe-medium.onnx'),
  voice('kokoro-int8', 'model.onnx'),
  {
    name: 'smart-turn',
    file: 'models/smart-turn/smart-turn-v3.2-cpu.onnx',
    model: 'smart-turn',
    server: null,
    environment: () => ({ TURN_END: 'smart-turn' }),
    endsTurns: true,
  },
  {
    name: 'SmolLM2-135M by its API',
    file: 'smollm2.gguf',
    model: null,
    server: ['GGUF', 'smollm2.gguf'],
    environment: (base) => ({ LLM: 'openai', OPENAI_BASE_URL: base, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'local' }),
    endsTurns: false,
    readsFirst: true,
    leastCores: 4,
  },
];

/** The same calls with fakes alone: what is not the engine's. */
export const NO_ENGINE: LocalEngine = {
  name: 'none: fakes that answer at once',
  file: '',
  model: null,
  server: null,
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
