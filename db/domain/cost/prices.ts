// Prices of uses, and which one holds: of several that fit, the nearest to the engine, model, trunk or number, and of
// these the newest that held when the call began.
import type { ModelUse, TrunkUse, Use, UseKind } from './uses.ts';

export const RATE_NAMES = {
  llm: ['perMillionInput', 'perMillionCached', 'perMillionOutput'],
  speech_to_speech: ['perMinute', 'perMillionInput', 'perMillionCached', 'perMillionOutput'],
  stt: ['perMinute'],
  tts: ['perThousandCharacters', 'perMinute'],
  trunk: ['perMinute', 'connectionFee'],
} as const satisfies Record<UseKind, readonly string[]>;
export type RateName = (typeof RATE_NAMES)[UseKind][number];

/** Millionths; a rate that is not there is 0. */
export type Rates = Partial<Record<RateName, number>>;

export interface Price {
  id: string;
  kind: UseKind;
  /** Null: any. */
  engine: string | null;
  /** A name, or a pattern with one `*`; null: any. */
  model: string | null;
  trunkId: string | null;
  direction: 'inbound' | 'outbound' | null;
  /** The beginning of the called number, `+49`; empty: any. */
  prefix: string | null;
  rates: Rates;
  /** Seconds that a minute of a trunk is counted in: at least the first, then steps of the second. */
  firstSeconds: number;
  stepSeconds: number;
  currency: string;
  validFrom: number;
}

/** Longest prefix of a number, its `+` included. */
const PREFIX_MAX = 16;

/** One `*` stands for any text. */
function matchesModel(pattern: string, model: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === model;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return model.length >= before.length + after.length && model.startsWith(before) && model.endsWith(after);
}

/** The price that holds for a use at a time; null: none is known. */
export function priceFor(use: Use, atMs: number, prices: readonly Price[]): Price | null {
  let best: { price: Price; nearness: readonly number[] } | null = null;
  for (const price of prices) {
    if (price.kind !== use.kind || price.validFrom > atMs) continue;
    const fit = use.kind === 'trunk' ? fitOfLeg(use, price) : fitOfModel(use, price);
    if (fit === null) continue;
    const nearness = [...fit, price.validFrom];
    if (best === null || isNearer(nearness, best.nearness)) best = { price, nearness };
  }
  return best?.price ?? null;
}

function isNearer(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** An exact name is nearer than a longer pattern, and any of them nearer than none; then the engine counts. */
function fitOfModel({ engine, model }: ModelUse, price: Price): number[] | null {
  if (price.engine !== null && price.engine !== engine) return null;
  const ofEngine = price.engine === null ? 0 : 1;
  if (price.model === null) return [0, ofEngine];
  if (model === null || !matchesModel(price.model, model)) return null;
  return [price.model.includes('*') ? price.model.length : Number.MAX_SAFE_INTEGER, ofEngine];
}

/** A price of the trunk itself is nearer than a longer prefix of any trunk. */
function fitOfLeg({ trunkId, direction, number }: TrunkUse, price: Price): number[] | null {
  if (price.trunkId !== null && price.trunkId !== trunkId) return null;
  if (price.direction !== direction || !number.startsWith(price.prefix ?? '')) return null;
  return [price.trunkId === null ? 0 : 1, price.prefix?.length ?? 0];
}

/** All beginnings of a number that a price may be for. */
export const prefixesOf = (number: string): string[] =>
  Array.from({ length: Math.min(number.length, PREFIX_MAX) + 1 }, (_, length) => number.slice(0, length));
