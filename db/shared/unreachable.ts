// Ends an exhaustive switch: an unhandled value does not compile, and throws if it came from outside the types.

export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
