// A caller that keeps a conversation up: speaks, listens, calls again when its call has ended, and notes how long it
// heard nothing around each kill of the engine.
import { Caller, pause } from '../rig/conversation/scenario.ts';

/** The floor as the caller sees it: an answer is due where the agent speaks, and where the caller waits for it. */
export const FLOORS = ['agent speaks', 'caller waits', 'caller speaks', 'nobody speaks'] as const;
type Floor = (typeof FLOORS)[number];

/** The audio that a caller hears from a moment on, at which the engine was killed or at which nothing happened. */
export interface Heard {
  floor: Floor;
  /** From that moment to the agent's next sound, ms; null if there was none in time. */
  silenceMs: number | null;
}

export interface Hole extends Heard {
  /** From the last packet before the kill to the first one after it, ms; null if none came. */
  gapMs: number | null;
  /** The call was still up when the next kill came, or the caller itself had hung up. */
  wentOn: boolean;
}

/** How long after a kill the agent may stay silent. */
const PATIENCE_MS = 15_000;
/** An agent that was heard so long ago may be between two words. */
const SPEAKING_MS = 400;
/** A caller who was not answered by then waits no longer. */
const WAITING_MS = 4_000;
/** A shorter time without a packet is the network's. */
const GAP_MS = 100;
/** The old engine's last packets are on their way when it is killed. */
const UNDERWAY_MS = 60;
/** The length of audio that a caller of flesh and blood notices; the newer frames are kept. */
const KEPT_FRAMES = 2_000;

export class Talker {
  readonly #address: string;
  readonly #clip: Int16Array;
  readonly #random: () => number;
  #index: number;
  #caller: Caller | null = null;
  #isStopped = false;
  #isSpeaking = false;
  #spokeAtMs = 0;
  /** Calls that the far side has ended. */
  cut = 0;
  placed = 0;
  failedToPlace = 0;

  constructor(address: string, index: number, clip: Int16Array, random: () => number) {
    this.#address = address;
    this.#index = index;
    this.#clip = clip;
    this.#random = random;
  }

  /** Established, and not hanging up. */
  get isUp(): boolean {
    return this.#caller?.call.answeredAtMs != null && !this.#caller.ended;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const caller = new Caller(this.#address, this.#index++ % 9_000);
      try {
        await caller.answered();
        this.placed++;
        this.#caller = caller;
        await this.#talk(caller);
      } catch {
        if (caller.call.answeredAtMs === null) this.failedToPlace++;
      }
      this.#caller = null;
      caller.call.close();
      await pause(200 + this.#random() * 400);
    }
  }

  async #talk(caller: Caller): Promise<void> {
    while (!caller.ended) {
      await pause(2_000 + this.#random() * 6_000);
      if (caller.frames.length > 2 * KEPT_FRAMES) caller.frames.splice(0, caller.frames.length - KEPT_FRAMES);
      if (caller.ended) return;
      this.#isSpeaking = true;
      await caller.call.speak(this.#clip);
      this.#isSpeaking = false;
      this.#spokeAtMs = performance.now();
    }
  }

  #floor(caller: Caller): Floor {
    const nowMs = performance.now();
    if (this.#isSpeaking) return 'caller speaks';
    const soundAtMs = caller.frames.findLast(({ isSound }) => isSound)?.atMs ?? 0;
    if (nowMs - soundAtMs < SPEAKING_MS) return 'agent speaks';
    const isUnanswered = soundAtMs < this.#spokeAtMs && nowMs - this.#spokeAtMs < WAITING_MS;
    return isUnanswered ? 'caller waits' : 'nobody speaks';
  }

  /** The caller hangs up now, whoever listens. */
  hangUp(): void {
    this.#caller?.call.hangUp();
  }

  stop(): void {
    this.#isStopped = true;
    this.hangUp();
  }

  /** The longest time without a packet since then, ms; null without an established call, or if it was cut. */
  async longestGap(whileRunning: Promise<unknown>): Promise<number | null> {
    const caller = this.#caller;
    if (caller === null || !this.isUp) return null;
    const fromMs = performance.now();
    await whileRunning;
    if (caller.wasCut) this.cut++;
    const times = caller.frames.flatMap(({ atMs }) => (atMs >= fromMs ? [atMs] : []));
    return caller.ended ? null : Math.max(0, ...times.map((atMs, at) => atMs - (times[at - 1] ?? atMs)));
  }

  /** How long the agent is silent from now on, though nothing happens; null without an established call. */
  async noticeNothing(): Promise<Heard | null> {
    const caller = this.#caller;
    if (caller === null || !this.isUp) return null;
    const [fromMs, floor] = [performance.now(), this.#floor(caller)];
    while (performance.now() < fromMs + PATIENCE_MS && !caller.ended) {
      await pause(20);
      const sound = caller.frames.find(({ isSound, atMs }) => isSound && atMs >= fromMs);
      if (sound) return { floor, silenceMs: sound.atMs - fromMs };
    }
    return { floor, silenceMs: null };
  }

  /** The hole that this caller notices of a kill that happens now; null if it has no established call. */
  async noticeKill(): Promise<Hole | null> {
    const caller = this.#caller;
    if (caller === null || !this.isUp) return null;
    const killedAtMs = performance.now();
    const lastAtMs = caller.frames.at(-1)?.atMs ?? killedAtMs;
    const found: Hole = { floor: this.#floor(caller), gapMs: null, silenceMs: null, wentOn: false };
    const until = killedAtMs + PATIENCE_MS;
    const settledAtMs = lastAtMs + UNDERWAY_MS;
    while (performance.now() < until && !caller.ended && found.silenceMs === null) {
      await pause(20);
      const after = caller.frames.findLast((frame, at) => {
        const before = caller.frames[at - 1];
        return frame.atMs > settledAtMs && before !== undefined && frame.atMs - before.atMs > GAP_MS;
      });
      if (after === undefined) continue;
      const before = caller.frames[caller.frames.indexOf(after) - 1];
      found.gapMs ??= after.atMs - (before?.atMs ?? lastAtMs);
      const sound = caller.frames.find((frame) => frame.isSound && frame.atMs >= after.atMs);
      if (sound) found.silenceMs = sound.atMs - killedAtMs;
    }
    found.wentOn = !caller.ended;
    if (caller.wasCut) this.cut++;
    return found;
  }
}
