// Checks what an ADMIN sets for an engine, and merges it with what is stored.
import {
  CASCADE,
  environmentWith,
  fixedBy,
  isKeyField,
  keepsKey,
  MODEL_FIELDS,
  MODEL_VARIABLES,
  type ModelField,
  type ModelKind,
  type ModelValues,
  variableValue,
} from '../../db/domain/model-settings.ts';
import type { Environment } from '../../db/shared/settings/environment.ts';
import { listModels } from '../../models/install/catalogue.ts';
import { type FieldError, invalid, refused } from '../frame/errors.ts';
import type { ModelSettingsChanges } from './settings-schema.ts';

/** A header may hold nothing else; a key of another form was copied wrongly. */
const KEY_FORM = /^[\x21-\x7e]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The stored values with the changes. A change of the engine empties what belongs to the former one, and a key is
 * dropped when the server changes, unless the changes give it anew.
 * @throws {ApiError} 409 for a field that a variable sets, 422
 */
export function mergedValues(
  kind: ModelKind,
  stored: ModelValues,
  changes: ModelSettingsChanges,
  environment: Environment,
  modelsDir: string,
): ModelValues {
  refuseFixed(kind, changes, environment);
  const given = cleaned(kind, changes, environment);
  const isNewEngine = kind !== 'llm' && given.engine !== undefined && given.engine !== stored.engine;
  const base = isNewEngine ? { ...stored, baseUrl: null, model: null, voices: null, voice: null } : stored;
  const merged: ModelValues = { ...base, ...given };
  for (const field of ['apiKey', 'fallbackApiKey'] as const) {
    if (given[field] === undefined && !keepsKey(kind, field, stored, merged)) merged[field] = null;
  }
  refuseEngine(kind, merged, environment, modelsDir);
  return merged;
}

function refuseFixed(kind: ModelKind, changes: ModelSettingsChanges, environment: Environment): void {
  for (const field of MODEL_FIELDS) {
    const value = changes[field];
    if (value === undefined || value === null) continue;
    const variable = fixedBy(kind, field, environment);
    if (variable === null) continue;
    // The value that the page shows may come back as it is.
    const isOwn = variable === MODEL_VARIABLES[kind][field];
    if (isOwn && !isKeyField(field) && variableValue(environment, variable) === value.trim()) continue;
    const why = isOwn
      ? `The environment variable ${variable} sets it`
      : `The key of the environment variable ${variable} is sent to its own server only`;
    throw refused('SET_BY_VARIABLE', `${field} cannot be changed here. ${why}`);
  }
}

/** Values without blanks around them, where no variable is set. @throws {ApiError} 422 */
function cleaned(kind: ModelKind, changes: ModelSettingsChanges, environment: Environment): Partial<ModelValues> {
  const faults: FieldError[] = [];
  const given: Partial<ModelValues> = {};
  for (const field of MODEL_FIELDS) {
    const value = changes[field];
    if (value === undefined || fixedBy(kind, field, environment) !== null) continue;
    const trimmed = value === null ? null : value.trim();
    const fault =
      MODEL_VARIABLES[kind][field] === undefined
        ? `There is no ${field} of ${kind}`
        : trimmed === null
          ? null
          : faultOf(kind, field, trimmed);
    if (fault !== null) faults.push({ field, message: fault });
    given[field] = isNoEngine(kind, field, trimmed) ? null : trimmed;
  }
  if (faults.length > 0) throw invalid(faults);
  return given;
}

/** `cascade`, the variable's word for no speech-to-speech model. */
const isNoEngine = (kind: ModelKind, field: ModelField, value: string | null): boolean =>
  kind === 'speech-to-speech' && field === 'engine' && value === CASCADE;

function faultOf(kind: ModelKind, field: ModelField, value: string): string | null {
  if (value === '') return 'It is empty';
  if (isKeyField(field)) return KEY_FORM.test(value) ? null : 'A key has no blanks, line breaks or accents';
  if (CONTROL.test(value)) return 'It has a line break or another control character';
  if (field === 'baseUrl' || field === 'fallbackBaseUrl') return addressFault(kind, value);
  return null;
}

/** The operator chooses the server: one on this machine is as good as any other. */
function addressFault(kind: ModelKind, value: string): string | null {
  if (!URL.canParse(value)) return 'This is not an address such as http://127.0.0.1:8000/v1';
  const { protocol, username, password, search, hash } = new URL(value);
  const isSocket = kind === 'stt' || kind === 'speech-to-speech';
  const protocols = isSocket ? ['http:', 'https:', 'ws:', 'wss:'] : ['http:', 'https:'];
  if (!protocols.includes(protocol)) return `It begins with ${protocols.map((name) => `${name}//`).join(' or ')}`;
  if (username !== '' || password !== '') return 'A key belongs into its own field, not into the address';
  return search !== '' || hash !== '' ? 'It has no ? and no #' : null;
}

/** @throws {ApiError} 422 */
function refuseEngine(kind: ModelKind, values: ModelValues, environment: Environment, modelsDir: string): void {
  const { engine } = values;
  if (engine === null || fixedBy(kind, 'engine', environment) !== null) return;
  const merged = environmentWith(kind, values, environment);
  const models = listModels(merged, modelsDir).filter((model) => model.kind === kind);
  const model = models.find(({ name }) => name === engine);
  const fault = (field: string, message: string) => invalid([{ field, message }]);
  if (model === undefined) throw fault('engine', `There is no engine ${engine}`);
  if (model.state === 'downloadable') throw fault('engine', `${engine} is not downloaded`);
  if (model.state === 'package-missing') throw fault('engine', `${engine} needs the package ${model.packageName}`);
  if (model.state !== 'unconfigured') return;
  const byKeyOnly = !model.needsOneOf.some((name) => name.endsWith('_BASE_URL'));
  throw fault('apiKey', `${engine} needs a key${byKeyOnly ? '' : ', or the address of a server that needs none'}`);
}
