// When which file of several kinds begins. Each needs a share of the machine, and begins, in order, once its share is
// free: while the last files of one kind wait for the wire, the first ones of the next begin.

/** Shares are fractions such as a third, whose sum need not be exactly 1. */
const ROUNDING = 1e-6;

/** Runs all, each as soon as those before it have begun and its share is free; a share above 1 runs alone. */
export function inTurn<Work extends { share: number }>(
  works: readonly Work[],
  run: (work: Work) => Promise<void>,
): Promise<void> {
  const waiting = [...works];
  let running = 0;
  let free = 1;
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      if (waiting.length === 0 && running === 0) return resolve();
      for (;;) {
        const [next] = waiting;
        if (next === undefined || (running > 0 && next.share > free + ROUNDING)) return;
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
    begin();
  });
}
