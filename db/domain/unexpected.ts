// For values of unknown type: anything may be thrown, and a switch may meet a case of a later version.

/** The message of any thrown value, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Ends an exhaustive switch: it does not compile while a case is missing. @throws {Error} if one is met at run time */
export function unreachable(value: never): never {
  throw new Error(`unhandled ${JSON.stringify(value)}`);
}

/** The value as an object with unknown fields; an empty object if it is not an object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
