/** Runs jobs side by side, up to `most` at a time; those of one lane in the order of their arrival. */
export class OrderedJobs {
  readonly #most: number;
  /** The jobs of each lane that has any; the first may be running. */
  readonly #lanes = new Map<string, Array<() => Promise<void>>>();
  readonly #ready: string[] = [];
  #running = 0;
  #whenIdle: Array<() => void> = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** `job` reports its own faults. */
  add(lane: string, job: () => Promise<void>): void {
    const jobs = this.#lanes.get(lane);
    if (jobs !== undefined) {
      jobs.push(job);
      return;
    }
    this.#lanes.set(lane, [job]);
    this.#ready.push(lane);
    this.#run();
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    if (this.#lanes.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  #run(): void {
    while (this.#running < this.#most) {
      const lane = this.#ready.shift();
      if (lane === undefined) return;
      this.#running++;
      void this.#runFirst(lane);
    }
  }

  async #runFirst(lane: string): Promise<void> {
    const jobs = this.#lanes.get(lane) ?? [];
    try {
      await jobs[0]?.();
    } finally {
      this.#running--;
      jobs.shift();
      if (jobs.length > 0) this.#ready.push(lane);
      else this.#lanes.delete(lane);
      this.#run();
      if (this.#lanes.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }
}
