// Checks every call that a simulation dials, with its own version of the rules: wall clocks by Intl, limits and
// opt-outs by counting.
import assert from 'node:assert/strict';
import type { TrunkLimits } from '../../../bench/rig/rows/campaign-tables.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import { isOpenByWallClock, MINUTE, type Outcome, type Placed, windowOf } from './stage.ts';

/** A campaign's typical mix of outcomes, by lot. */
export const mixedOutcome = (lot: number): Outcome =>
  lot < 0.3
    ? 'answered'
    : lot < 0.5
      ? 'no_answer'
      : lot < 0.62
        ? 'busy'
        : lot < 0.7
          ? 'voicemail'
          : lot < 0.75
            ? 'declined'
            : lot < 0.8
              ? 'unallocated'
              : lot < 0.83
                ? 'opt_out'
                : lot < 0.86
                  ? 'network'
                  : 'no_answer';

interface RefereeOptions {
  campaigns: ReadonlyMap<string, CampaignTable>;
  trunks: ReadonlyMap<string, TrunkLimits>;
  /** By number: the zones where the window must be open. */
  zones: ReadonlyMap<string, readonly string[]>;
  /** `accountId number` of everyone who must not be called. */
  listed: ReadonlySet<string>;
  callsAtMost: number;
  /** False in runs with crashes, which forget how fast calls left. */
  isPaceHeld: boolean;
  /** Calls in progress, including the one being checked. */
  live(): readonly Placed[];
}

export class Referee {
  readonly attempts = new Map<string, Placed[]>();
  readonly #options: RefereeOptions;
  readonly #perTrunk = new Map<string, number[]>();

  constructor(options: RefereeOptions) {
    this.#options = options;
  }

  /** @throws AssertionError if the call must not have been placed */
  check(call: Placed): void {
    const { campaigns, zones, listed } = this.#options;
    const campaign = campaigns.get(call.campaignId);
    assert.ok(campaign);
    const window = windowOf(campaign);
    for (const zone of window.timezone ? [window.timezone] : (zones.get(call.toNumber) ?? [])) {
      assert.ok(
        isOpenByWallClock(window, zone, call.atMs),
        `${call.toNumber} is called outside of its window at ${new Date(call.atMs).toISOString()} (${zone})`,
      );
    }
    assert.ok(!listed.has(`${campaign.accountId} ${call.toNumber}`), 'a listed number is never dialled');
    const earlier = this.attempts.get(call.contactId) ?? [];
    this.attempts.set(call.contactId, [...earlier, call]);
    const last = earlier.at(-1);
    assert.ok(!last || call.atMs - last.atMs >= campaign.retryDelayMinutes * MINUTE, 'the retry delay is kept');
    assert.ok(earlier.length < campaign.maxAttempts, 'no more attempts than allowed');
    this.#checkLimits(call, campaign);
  }

  #checkLimits(call: Placed, campaign: CampaignTable): void {
    const { campaigns, trunks, callsAtMost, isPaceHeld } = this.#options;
    const live = this.#options.live();
    const sameNumber = live.filter(
      (other) => other.toNumber === call.toNumber && campaigns.get(other.campaignId)?.accountId === campaign.accountId,
    );
    assert.equal(sameNumber.length, 1, 'one call to a number');
    assert.ok(live.filter((other) => other.campaignId === campaign.id).length <= campaign.maxConcurrentCalls);
    assert.ok(live.length <= callsAtMost, 'room is kept for callers');
    const limits = trunks.get(call.trunkId);
    assert.ok(limits);
    assert.ok(live.filter((other) => other.trunkId === call.trunkId).length <= limits.maxConcurrentCalls);
    const times = this.#perTrunk.get(call.trunkId) ?? [];
    this.#perTrunk.set(call.trunkId, times);
    times.push(call.atMs);
    const second = times.slice(-200).filter((at) => at > call.atMs - 1_000);
    // The bucket's content plus its refill.
    if (isPaceHeld) assert.ok(second.length <= limits.callsPerSecond * 1.05 + 1, 'calls per second');
  }
}
