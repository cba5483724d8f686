// Work that looks at what there is now: it never runs twice at once, and once more where it is asked for meanwhile.

/**
 * All who ask while it runs wait for its last run, and get the error of that one. So of two readers of a table the one
 * that began first never has the last word.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      await work().catch((error: unknown) => {
        if (!isAskedAgain) throw error;
      });
    } while (isAskedAgain);
  };
  return () => {
    if (running === null) {
      running = run().finally(() => {
        running = null;
      });
    } else isAskedAgain = true;
    return running;
  };
}
