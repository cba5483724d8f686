// Which engine listens, thinks and speaks, and which does all of it: the settings of an ADMIN, and the environment
// variables that win over them.
// A setting takes the place of its variable, so that everything that reads the environment follows it.
//
// A key must not reach a server that somebody else chose. A key of the environment is therefore never used with an
// address from the dashboard, and a stored key stays with the engine and the server for which it was entered.

export const MODEL_KINDS = ['llm', 'stt', 'tts', 'speech-to-speech'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];
/** Models that run in workers, which others replace; a dialogue model runs on the engine's own thread. */
export type WorkerModel = Exclude<ModelKind, 'llm'>;

/** In the place of a speech-to-speech model: there is none, and recogniser, dialogue model and voice answer. */
export const CASCADE = 'cascade';

export const MODEL_FIELDS = [
  'engine',
  'baseUrl',
  'model',
  'apiKey',
  'voices',
  'voice',
  'fallbackBaseUrl',
  'fallbackModel',
  'fallbackApiKey',
] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];
export type ModelValues = Record<ModelField, string | null>;

type Environment = Record<string, string | undefined>;

/** The variable of each field; a kind lacks the fields that are not here. */
export const MODEL_VARIABLES: Readonly<Record<ModelKind, Readonly<Partial<Record<ModelField, string>>>>> = {
  llm: {
    engine: 'LLM',
    baseUrl: 'OPENAI_BASE_URL',
    model: 'OPENAI_MODEL',
    apiKey: 'OPENAI_API_KEY',
    fallbackBaseUrl: 'LLM_FALLBACK_BASE_URL',
    fallbackModel: 'LLM_FALLBACK_MODEL',
    fallbackApiKey: 'LLM_FALLBACK_API_KEY',
  },
  stt: { engine: 'STT', baseUrl: 'STT_BASE_URL', model: 'STT_MODEL', apiKey: 'STT_API_KEY' },
  tts: { engine: 'TTS', baseUrl: 'TTS_BASE_URL', model: 'TTS_MODEL', apiKey: 'TTS_API_KEY', voices: 'TTS_VOICES' },
  'speech-to-speech': {
    engine: 'DIALOGUE',
    baseUrl: 'DIALOGUE_BASE_URL',
    model: 'DIALOGUE_MODEL',
    apiKey: 'DIALOGUE_API_KEY',
    voice: 'DIALOGUE_VOICE',
  },
};

/** Keys that recognisers, voices and speech-to-speech models use where they have none of their own. */
const SHARED_KEYS = [
  'OPENAI_API_KEY',
  'DEEPGRAM_API_KEY',
  'ELEVENLABS_API_KEY',
  'XI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
] as const;
/** The key that is sent to an address. */
const KEY_OF = { baseUrl: 'apiKey', fallbackBaseUrl: 'fallbackApiKey' } as const;

export const NO_MODEL_VALUES: Readonly<ModelValues> = {
  engine: null,
  baseUrl: null,
  model: null,
  apiKey: null,
  voices: null,
  voice: null,
  fallbackBaseUrl: null,
  fallbackModel: null,
  fallbackApiKey: null,
};

export const isKeyField = (field: ModelField): field is 'apiKey' | 'fallbackApiKey' =>
  field === 'apiKey' || field === 'fallbackApiKey';

/** The value of a variable; null where it is not set or blank. */
export const variableValue = (environment: Environment, name: string | undefined): string | null =>
  (name === undefined ? '' : (environment[name]?.trim() ?? '')) || null;

/** The variable that fixes the field, so that a setting has no effect; null where there is none. */
export function fixedBy(kind: ModelKind, field: ModelField, environment: Environment): string | null {
  const variables = MODEL_VARIABLES[kind];
  const own = variables[field];
  if (own !== undefined && variableValue(environment, own) !== null) return own;
  if (field !== 'baseUrl' && field !== 'fallbackBaseUrl') return null;
  const key = variables[KEY_OF[field]];
  return key !== undefined && variableValue(environment, key) !== null ? key : null;
}

/** The environment of an engine: the variables, and the settings where no variable is set. */
export function environmentWith(kind: ModelKind, values: ModelValues, environment: Environment): Environment {
  const merged: Environment = { ...environment };
  for (const field of MODEL_FIELDS) {
    const variable = MODEL_VARIABLES[kind][field];
    const value = values[field];
    if (variable === undefined || value === null || fixedBy(kind, field, environment) !== null) continue;
    merged[variable] = value;
    if (field === 'baseUrl' && kind !== 'llm') for (const name of SHARED_KEYS) delete merged[name];
  }
  return merged;
}

/** The variables of the models that are set; the value of a key is null. */
export function modelVariablesSet(environment: Environment): Record<string, string | null> {
  const set: Record<string, string | null> = {};
  for (const name of SHARED_KEYS) if (variableValue(environment, name) !== null) set[name] = null;
  for (const kind of MODEL_KINDS) {
    for (const field of MODEL_FIELDS) {
      const variable = MODEL_VARIABLES[kind][field];
      const value = variableValue(environment, variable);
      if (variable !== undefined && value !== null) set[variable] = isKeyField(field) ? null : value;
    }
  }
  return set;
}

type Place = Pick<ModelValues, 'engine' | 'baseUrl' | 'fallbackBaseUrl'>;

/** Whether a key that was entered with `before` may be sent to the server of `after`. */
export function keepsKey(kind: ModelKind, field: 'apiKey' | 'fallbackApiKey', before: Place, after: Place): boolean {
  if (field === 'fallbackApiKey') return originOf(before.fallbackBaseUrl) === originOf(after.fallbackBaseUrl);
  // Only one engine of dialogue has a server.
  const isSameEngine = kind === 'llm' || before.engine === after.engine;
  return isSameEngine && originOf(before.baseUrl) === originOf(after.baseUrl);
}

const originOf = (url: string | null): string | null => {
  if (url === null) return null;
  // The `origin` of a socket's address is "null" in browsers.
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** How the engine took an ADMIN's settings of one kind, in its state row. */
export interface TakenSettings {
  /** The last settings that it tried. */
  revision: number;
  /** Why it did not take them: the former engine goes on. Null where it did. */
  error: string | null;
}
