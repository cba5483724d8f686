// Ends an exhaustive switch: a value that no case takes does not compile, and throws where it came from outside the types.

export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
