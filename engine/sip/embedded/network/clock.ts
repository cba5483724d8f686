// Time as the user agent sees it. All timers of SIP run on this interface, so that a test moves 32 seconds in no time.

export interface Clock {
  nowMs(): number;
  /** Fires once after `delayMs`; the returned function takes it back, at any time and as often as one likes. */
  after(delayMs: number, fire: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
