// Decides whether a row of digits is a card, an account or a person's number: lengths, prefixes and check digits.

const sumOf = (digits: string, weight: (index: number) => number): number =>
  [...digits].reduce((sum, digit, index) => sum + Number(digit) * weight(index), 0);

/** Check digit of ISO/IEC 7812-1, Annex B. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Issuers' prefixes with the lengths of their numbers. */
const NETWORKS: ReadonlyArray<readonly [prefix: RegExp, lengths: readonly number[]]> = [
  [/^4/, [13, 16, 19]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(6011|64[4-9]|65)/, [16, 19]],
  [/^(30[0-5]|36|38|39)/, [14, 16]],
  [/^35(2[89]|[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(50|5[6-9]|6)/, [16, 18, 19]],
];

export const CARD_DIGITS = { min: 13, max: 19 } as const;

export const isCard = (digits: string): boolean =>
  NETWORKS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) &&
  !/^(\d)\1+$/.test(digits) &&
  isLuhn(digits);

/** Lengths by country, of the registry of ISO 13616. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 MD24 ' +
    'ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** How many characters an IBAN of this country has; null: it has none. `text` begins with the country. */
export const ibanLength = (text: string): number | null => IBAN_LENGTHS[text.slice(0, 2).toUpperCase()] ?? null;

/** Check digits of ISO 7064, MOD 97-10. */
export function isIban(text: string): boolean {
  const plain = text.toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(plain) || plain.length !== ibanLength(plain)) return false;
  return mod97(plain.slice(4) + plain.slice(0, 4)) === 1;
}

function mod97(text: string): number {
  let rest = 0;
  for (const char of text) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** A number of social security or of tax. `needs`: it is one only after such a word, as any digits would be. */
interface PersonNumber {
  form: RegExp;
  isRight(text: string): boolean;
  needs: RegExp | null;
}

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const CPF_DIGIT = (digits: string): number => {
  const rest = (sumOf(digits, (i) => digits.length + 1 - i) * 10) % 11;
  return rest === 10 ? 0 : rest;
};

/** ISO 7064, MOD 11,10. */
function isMod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

const CF_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
function isCodiceFiscale(text: string): boolean {
  const codeOf = (char: string): number => (/\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65);
  const sum = [...text.slice(0, 15)].reduce(
    (all, char, i) => all + (i % 2 === 0 ? (CF_ODD[codeOf(char)] ?? 0) : codeOf(char)),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

/** Upper case, without separators. */
const PERSON_NUMBERS: readonly PersonNumber[] = [
  // United States: no area 000, 666 or 9xx, no group 00, no serial number 0000.
  {
    form: /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/,
    isRight: () => true,
    needs: /\b(social security|social|ssn|tax id)\b/,
  },
  // United Kingdom.
  {
    form: /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/,
    isRight: () => true,
    needs: null,
  },
  // France: numéro de sécurité sociale with its key.
  {
    form: /^[12]\d{14}$/,
    isRight: (text) => 97 - Number(BigInt(text.slice(0, 13)) % 97n) === Number(text.slice(13)),
    needs: null,
  },
  // Spain: DNI and NIE.
  {
    form: /^[XYZ]?\d{7,8}[A-Z]$/,
    isRight: (text) => {
      const digits = text.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
      return digits.length === 8 && DNI_LETTERS[Number(digits) % 23] === text.at(-1);
    },
    needs: /\b(dni|nie|nif|documento|identidad)\b/,
  },
  // Italy: codice fiscale.
  { form: /^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/, isRight: isCodiceFiscale, needs: null },
  // Netherlands: burgerservicenummer.
  {
    form: /^\d{9}$/,
    isRight: (text) => sumOf(text, (i) => (i === 8 ? -1 : 9 - i)) % 11 === 0,
    needs: /\b(bsn|burgerservicenummer|sofinummer|service nummer|servicenummer)\b/,
  },
  // Portugal: número de contribuinte, and Brazil: CPF.
  {
    form: /^[1-35689]\d{8}$/,
    isRight: (text) => {
      const rest = sumOf(text.slice(0, 8), (i) => 9 - i) % 11;
      return (rest < 2 ? 0 : 11 - rest) === Number(text[8]);
    },
    needs: /\b(nif|contribuinte|fiscal)\b/,
  },
  {
    form: /^(?!(\d)\1{10})\d{11}$/,
    isRight: (text) =>
      CPF_DIGIT(text.slice(0, 9)) === Number(text[9]) && CPF_DIGIT(text.slice(0, 10)) === Number(text[10]),
    needs: /\bcpf\b/,
  },
  // Germany: Steuer-Identifikationsnummer, Versicherungsnummer of the pension insurance.
  {
    form: /^[1-9]\d{10}$/,
    isRight: isMod1110,
    needs: /\b(steuer\w*|identifikationsnummer|idnr|steuer id)\b/,
  },
  {
    form: /^\d{8}[A-Z]\d{3}$/,
    isRight: (text) => {
      const letter = String(text.charCodeAt(8) - 64).padStart(2, '0');
      const digits = text.slice(0, 8) + letter + text.slice(9, 11);
      const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
      const sum = [...digits].reduce((all, digit, i) => {
        const product = Number(digit) * (weights[i] ?? 0);
        return all + Math.floor(product / 10) + (product % 10);
      }, 0);
      return sum % 10 === Number(text[11]);
    },
    needs: /\b(\w*versicherungs?\w*|rente\w*)\b/,
  },
];

/** The lengths that such numbers have. */
export const PERSON_NUMBER_LENGTHS = [16, 15, 12, 11, 9, 8] as const;

/**
 * Whether it is somebody's number of social security or tax. `before`: what was said just before it, in lower case and
 * without marks; `isFormatted`: it was written as such numbers are, 123-45-6789,
 * 12345678Z.
 */
export const isPersonNumber = (text: string, before: string, isFormatted: boolean): boolean =>
  PERSON_NUMBERS.some(
    ({ form, isRight, needs }) =>
      form.test(text) && isRight(text) && (needs === null || isFormatted || needs.test(before)),
  );
