// Time-based one-time passwords (RFC 6238: SHA-1, 6 digits, 30 s, one step either side) and recovery codes. The secret
// is stored sealed, because the check of a code needs its plaintext.
import { randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';

const STEP_SECONDS = 30;
const ISSUER = 'Voice Calling Service';

export const newTotpSecret = (): string => generateSecret({ length: 20 });

export const otpauthUrl = (email: string, secret: string): string =>
  generateURI({ issuer: ISSUER, label: email, secret });

/** The 30 s step of the code; null if it is not one of the three around `nowMs`. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    strategy: 'totp',
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

export const sealTotpSecret = (key: Buffer, userId: string, secret: string): string =>
  seal(key, `totp:${userId}`, secret);

export const unsealTotpSecret = (key: Buffer, userId: string, box: string): string =>
  unseal(key, `totp:${userId}`, box);

/** No vowels, so no words; no characters that look alike. */
const LETTERS = '23456789bcdfghjkmnpqrstvwxz';
const RECOVERY_CODES = 10;

/** Ten codes such as `k7x2m-q9tzc`: 47 bits each, and few tries to guess them. */
export function newRecoveryCodes(): string[] {
  const part = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: RECOVERY_CODES }, () => `${part()}-${part()}`);
}

/** Normalises typed codes: any case, with or without blanks and dash. */
export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');
