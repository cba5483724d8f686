// The engines that listen, think and speak, or do all of it, as an ADMIN sets them. The engine process notices a change
// and takes it for its next calls; its state row says which settings it has taken.
import { join } from 'node:path';
import {
  CASCADE,
  fixedBy,
  isKeyField,
  MODEL_FIELDS,
  MODEL_VARIABLES,
  type ModelField,
  type ModelKind,
  type ModelValues,
  modelVariablesSet,
  NO_MODEL_VALUES,
  type TakenSettings,
  variableValue,
} from '../../db/domain/model-settings.ts';
import {
  keyContext,
  listModelSettings,
  modelValues,
  writeModelSettings,
} from '../../db/queries/settings/model-settings.ts';
import { isoOrNull } from '../../db/records/resources.ts';
import type { ModelSettingsTable } from '../../db/schema/model-settings.ts';
import type { Db } from '../../db/schema.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import type { Environment } from '../../db/shared/settings/environment.ts';
import type { ApiContext } from '../context.ts';
import { refused } from '../frame/errors.ts';
import { readEngines } from '../peers/engines.ts';
import type { ModelSettings, ModelSettingsChanges } from './settings-schema.ts';
import { mergedValues } from './settings-values.ts';

/** A shorter key would be half told by its end. */
const KEY_WITH_END_CHARS = 12;

/** The engine's view of the models, in its state row. */
interface EngineModels {
  llm?: string;
  stt?: string;
  tts?: string;
  /** Absent: none, the cascade answers. */
  'speech-to-speech'?: string;
  variables?: Record<string, string | null>;
  settings?: Partial<Record<ModelKind, TakenSettings>>;
}

/** The running engine's models; undefined while it is down. */
async function runningModels(context: ApiContext, db: Db): Promise<EngineModels | undefined> {
  const [engine] = (await readEngines(context, db)).up;
  if (engine === undefined) return undefined;
  return JSON.parse(engine.models) as EngineModels;
}

/** The variables that count are the engine's; the API may run elsewhere with others. A key's value is a word. */
function environmentOf(models: EngineModels | undefined): Environment {
  const variables = models?.variables ?? modelVariablesSet(process.env);
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? 'set']));
}

/** The variables with the stored settings of all kinds; a key's value is a word. */
export async function configuredEnvironment(context: ApiContext): Promise<Environment> {
  const environment = environmentOf(await runningModels(context, context.read));
  const configured: Environment = { ...environment };
  for (const [kind, row] of await listModelSettings(context.read)) {
    const { keySealed, fallbackKeySealed, ...plain } = row;
    const values: ModelValues = { ...plain, apiKey: keySealed && 'set', fallbackApiKey: fallbackKeySealed && 'set' };
    for (const field of MODEL_FIELDS) {
      const variable = MODEL_VARIABLES[kind][field];
      const value = values[field];
      if (variable !== undefined && value !== null && fixedBy(kind, field, environment) === null)
        configured[variable] = value;
    }
  }
  return configured;
}

export async function getModelSettings(context: ApiContext): Promise<Record<ModelKind, ModelSettings>> {
  const rows = await listModelSettings(context.read);
  const models = await runningModels(context, context.read);
  const of = (kind: ModelKind): ModelSettings => record(kind, rows.get(kind), models);
  return { llm: of('llm'), stt: of('stt'), tts: of('tts'), 'speech-to-speech': of('speech-to-speech') };
}

/** @throws {ApiError} 409, 422 */
export async function changeModelSettings(
  context: ApiContext,
  kind: ModelKind,
  { revision, ...changes }: ModelSettingsChanges & { revision?: number },
): Promise<ModelSettings> {
  return context.db.transaction().execute(async (trx) => {
    const row = (await listModelSettings(trx)).get(kind);
    const found = row?.revision ?? 0;
    if (revision !== undefined && revision !== found)
      throw refused('CHANGED_MEANWHILE', 'Somebody else has changed these settings: read them again');
    const models = await runningModels(context, trx);
    const values = merged(context, kind, row, changes, environmentOf(models));
    const next = rowOf(context, kind, values, found + 1);
    await writeModelSettings(trx, next);
    return record(kind, next, models);
  });
}

