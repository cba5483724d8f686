// Addresses that others are put after, as people write them: with slashes at their end or without.

/** In time that is linear in the text's length, however many slashes it has. */
export const withoutTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
