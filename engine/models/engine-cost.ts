// The cost of an engine on this machine: as it was measured, as it declares, or, where its server runs on this machine,
// about what Whisper base and Piper cost behind such a server.
import type { EngineFactor } from '../../db/domain/calls/limit.ts';
import { bareHost, isLoopback } from '../../db/shared/net/address-rules.ts';
import { assumedFactor } from '../../models/install/catalogue.ts';
import { vendorOf } from '../../models/vendors/vendors.ts';

/**
 * Seconds of a core for a second of audio. Whisper base, which hears whole turns, answered two calls at once in time on
 * two cores (docs/local-engines.md); a voice is given half of that.
 */
const SERVED_FACTORS = { stt: 0.6, tts: 0.3 };

interface CostingEngine {
  engine: string;
  /** As measured; null: not yet. */
  factor: number | null;
  environment: Record<string, string | undefined>;
  description: { realTimeFactor?: number | undefined };
}

export function engineFactor(kind: 'stt' | 'tts', costing: CostingEngine): EngineFactor {
  const { engine, factor, description } = costing;
  if (factor !== null) return { engine, factor, source: 'measured' };
  const declared = assumedFactor(kind, engine, description.realTimeFactor);
  const assumed = declared === 0 && isServedHere(kind, costing) ? SERVED_FACTORS[kind] : declared;
  return { engine, factor: assumed, source: assumed > 0 ? 'assumed' : 'elsewhere' };
}

/** Whether a server on this machine does the engine's work: a trial in our own threads would not see what it takes. */
export function isServedHere(
  kind: 'stt' | 'tts',
  { engine, environment }: Pick<CostingEngine, 'engine' | 'environment'>,
): boolean {
  const vendor = vendorOf(kind, engine, environment);
  return vendor !== null && isLoopback(bareHost(new URL(vendor.baseUrl)));
}
