// A calendar that could not be read or written, in words for its owner. By itself: a thread that reads calendars needs
// nothing that asks servers.

/** `needsOwner`: trying again does not help; `retryAfterMs`: the other side asks for that much patience. */
export class CalendarFailed extends Error {
  override name = 'CalendarFailed';
  readonly needsOwner: boolean;
  readonly retryAfterMs: number;
  constructor(message: string, needsOwner = false, retryAfterMs = 0) {
    super(message);
    this.needsOwner = needsOwner;
    this.retryAfterMs = retryAfterMs;
  }
}
