// The texts of the mails of registration, invitation and password reset.
import type { Mail } from '../mail/mail.ts';

export const verificationMail = (to: string, publicUrl: string, token: string): Mail => ({
  to,
  subject: 'Verify your e-mail address',
  text: `Welcome.

Please verify your e-mail address by opening this link within 24 hours:

${publicUrl}/verify-email?token=${token}

If you did not register, ignore this mail.
`,
});

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

export const invitationMail = (to: string, publicUrl: string, token: string, accountName: string): Mail => ({
  to,
  subject: `You are invited to ${quotedName(accountName)}`,
  text: `You are invited to the account "${quotedName(accountName)}".

Open this link within 7 days to set your password:

${invitationUrl(publicUrl, token)}
`,
});

export const resetMail = (to: string, code: string): Mail => ({
  to,
  subject: 'Your password reset code',
  text: `Your code to reset the password is

${code}

It is good for 15 minutes. If you did not ask for it, ignore this mail: your password is unchanged.
`,
});
