/** A key for one intent: its request can be repeated and is done once. `randomUUID` is not there on plain http. */
export const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
