// The mails of registration, invitation and password reset; their texts are in api/mail/letters.ts.
import { filled, LETTERS } from '../mail/letters.ts';
import type { Mail } from '../mail/mail.ts';
import type { MailLanguage } from '../mail/mail-language.ts';
import { quotedName } from '../mail/quoted-name.ts';

export const verificationMail = (to: string, language: MailLanguage, publicUrl: string, token: string): Mail => {
  const url = `${publicUrl}/verify-email?token=${token}`;
  return { to, language, ...filled(LETTERS[language].verification, { url }) };
};

export const invitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/accept-invite?token=${token}`;

export function invitationMail(
  to: string,
  language: MailLanguage,
  { publicUrl, token, accountName }: { publicUrl: string; token: string; accountName: string },
): Mail {
  const values = { account: quotedName(accountName) || 'a voice service', url: invitationUrl(publicUrl, token) };
  return { to, language, ...filled(LETTERS[language].invitation, values) };
}

export const resetMail = (to: string, language: MailLanguage, code: string): Mail => ({
  ...{ to, language },
  ...filled(LETTERS[language].reset, { code }),
});
