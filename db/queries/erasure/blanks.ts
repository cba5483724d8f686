// JSON without what names a person, of the same length in bytes, so that SQLite writes it in the same place. Pure.

const ANALYSIS_BLANKS: Record<string, unknown> = { data: {}, reasons: {}, disposition: null };
const CALL_BLANKS = {
  analysis: null,
  disposition: null,
  fromNumber: '',
  toNumber: '',
  forwardedFrom: null,
  callerName: null,
  summary: null,
  tags: [],
  transcript: [],
  variables: {},
  metadata: {},
};
const CONTACT_BLANKS = { phoneNumber: '', name: null, email: null, variables: {}, metadata: {} };
const MESSAGE_BLANKS = { text: '', from: null, to: null };
export const APPOINTMENT_BLANKS = { name: null, phone: null, notes: null };

export type Blanks = (value: Record<string, unknown>) => Readonly<Record<string, unknown>>;

/** JSON without personal data, by default that of calls and appointments, of the same length in bytes. */
export function blanked(text: string, blank: Blanks = blanksOf): string {
  let value: unknown = {};
  try {
    value = blankedValue(JSON.parse(text), blank);
  } catch {
    // Not JSON: all of it is erased.
  }
  return padded(JSON.stringify(value), Buffer.byteLength(text));
}

/** White space after JSON means nothing. */
export const padded = (json: string, bytes: number): string =>
  json + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(json)));

function blankedValue(value: unknown, blank: Blanks): unknown {
  if (Array.isArray(value)) return value.map((item) => blankedValue(item, blank));
  if (value === null || typeof value !== 'object') return value;
  const blanks = blank(value as Record<string, unknown>);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name in blanks ? blanks[name] : blankedValue(item, blank)]),
  );
}

/** Of calls, messages, appointments, contacts and results. */
export function blanksOf(value: Record<string, unknown>): Readonly<Record<string, unknown>> {
  if ('transcript' in value) return CALL_BLANKS;
  if ('conversationId' in value && 'segments' in value) return MESSAGE_BLANKS;
  if ('startsAt' in value) return APPOINTMENT_BLANKS;
  if ('attempts' in value && 'nextAttemptAt' in value) return CONTACT_BLANKS;
  return 'analysedAt' in value ? ANALYSIS_BLANKS : {};
}
