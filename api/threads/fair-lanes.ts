// Work of the background that waits for tenants' own servers: so much of it at once in all, less of one account, and
// the account of which the least is under way is next. A slow server holds up what is its account's, and no run of a
// job waits for it.

interface Wish {
  /** Of what is worked on; never twice at once. */
  key: string;
  accountId: string;
}

interface Waiting extends Wish {
  work(): Promise<void>;
}

interface Options {
  total: number;
  perAccount: number;
}

export class FairLanes {
  readonly #options: Options;
  readonly #underWay = new Map<string, { accountId: string; work: Promise<void> }>();
  /** By account, in the order in which they had their latest turn; one entry for each account that ever had one. */
  readonly #turns = new Map<string, number>();
  #waiting: Waiting[] = [];
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins what has room, and the rest as room comes. In place of what waited before; `work` never throws. */
  offer<T extends Wish>(wishes: readonly T[], work: (wish: T) => Promise<void>): void {
    this.#waiting = wishes.map((wish) => ({ key: wish.key, accountId: wish.accountId, work: () => work(wish) }));
    this.#begin();
  }

  /** Drops all that waits; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#waiting = [];
    await this.settled();
  }

  /** Resolves when nothing is under way and nothing waits. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ work }) => work));
  }

  #begin(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { key, accountId, work } = next;
      this.#waiting = this.#waiting.filter((each) => each.key !== key);
      this.#turns.set(accountId, ++this.#turn);
      const done = work().finally(() => {
        this.#underWay.delete(key);
        this.#begin();
      });
      this.#underWay.set(key, { accountId, work: done });
    }
  }

  #next(): Waiting | undefined {
    const { total, perAccount } = this.#options;
    if (this.#underWay.size >= total) return undefined;
    const taken = new Map<string, number>();
    for (const { accountId } of this.#underWay.values()) taken.set(accountId, (taken.get(accountId) ?? 0) + 1);
    const of = ({ accountId }: Wish) => ({ own: taken.get(accountId) ?? 0, turn: this.#turns.get(accountId) ?? 0 });
    let best: Waiting | undefined;
    for (const wish of this.#waiting) {
      if (this.#underWay.has(wish.key) || of(wish).own >= perAccount) continue;
      const [one, other] = [of(wish), best && of(best)];
      if (other === undefined || one.own < other.own || (one.own === other.own && one.turn < other.turn)) best = wish;
    }
    return best;
  }
}
