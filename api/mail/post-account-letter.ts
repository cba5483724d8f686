// Posts a letter about an account to those who read its mails, each in their language.
import type { MailReader } from '../../db/queries/accounts/users.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { ACCOUNT_LETTERS, type AccountLetters } from './account-letters.ts';
import type { Letter } from './letters.ts';
import { mailLanguage } from './mail-language.ts';

/** `lifetimeMs`: it is not sent any more after that time. */
export async function postAccountLetter(
  { mail }: Pick<ApiContext, 'mail'>,
  tx: Db,
  readers: readonly MailReader[],
  written: (letters: AccountLetters) => Letter,
  lifetimeMs?: number,
): Promise<void> {
  for (const { email, language: stored } of readers) {
    const language = mailLanguage(stored) ?? 'en';
    await mail.post(tx, { to: email, language, ...written(ACCOUNT_LETTERS[language]) }, lifetimeMs);
  }
}
