// When which file of several kinds begins. Each needs a share of the machine, and begins, in order, once its share is
// free: while the last files of one kind wait for the wire, the first ones of the next begin.

export interface Work {
  /** Of the machine. Above 1 it runs alone. */
  share: number;
  /** Beside fewer works than that it begins however busy the machine is. */
  sure: number;
}

/** Shares are fractions such as a third, whose sum need not be exactly 1. */
const ROUNDING = 1e-6;

/**
 * Runs all, each as soon as those before it have begun, its share is free, and the machine has room or few others run.
 *
 * @param hasRoom is asked again after each `pause`
 */
export function inTurn<Each extends Work>(
  works: readonly Each[],
  run: (work: Each) => Promise<void>,
  hasRoom: () => boolean,
  pause: () => Promise<void>,
): Promise<void> {
  const waiting = [...works];
  let running = 0;
  let free = 1;
  let isPausing = false;
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      if (waiting.length === 0 && running === 0) return resolve();
      for (;;) {
        const [next] = waiting;
        if (next === undefined || (running > 0 && next.share > free + ROUNDING)) return;
        if (running >= next.sure && !hasRoom()) return askLater();
        waiting.shift();
        running++;
        free -= next.share;
        run(next).then(() => {
          running--;
          free += next.share;
          begin();
        }, reject);
      }
    };
    const askLater = (): void => {
      if (isPausing) return;
      isPausing = true;
      pause().then(() => {
        isPausing = false;
        begin();
      }, reject);
    };
    begin();
  });
}