/** The values that a test of these changes tries. @throws {ApiError} 409, 422 */
export async function valuesToTest(
  context: ApiContext,
  kind: ModelKind,
  changes: ModelSettingsChanges,
): Promise<ModelValues> {
  const row = (await listModelSettings(context.read)).get(kind);
  return merged(context, kind, row, changes, environmentOf(await runningModels(context, context.read)));
}

function merged(
  context: ApiContext,
  kind: ModelKind,
  row: ModelSettingsTable | undefined,
  changes: ModelSettingsChanges,
  environment: Environment,
): ModelValues {
  const stored = row === undefined ? { ...NO_MODEL_VALUES } : openValues(context, row);
  return mergedValues(kind, stored, changes, environment, join(context.config.dataDir, 'models'));
}

/** A key that another DATA_DIR sealed is as good as none: it has to be entered again. */
function openValues(context: ApiContext, row: ModelSettingsTable): ModelValues {
  try {
    return modelValues(row, context.secretKey);
  } catch {
    return modelValues({ ...row, keySealed: null, fallbackKeySealed: null }, context.secretKey);
  }
}

function rowOf(context: ApiContext, kind: ModelKind, values: ModelValues, revision: number): ModelSettingsTable {
  const { apiKey, fallbackApiKey, ...plain } = values;
  const sealed = (field: 'apiKey' | 'fallbackApiKey', key: string | null): string | null =>
    key === null ? null : seal(context.secretKey, keyContext(kind, field), key);
  return {
    kind,
    ...plain,
    keySealed: sealed('apiKey', apiKey),
    keyEnd: endOf(apiKey),
    fallbackKeySealed: sealed('fallbackApiKey', fallbackApiKey),
    fallbackKeyEnd: endOf(fallbackApiKey),
    revision,
    changedAt: context.now(),
  };
}

const endOf = (key: string | null): string | null =>
  key !== null && key.length >= KEY_WITH_END_CHARS ? key.slice(-4) : null;

function record(kind: ModelKind, row: ModelSettingsTable | undefined, models: EngineModels | undefined): ModelSettings {
  const environment = environmentOf(models);
  const fixed = MODEL_FIELDS.flatMap((field) => {
    const variable = MODEL_VARIABLES[kind][field] === undefined ? null : fixedBy(kind, field, environment);
    return variable === null ? [] : [{ field, variable }];
  });
  const isFixed = (field: ModelField): boolean => fixed.some((entry) => entry.field === field);
  const shown = (field: Exclude<ModelField, 'apiKey' | 'fallbackApiKey'>): string | null =>
    isFixed(field) ? variableValue(environment, MODEL_VARIABLES[kind][field]) : (row?.[field] ?? null);
  const key = (field: ModelField, box: string | null | undefined, end: string | null | undefined) => {
    if (isKeyField(field) && isFixed(field)) return { end: null };
    return box == null ? null : { end: end ?? null };
  };
  const taken = models?.settings?.[kind];
  const revision = row?.revision ?? 0;
  const isTaken = revision === 0 || taken?.revision === revision;
  const error = isTaken && revision > 0 ? (taken?.error ?? null) : null;
  return {
    kind,
    revision,
    changedAt: isoOrNull(row?.changedAt ?? null),
    engine: shown('engine'),
    baseUrl: shown('baseUrl'),
    model: shown('model'),
    apiKey: key('apiKey', row?.keySealed, row?.keyEnd),
    voices: shown('voices'),
    voice: shown('voice'),
    fallbackBaseUrl: shown('fallbackBaseUrl'),
    fallbackModel: shown('fallbackModel'),
    fallbackApiKey: key('fallbackApiKey', row?.fallbackKeySealed, row?.fallbackKeyEnd),
    fixed,
    running: models === undefined ? null : (models[kind] ?? (kind === 'speech-to-speech' ? CASCADE : null)),
    state: !isTaken ? 'waiting' : error === null ? 'in-use' : 'failed',
    error,
  };
}
