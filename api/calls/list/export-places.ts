// Exports of a whole table take long and are read on the thread of all requests: a few of an account at once, piece by
// piece, and none for a client that does not read what it has.
import { finished, Readable } from 'node:stream';
import { retryLater } from '../../frame/errors.ts';
import { PlacesPerAccount } from '../../threads/places-per-account.ts';

const places = new PlacesPerAccount({
  what: 'exports',
  total: 8,
  perAccount: 2,
  full: () => retryLater('EXPORTS_BUSY', 'Too many tables are being exported', 5),
});

/** A slow line takes a piece of some 50 KB in seconds. */
const UNREAD_MAX_MS = 60_000;

/** The pieces as a stream that has a place until it was read or given up. @throws {ApiError} 429: there is none */
export function exportStream(accountId: string, pieces: AsyncIterable<string>): Readable {
  const leave = places.take(accountId);
  const stream = Readable.from(
    paced(pieces, () => stream.destroy(new Error('The client reads nothing of its export'))),
  );
  finished(stream, leave);
  return stream;
}

async function* paced(pieces: AsyncIterable<string>, onUnread: () => void): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const unread = setTimeout(onUnread, UNREAD_MAX_MS).unref();
    try {
      yield piece;
    } finally {
      clearTimeout(unread);
    }
    // The database answers at once: without this the next piece would come before all other requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
