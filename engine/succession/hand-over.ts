// The old engine's side of an upgrade: it waits for a moment in which its calls can change hands, leaves them without a
// word on their lines, and ends. The new engine, which has everything loaded, goes on with them by the journal.
import type { Logger } from 'pino';
import { type Clock, sleep } from '../clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { ShardPool } from '../shard/pool.ts';
import type { Telephony } from '../sip/telephony.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';

const LOOK_EVERY_MS = 40;
/** Longest wait for a moment in which nobody speaks to an agent and no reply is being generated. */
const BEST_MS = 5_000;
/** Longest wait for a moment in which no reply is being generated. */
const GOOD_MS = 10_000;
/**
 * Longest wait for calls that nobody else can go on with: they wait for their trunk, ring over a connection, or hunt.
 */
const PATIENCE_MS = 60_000;

export interface HandOverDeps {
  switchboard: Pick<Switchboard, 'handOverMoments' | 'leave'>;
  shards: Pick<ShardPool, 'leave'>;
  journal: Pick<Journal, 'handOver'>;
  telephony: Pick<Telephony, 'leave'>;
  clock: Clock;
  log: Logger;
}

/** Null once the moment has come; otherwise why the calls cannot change hands. */
export async function awaitMoment({ switchboard, telephony, clock }: HandOverDeps): Promise<string | null> {
  if (telephony.leave === undefined) return 'calls through drachtio end with their engine: stop it, and it drains';
  const beganAtMs = clock.monotonicMs();
  for (;;) {
    const { hearing, busy, never } = switchboard.handOverMoments();
    const waitedMs = clock.monotonicMs() - beganAtMs;
    const isGood = busy === 0 || waitedMs > GOOD_MS;
    if (never === 0 && isGood && (hearing === 0 || waitedMs > BEST_MS)) return null;
    if (waitedMs > PATIENCE_MS)
      return `${never} calls cannot change hands: they wait for a trunk, ring over TCP or TLS, or look for a person: try again`;
    await sleep(clock, LOOK_EVERY_MS);
  }
}

/** Afterwards nothing of this process is on any line. */
export async function leaveCalls({ switchboard, shards, journal, telephony, log }: HandOverDeps): Promise<void> {
  switchboard.leave();
  // The peer retransmits whatever arrives from now on, above all answers, and the new engine receives it.
  telephony.leave?.();
  await shards.leave();
  await journal.handOver();
  log.info('the calls are left to the new engine');
}
