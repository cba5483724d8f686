// The line between a simulated caller and the network: adds noise and echo to its voice; loses, delays and stalls
// packets.

interface LineOptions {
  /** Looped under all audio of the caller; null for a quiet room. */
  background: Int16Array | null;
  /** The heard audio returns into the caller's microphone. */
  echo: { gainDb: number; delayMs: number } | null;
  lossPercent: number;
  /** Each packet is late by 0 to this many ms. */
  jitterMs: number;
  /** 0..1; the same numbers cause the same losses. */
  random(): number;
}

const SAMPLES_PER_MS = 8;

export class Line {
  readonly #options: LineOptions;
  #backgroundAt = 0;
  /** Ring of heard audio: samples from `#read` to `#written` have not returned yet. */
  #echo: Int16Array;
  #written: number;
  #read = 0;
  #heldUntilMs = 0;
  readonly #overlays: Array<{ samples: Int16Array; at: number }> = [];
  #random: () => number;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#echo = new Int16Array(SAMPLES_PER_MS * 2_000);
    this.#written = (options.echo?.delayMs ?? 0) * SAMPLES_PER_MS;
  }

  /** Another sound over the caller's voice, from now on. */
  overlay(samples: Int16Array): void {
    this.#overlays.push({ samples, at: 0 });
  }

  /**
   * The room and the losses begin anew: with it at the start of each sentence, what is sent of the sentence does not
   * depend on when it is said.
   */
  beginAnew(random: () => number): void {
    this.#random = random;
    this.#backgroundAt = 0;
  }

  /** Takes the audio that the caller's telephone plays. */
  hear(samples: Int16Array): void {
    if (this.#options.echo === null) return;
    for (const sample of samples) this.#echo[this.#written++ % this.#echo.length] = sample;
  }

  /** Adds room and echo to a frame that is about to be sent. */
  mix(frame: Int16Array): void {
    const { background, echo } = this.#options;
    if (background !== null && background.length > 0) {
      for (let n = 0; n < frame.length; n++) {
        add(frame, n, background[this.#backgroundAt++ % background.length] ?? 0);
      }
    }
    for (const overlay of this.#overlays) {
      for (let n = 0; n < frame.length; n++) add(frame, n, overlay.samples[overlay.at++] ?? 0);
    }
    if (echo === null) return;
    const gain = 10 ** (echo.gainDb / 20);
    for (let n = 0; n < frame.length && this.#read < this.#written; n++) {
      add(frame, n, (this.#echo[this.#read % this.#echo.length] ?? 0) * gain);
      this.#echo[this.#read++ % this.#echo.length] = 0;
    }
  }

  /** Holds all packets for this time; then delivers them at once. */
  stall(ms: number): void {
    this.#heldUntilMs = performance.now() + ms;
  }

  /** Passes the packet to `deliver` now, later, or never. */
  carry(packet: Buffer, deliver: (packet: Buffer) => void): void {
    const { lossPercent, jitterMs } = this.#options;
    if (lossPercent > 0 && this.#random() * 100 < lossPercent) return;
    const nowMs = performance.now();
    const dueMs = Math.max(nowMs + jitterMs * this.#random(), this.#heldUntilMs);
    if (dueMs <= nowMs) deliver(packet);
    else setTimeout(() => deliver(packet), dueMs - nowMs);
  }
}

function add(frame: Int16Array, n: number, value: number): void {
  frame[n] = Math.max(-32_768, Math.min(32_767, Math.round((frame[n] ?? 0) + value)));
}
