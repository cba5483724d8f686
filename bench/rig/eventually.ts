/** Waits for the effects of sockets, ports and threads by a count of looks, so that a slow machine fails no test. */

/** A minute or more, by how long a look takes: what has not come by then does not come. */
const LOOKS_MAX = 12_000;

type Found<T> = Exclude<T, false | null | undefined>;

/** Looks every 5 ms until the look finds something, and returns it. @throws Error that names `what` if it never does */
export async function eventually<T>(look: () => Promise<T> | T, what = String(look)): Promise<Found<T>> {
  for (let looks = 0; looks <= LOOKS_MAX; looks++) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found as Found<T>;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited in vain: ${what}`);
}

/** In each the event loop looks at its sockets and ports; what was sent within this process arrives in a few. */
const TURNS = 50;

/**
 * Lets what is under way in this process come to rest: packets on the loopback, messages between ports, and what
 * follows from them. It counts turns of the event loop, not time, and so takes as long as a busy machine needs.
 */
export async function comesToRest(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
