// The kinds of private data that can be taken out of stored calls.
export const REDACTED_KINDS = ['card', 'iban', 'ssn', 'phone', 'email', 'name'] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];
