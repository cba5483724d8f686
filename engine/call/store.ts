// Database reads of a running call: bookings, passages of documents, hold music, and the next state of its contact.
import { bookingTries } from '../../db/queries/businesses/booking-tries.ts';
import { holdMusicSamples } from '../../db/queries/businesses/hold-music.ts';
import { searchPassages } from '../../db/queries/knowledge/search.ts';
import { listTaken } from '../../db/rules/booking.ts';
import { appointmentsOfCaller } from '../../db/rules/rebooking.ts';
import type { Db } from '../../db/schema.ts';
import { PASSAGES_IN_A_TURN } from '../../models/knowledge/passages-in-a-turn.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import type { CallStore } from './context.ts';

function sharedSamples(bytes: Buffer): Int16Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return new Int16Array(shared.buffer, 0, bytes.length >> 1);
}

/** `vectorOf`: null where no server makes vectors. */
export function createCallStore(read: Db, vectorOf: CallStore['vectorOf'] | null): CallStore {
  return {
    listTaken: (accountId, range) => listTaken(read, accountId, range),
    bookingTries: (of) => bookingTries(read, of),
    appointmentsOfCaller: (proof) => appointmentsOfCaller(read, proof),
    searchPassages: (accountId, of) => searchPassages(read, { accountId, ...of, limit: PASSAGES_IN_A_TURN }),
    async holdMusic(accountId, businessId) {
      const samples = await holdMusicSamples(read, accountId, businessId);
      // Shared: it goes to another thread without a copy.
      return samples && sharedSamples(samples);
    },
    ...(vectorOf ? { vectorOf } : {}),
    contactAfterAttempt: (contactId, end) => contactAfterAttempt(read, contactId, end),
  };
}
