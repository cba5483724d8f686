// A password that nobody chose: of the first ADMIN, of a user whom the command line adds, of a softphone.
import { randomInt } from 'node:crypto';

/** No similar characters: people copy the password from a terminal. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 20;

export const generatePassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join('');
