// What code does with values that it cannot know: anything may be thrown, and a switch may meet a case of a later version.

/** What an error says, for logs; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Ends an exhaustive switch: the compiler sees that no case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unhandled ${JSON.stringify(value)}`);
}
