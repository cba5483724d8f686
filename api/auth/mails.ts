// The mails of registration, invitation and password reset; their texts are in api/mail/letters.ts.
import { filled, LETTERS } from '../mail/letters.ts';
import type { Mail } from '../mail/mail.ts';
import type { MailLanguage } from '../mail/mail-language.ts';

export const verificationMail = (to: string, language: MailLanguage, publicUrl: string, token: string): Mail => {
  const url = `${publicUrl}/verify-email?token=${token}`;
  return { to, language, ...filled(LETTERS[language].verification, { url }) };
};

const NAME_LENGTH_MAX = 60;

/**
 * A name chosen by the sender, for a mail to a stranger: short, on one line, and without characters that a mail program
 * turns into a link (a dot, a slash, a colon or an @ inside a word).
 */
function quotedName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}&'’,()+. -]/gu, ' ')
    .replace(/\.(?=\S)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, NAME_LENGTH_MAX).join('').trim() || 'a voice service';
}

export const invitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/accept-invite?token=${token}`;

export function invitationMail(
  to: string,
  language: MailLanguage,
  { publicUrl, token, accountName }: { publicUrl: string; token: string; accountName: string },
): Mail {
  const values = { account: quotedName(accountName), url: invitationUrl(publicUrl, token) };
  return { to, language, ...filled(LETTERS[language].invitation, values) };
}

export const resetMail = (to: string, language: MailLanguage, code: string): Mail => ({
  ...{ to, language },
  ...filled(LETTERS[language].reset, { code }),
});
