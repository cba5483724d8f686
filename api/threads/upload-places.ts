// Places for uploads under way, from before their bytes are read: each is a file on the disk, and later the memory of a
// thread. Slow senders of some accounts must not take those of all.
import { retryLater } from '../frame/errors.ts';
import { PlacesPerAccount } from './places-per-account.ts';

const uploads = new PlacesPerAccount({
  what: 'uploads',
  total: 64,
  perAccount: 2,
  full: () => retryLater('UPLOADS_BUSY', 'Too many files are being uploaded', 5),
});

/** @throws {ApiError} 429 before anything of the body was read */
export const withUploadPlace = <T>(accountId: string, work: () => Promise<T>): Promise<T> =>
  uploads.hold(accountId, work);
