// How long a number is that a caller keys in and nobody reads (docs/redaction.md).

export const SECRET_DIGITS_MAX = 24;
/** Of cards (ISO/IEC 7812-1). */
const CARD = { min: 13, max: 19 } as const;

/** As asked for; what is left out is filled in. */
export interface SecretDigits {
  minDigits?: number | undefined;
  maxDigits?: number | undefined;
  isCard?: boolean | undefined;
}

export interface SecretWish {
  minDigits: number;
  maxDigits: number;
  /** The last digit is a check digit, as of cards (ISO/IEC 7812-1). */
  hasCheckDigit: boolean;
}

/** Null: there is no such length. */
export function secretWish({ isCard = false, ...length }: SecretDigits): SecretWish | null {
  const { minDigits = isCard ? CARD.min : 1, maxDigits = isCard ? CARD.max : SECRET_DIGITS_MAX } = length;
  const isRange = [minDigits, maxDigits].every(Number.isInteger) && minDigits >= 1 && maxDigits <= SECRET_DIGITS_MAX;
  return isRange && minDigits <= maxDigits ? { minDigits, maxDigits, hasCheckDigit: isCard } : null;
}
