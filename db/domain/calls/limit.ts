// How many calls the installation carries at a time, and why: the engine computes it, the API tells it.

/** `elsewhere`: a server does the work, which costs nearly nothing on this machine. */
export const FACTOR_SOURCES = ['measured', 'assumed', 'elsewhere'] as const;
type FactorSource = (typeof FACTOR_SOURCES)[number];

/** `set`: by MAX_CALLS. `assumed`: an engine that computes here has not been measured yet. */
export const LIMIT_REASONS = ['set', 'measured', 'assumed'] as const;
type LimitReason = (typeof LIMIT_REASONS)[number];

export interface EngineFactor {
  engine: string;
  /** Seconds of one core per second of audio. */
  factor: number;
  source: FactorSource;
}

export interface CallLimit {
  reason: LimitReason;
  /** Calls that follow from the cores and the factors, whatever MAX_CALLS says. */
  carries: number;
  cores: number;
  stt: EngineFactor;
  tts: EngineFactor;
}

/** Measured: nothing is assumed, and an engine that computes here has been measured. */
export function limitReason(isSet: boolean, engines: readonly EngineFactor[]): LimitReason {
  if (isSet) return 'set';
  const sources = engines.map(({ source }) => source);
  return sources.includes('assumed') || !sources.includes('measured') ? 'assumed' : 'measured';
}

/** The reason in a sentence or two. */
export function limitMessage({ reason, carries, cores, stt, tts }: CallLimit): string {
  const number = `${carries} ${carries === 1 ? 'call' : 'calls'} at a time`;
  const from = `${number} from ${cores} ${cores === 1 ? 'core' : 'cores'}; ${costOf(stt)}; ${costOf(tts)}`;
  return reason === 'set' ? `MAX_CALLS is set; without it: ${from}` : from;
}

function costOf({ engine, factor, source }: EngineFactor): string {
  if (source === 'elsewhere') return `${engine} runs elsewhere and costs nearly nothing here`;
  return `${engine} takes ${Number(factor.toFixed(3))} s of a core for a second of audio (${source})`;
}
