// The engines of docs/local-engines.md that the bench runs, each beside fakes of the others that answer at once, so
// that what a call waits for is the engine alone.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTANT } from '../rig/conversation/scenario.ts';

export interface LocalEngine {
  name: string;
  /** The weights, below the folder of all weights. */
  files: readonly string[];
  /** Of DATA_DIR/models, the engine's folders; none: a server outside of the service has the weights. */
  models: readonly string[];
  /** By the variable that names weights to the server, their paths below the folder; empty: there is no server. */
  server: Readonly<Record<string, string>>;
  /** The service's environment; `base` is the server's address, which ends in `/v1`. */
  environment(base: string): Record<string, string>;
  /** Turns end by the words and the model, not by a silence that the business has chosen. */
  endsTurns: boolean;
  /** It reads its instructions at the first turn, for seconds, and keeps what it has read: that turn does not count. */
  readsFirst?: boolean;
  /** As callers have it: replies are prepared while a turn may go on, and "one moment" is no answer. */
  isWhole?: boolean;
  /** With fewer cores it is measured, and no bound holds for it. */
  leastCores?: number;
}

const KEY = 'bench';
/** A different text each time, so that none comes from the cache. */
const REPLY = 'Number {n} in the old town is where you find us.';

const voice = (name: string, file: string): LocalEngine => ({
  name: `sherpa:${name}`,
  files: [`models/${name}/${file}`],
  models: [name],
  server: {},
  environment: () => ({ TTS: `sherpa:${name}`, FAKE_LLM_REPLY: REPLY }),
  endsTurns: false,
});

export const ENGINES: readonly LocalEngine[] = [
  {
    name: 'whisper-base by its API',
    files: ['whisper-base/model.bin'],
    models: [],
    server: { MODELS: '.' },
    environment: (base) => ({ STT: 'openai', STT_BASE_URL: base, STT_API_KEY: KEY }),
    endsTurns: false,
  },
  voice('piper-joe', 'en_US-joe-medium.onnx'),
  voice('kokoro-int8', 'model.onnx'),
  {
    name: 'smart-turn',
    files: ['models/smart-turn/smart-turn-v3.2-cpu.onnx'],
    models: ['smart-turn'],
    server: {},
    environment: () => ({ TURN_END: 'smart-turn' }),
    endsTurns: true,
  },
  {
    name: 'SmolLM2-135M by its API',
    files: ['smollm2.gguf'],
    models: [],
    server: { GGUF: 'smollm2.gguf' },
    environment: (base) => ({ LLM: 'openai', OPENAI_BASE_URL: base, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'local' }),
    endsTurns: false,
    readsFirst: true,
    leastCores: 4,
  },
];

/** The same calls with fakes alone: what is not the engine's. */
export const NO_ENGINE: LocalEngine = {
  name: 'none: fakes that answer at once',
  files: [],
  models: [],
  server: {},
  environment: () => ({}),
  endsTurns: false,
};

/** No fake is left: Whisper hears, SmolLM2 answers, Piper speaks, Smart Turn ends turns. */
export const ALL_AT_ONCE = together(ENGINES.filter(({ name }) => name !== 'sherpa:kokoro-int8'));

function together(engines: readonly LocalEngine[]): LocalEngine {
  return {
    name: 'all at once',
    files: engines.flatMap(({ files }) => files),
    models: engines.flatMap(({ models }) => models),
    server: Object.assign({}, ...engines.map(({ server }) => server)),
    environment: (base) => Object.assign({}, ...engines.map(({ environment }) => environment(base))),
    endsTurns: true,
    readsFirst: true,
    isWhole: true,
  };
}

export const MINILM = { name: 'all-MiniLM-L6-v2 by its API', files: ['minilm/model.safetensors'], dimensions: 384 };

export const isThere = (folder: string, { files }: Pick<LocalEngine, 'files'>): boolean =>
  files.every((file) => existsSync(join(folder, file)));

/** An engine's own variables stand above the fakes. */
export const environmentOf = (engine: LocalEngine, base: string): Record<string, string> => ({
  ...INSTANT,
  ...engine.environment(base),
});

/** The first figures of the weights' SHA-256; empty where there are none. */
export async function weightsOf(folder: string, { files }: Pick<LocalEngine, 'files'>): Promise<string> {
  const sums = await Promise.all(files.map((file) => sumOf(join(folder, file))));
  return sums.map((sum) => sum.slice(0, 16)).join(', ');
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
