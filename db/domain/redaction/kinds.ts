// What can be taken out of what is kept of calls.
export const REDACTED_KINDS = ['card', 'iban', 'ssn', 'phone', 'email', 'name'] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];
