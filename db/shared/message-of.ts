// Anything can be thrown; logs and answers want a text.

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
