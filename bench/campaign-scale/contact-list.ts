// Contacts for `npm run bench -- campaign-scale`: realistic numbers in random order, because a list sorted by number
// would spare the database's indexes most of their work.

const AREA_CODES = [212, 310, 312, 404, 415, 503, 512, 602, 617, 702, 713, 720, 813, 818, 919, 972];
/** NXX-XXXX with NXX from 200 on. */
const NUMBERS_PER_AREA = 8_000_000;
/** Coprime to the count of all numbers, so that no number occurs twice. */
const STEP = 7_368_787;

export function phoneNumberOf(n: number): string {
  const scattered = (n * STEP) % (AREA_CODES.length * NUMBERS_PER_AREA);
  const area = AREA_CODES[Math.floor(scattered / NUMBERS_PER_AREA)];
  return `+1${area}${2_000_000 + (scattered % NUMBERS_PER_AREA)}`;
}

/** A contact in a client's request. */
const contactOf = (n: number) => ({
  phoneNumber: phoneNumberOf(n),
  name: `Contact ${n}`,
  email: `contact${n}@example.com`,
  variables: { firstName: 'Ada', dueDate: 'May 3' },
  metadata: { crmId: String(n) },
});

export const batchBody = (batch: number, contacts: number): string =>
  JSON.stringify({ contacts: Array.from({ length: contacts }, (_, i) => contactOf(batch * contacts + i)) });
