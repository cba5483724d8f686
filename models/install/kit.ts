// Ears and a voice for a language, chosen for this machine from the catalogue: with their size, their licence and the
// calls at once that they leave room for.
import { availableParallelism, totalmem } from 'node:os';
import { defaultMaxCalls } from './catalogue.ts';
import { downloadPath, isInstalled, localEngine, modelsDirOf } from './local-models.ts';
import { mirrored } from './mirror.ts';
import { LOCAL_MODELS, type LocalKind, type LocalModel } from './weights.ts';

interface Machine {
  cores: number;
  memoryMb: number;
}

interface KitPart {
  kind: LocalKind;
  /** `sherpa:NAME`. */
  engine: string;
  description: string;
  licence: string;
  bytes: number;
  memoryMb: number;
  isInstalled: boolean;
  /** Where it comes from, and what to call it where it is fetched by hand. */
  url: string;
  checksumUrl: string;
  file: string;
}

export interface Kit {
  language: string;
  machine: Machine;
  ears: KitPart | null;
  voice: KitPart | null;
  /** Calls at once, by the catalogue's estimates; null without both. */
  carries: number | null;
  /** Still to be fetched. */
  bytes: number;
}

/** Of the service itself, beside the models. */
const RESERVED_MB = 700;
const MB = 2 ** 20;

function thisMachine(): Machine {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return { cores: availableParallelism(), memoryMb: Math.round(bytes / MB) };
}

/** `language`: a base language, `de`. */
export function kitFor(
  language: string,
  modelsDir: string,
  { machine = thisMachine(), environment = process.env }: { machine?: Machine; environment?: NodeJS.ProcessEnv } = {},
): Kit {
  const fits = ({ memoryMb }: LocalModel, others = 0): boolean => memoryMb + others + RESERVED_MB <= machine.memoryMb;
  const voice = candidates('tts', language).find((model) => fits(model));
  const ears = candidates('stt', language).find((model) => fits(model, voice?.memoryMb));
  const part = (model: LocalModel | undefined): KitPart | null => {
    if (model === undefined) return null;
    const { kind, name, description, licence, bytes, memoryMb } = model;
    const { url, checksumUrl } = mirrored(model, environment);
    const own = {
      engine: localEngine(name),
      isInstalled: isInstalled(modelsDir, name),
      file: downloadPath(modelsDir, model),
    };
    return { kind, description, licence, bytes, memoryMb, url, checksumUrl, ...own };
  };
  const kit = { ears: part(ears), voice: part(voice) };
  const carries =
    ears === undefined || voice === undefined
      ? null
      : defaultMaxCalls(machine.cores, localEngine(ears.name), localEngine(voice.name));
  const missing = [kit.ears, kit.voice].filter((each) => each !== null && !each.isInstalled);
  return { language, machine, ...kit, carries, bytes: missing.reduce((sum, each) => sum + (each?.bytes ?? 0), 0) };
}

/** Before a service has run: of the models that are there already. */
export const plannedKit = (language: string, environment: NodeJS.ProcessEnv): Kit =>
  kitFor(language, modelsDirOf(environment), { environment });

/** In the catalogue's order, the best first; without those that forbid commercial use. */
const candidates = (kind: LocalKind, language: string): LocalModel[] =>
  LOCAL_MODELS.filter(
    (model) =>
      model.kind === kind &&
      (model.languages === null || model.languages.includes(language)) &&
      !/no commercial/i.test(model.licence),
  ).sort((a, b) => Number(a.languages === null) - Number(b.languages === null));
