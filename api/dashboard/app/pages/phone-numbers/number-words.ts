// The types of phone numbers, and what can be done with them, in words.
import { formatWord } from '../../format.ts';
import { t, words } from '../../words/words.ts';

const WORDS: Readonly<Record<string, string>> = {
  local: words('Local'),
  mobile: words('Mobile'),
  toll_free: words('Toll free'),
  voice: words('Calls'),
  sms: words('Text messages'),
};

export const numberWords = (code: string): string => t(WORDS[code] ?? formatWord(code));
