// The cost of a call: a line for each use, with its price, and the sums of the lines. Pure, and exact to a millionth:
// each line is rounded once, and every sum is one of lines.
import { MINUTE_MS } from '../hours/durations.ts';
import { priced } from './money.ts';
import { type Price, priceFor, RATE_NAMES, type RateName } from './prices.ts';
import { isUsed, USE_KINDS, type Use, type UseKind, type UsePurpose } from './uses.ts';

export interface CostLine {
  kind: UseKind;
  purpose: UsePurpose;
  engine: string | null;
  model: string | null;
  trunkId: string | null;
  direction: 'inbound' | 'outbound' | null;
  requests: number;
  ms: number;
  /** Of a trunk: as its price counts them; null: it has none. */
  billedSeconds: number | null;
  characters: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  /** Millionths; null: no price is known. */
  amount: number | null;
  priceId: string | null;
}

export interface CostSums {
  llm: number | null;
  stt: number | null;
  tts: number | null;
  trunk: number | null;
  /** Of the parts that have a price; null: none has. */
  total: number | null;
  currency: string | null;
  isEstimated: boolean;
  /** A line has no price. */
  isPartial: boolean;
}

/** A speech-to-speech model is the model that answers. */
const PART_OF = { llm: 'llm', speech_to_speech: 'llm', stt: 'stt', tts: 'tts', trunk: 'trunk' } as const;
const PARTS = ['llm', 'stt', 'tts', 'trunk'] as const;

/** Seconds that are charged: whole ones, at least the first ones, then whole steps. */
export function billedSeconds(ms: number, { firstSeconds, stepSeconds }: Pick<Price, 'firstSeconds' | 'stepSeconds'>) {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds === 0) return 0;
  const beyond = Math.max(0, seconds - firstSeconds);
  return firstSeconds + Math.ceil(beyond / stepSeconds) * stepSeconds;
}

function costLine(use: Use, atMs: number, prices: readonly Price[]): CostLine {
  const price = priceFor(use, atMs, prices);
  const leg = use.kind === 'trunk' ? use : null;
  const model = use.kind === 'trunk' ? null : use;
  const billed = leg !== null && price !== null ? billedSeconds(leg.ms, price) : null;
  const isFree = model?.isOwn === true && price === null;
  return {
    kind: use.kind,
    purpose: use.purpose,
    engine: model?.engine ?? null,
    model: model?.model ?? null,
    trunkId: leg?.trunkId ?? null,
    direction: leg?.direction ?? null,
    requests: model?.requests ?? 0,
    ms: use.ms,
    billedSeconds: billed,
    characters: model?.characters ?? 0,
    inputTokens: model?.inputTokens ?? 0,
    cachedTokens: model?.cachedTokens ?? 0,
    outputTokens: model?.outputTokens ?? 0,
    isEstimated: use.isEstimated === true,
    amount: price === null ? (isFree ? 0 : null) : amountOf(use, price, billed ?? 0),
    priceId: price?.id ?? null,
  };
}

/** Each of its rates is rounded by itself, as a bill has a line for each. */
function amountOf(use: Use, { kind, rates }: Price, billed: number): number {
  const of = (name: RateName): number => {
    const rate = rates[name] ?? 0;
    if (use.kind === 'trunk')
      return name === 'connectionFee' ? (use.ms > 0 ? rate : 0) : priced(rate, billed, MINUTE_MS / 1_000);
    switch (name) {
      case 'perMinute':
        return priced(rate, use.ms, MINUTE_MS);
      case 'perThousandCharacters':
        return priced(rate, use.characters, 1_000);
      case 'perMillionInput':
        return priced(rate, use.inputTokens - use.cachedTokens, 1_000_000);
      case 'perMillionCached':
        // Without a price of their own, cached tokens cost as others do.
        return priced(rates.perMillionCached ?? rates.perMillionInput ?? 0, use.cachedTokens, 1_000_000);
      case 'perMillionOutput':
        return priced(rate, use.outputTokens, 1_000_000);
      case 'connectionFee':
        return 0;
    }
  };
  return RATE_NAMES[kind].reduce((sum, name) => sum + of(name), 0);
}

/** Lines in their order, without those of nothing. */
export function costLines(uses: readonly Use[], atMs: number, prices: readonly Price[]): CostLine[] {
  const lines = uses.filter(isUsed).map((use) => costLine(use, atMs, prices));
  return lines.sort((a, b) => USE_KINDS.indexOf(a.kind) - USE_KINDS.indexOf(b.kind));
}

export function costSums(lines: readonly CostLine[], currency: string | null): CostSums {
  const sums: CostSums = {
    ...{ llm: null, stt: null, tts: null, trunk: null, total: null, currency: null },
    isEstimated: lines.some(({ isEstimated }) => isEstimated),
    isPartial: lines.some(({ amount }) => amount === null),
  };
  for (const { kind, amount } of lines) if (amount !== null) sums[PART_OF[kind]] = (sums[PART_OF[kind]] ?? 0) + amount;
  for (const part of PARTS) if (sums[part] !== null) sums.total = (sums.total ?? 0) + sums[part];
  return sums.total === null ? sums : { ...sums, currency };
}
