// The models under DATA_DIR/models, each in a folder of its own name. A folder that is not in the catalogue is the
// operator's own; its files tell its kind.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { byDistance } from '../../db/domain/nearest-name.ts';
import type { Voice } from '../tts/tts.ts';
import { DOWNLOADS, findDownload, findLocalModel, LOCAL_MODELS, type LocalKind, type LocalModel } from './weights.ts';

/** Engines of this machine that run such a model are named `sherpa:NAME`. */
const PREFIX = 'sherpa:';
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Assumed until the loaded model reports its rate. */
const USUAL_RATE_HZ = 22_050;
/** Some models have hundreds of speakers without names. */
const MAX_UNLISTED_SPEAKERS = 16;
const PIPER_FILE = /^([a-z]{2})_([A-Z]{2})-.*\.onnx$/;

export function modelsDirOf(environment: Record<string, string | undefined>): string {
  return join(environment.DATA_DIR?.trim() || './data', 'models');
}

/** NAME of `sherpa:NAME`; null for other engines and for a name that could leave the models' folder. */
export function localName(engine: string): string | null {
  if (!engine.startsWith(PREFIX)) return null;
  const name = engine.slice(PREFIX.length);
  return NAME.test(name) ? name : null;
}

export function localEngine(name: string): string {
  return `${PREFIX}${name}`;
}

/** Whether the model's folder exists: a folder gets its name when it is complete. */
export function isInstalled(modelsDir: string, name: string): boolean {
  try {
    return NAME.test(name) && statSync(join(modelsDir, name)).isDirectory();
  } catch {
    return false;
  }
}

/** Path of a download until it is complete. */
export function downloadPath(modelsDir: string, model: { name: string; file?: string }): string {
  return join(modelsDir, model.file === undefined ? `${model.name}.tar.bz2` : `${model.name}.download`);
}

/** The kind of a folder's files: `voices.bin`, a lexicon or eSpeak's data belong to a voice. */
function kindOfFolder(folder: string): LocalKind | null {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return null;
  }
  if (!files.some((file) => /\.(onnx|ort)$/.test(file))) return null;
  return files.some((file) => /^(espeak-ng-data|voices\.bin|lexicon.*\.txt|.*\.onnx\.json)$/.test(file))
    ? 'tts'
    : 'stt';
}

/** The models of this kind that can run now: first the catalogue's in its order, then the operator's own. */
export function installedModels(modelsDir: string, kind: LocalKind): string[] {
  const listed = LOCAL_MODELS.filter((model) => model.kind === kind && isInstalled(modelsDir, model.name));
  return [...listed.map(({ name }) => name), ...ownModels(modelsDir, kind)];
}

/** Folders that are not in the catalogue. */
export function ownModels(modelsDir: string, kind: LocalKind): string[] {
  if (!existsSync(modelsDir)) return [];
  return readdirSync(modelsDir)
    .filter((name) => NAME.test(name) && !name.endsWith('.part') && findDownload(name)?.name !== name)
    .filter((name) => kindOfFolder(join(modelsDir, name)) === kind)
    .sort();
}

/** The best downloaded model, used when STT or TTS is not set; null when there is none. */
export function bestInstalled(modelsDir: string, kind: LocalKind): LocalModel | null {
  return LOCAL_MODELS.find((model) => model.kind === kind && isInstalled(modelsDir, model.name)) ?? null;
}

/** The voices of a model in the catalogue; the first is the engine's default and has the engine's name. */
export function localVoices(
  model: LocalModel,
  engine = localEngine(model.name),
  sampleRateHz = USUAL_RATE_HZ,
): Voice[] {
  return model.voices.map(({ sid, name, language, gender }, index) => ({
    id: index === 0 ? engine : `${engine}:${sid}`,
    name,
    language,
    gender,
    engine,
    sampleRateHz,
    isDefault: index === 0,
  }));
}

/**
 * The voices of an operator's own model, whose files tell only its language: Piper's begin with the locale,
 * en_US-lessac-medium.onnx.
 */
export function unlistedVoices(
  name: string,
  files: readonly string[],
  { speakers = 1, sampleRateHz = USUAL_RATE_HZ } = {},
): Voice[] {
  const engine = localEngine(name);
  const [, language, region] = files.map((file) => PIPER_FILE.exec(file)).find((found) => found !== null) ?? [];
  return Array.from({ length: Math.min(MAX_UNLISTED_SPEAKERS, Math.max(1, speakers)) }, (_, sid) => ({
    id: sid === 0 ? engine : `${engine}:${sid}`,
    name: sid === 0 ? name : `${name} ${sid + 1}`,
    language: language === undefined ? 'en-US' : `${language}-${region}`,
    gender: 'neutral' as const,
    engine,
    sampleRateHz,
    isDefault: sid === 0,
  }));
}

/** The voice of an operator's own model before the engine has loaded it; none where it is no such model. */
export function ownModelVoices(modelsDir: string, engine: string): Voice[] {
  const name = localName(engine);
  if (name === null || !isInstalled(modelsDir, name) || kindOfFolder(join(modelsDir, name)) !== 'tts') return [];
  return unlistedVoices(name, readdirSync(join(modelsDir, name)));
}

/** Why this engine cannot be used as `kind` now, and what to do; null when it can. */
export function whyUnusable(kind: LocalKind, engine: string, modelsDir: string): string | null {
  const name = localName(engine);
  if (name === null) return `"${engine}" is no model: ${PREFIX}NAME has letters, digits, dots, dashes and underscores`;
  if (findDownload(name)?.kind === 'turn-end') return `${name} neither listens nor speaks: set TURN_END=${name}`;
  const listed = findLocalModel(name);
  if (!isInstalled(modelsDir, name)) {
    if (listed) return `${engine} is not installed: run "npm run models -- download ${listed.name}"`;
    return `there is no model ${name}${didYouMean(name, kind)}: "npm run models -- list" lists them`;
  }
  const found = listed?.kind ?? kindOfFolder(join(modelsDir, name)) ?? kind;
  if (found !== kind) return found === 'tts' ? `${engine} is a voice, for TTS` : `${engine} is a recogniser, for STT`;
  return null;
}

/** `, did you mean a or b?`, or nothing. */
export function didYouMean(name: string, kind?: LocalKind): string {
  const names = DOWNLOADS.filter((model) => kind === undefined || model.kind === kind).map((model) => model.name);
  const nearest = nearestNames(name, names);
  return nearest.length > 0 ? `, did you mean ${nearest.join(' or ')}?` : '';
}

/** Names that an operator may have meant, the likeliest first. */
function nearestNames(name: string, names: readonly string[]): string[] {
  return byDistance(name, names)
    .filter(({ name: each, distance }) => distance <= 3 || each.includes(name.toLowerCase()))
    .slice(0, 3)
    .map(({ name: each }) => each);
}
