// The service's faults of fields, which are made for programs, in a person's words and language. What is not here is
// shown as it is.
import { t, words } from '../words/words.ts';

const GONE = words('This is not there any more: choose another one.');
const FILL_IN = words('Please fill this in.');
const TWICE = words('stands there twice');

const SAID: Readonly<Record<string, string>> = {
  'is required': FILL_IN,
  'must not be empty': FILL_IN,
  'must not be blank': FILL_IN,
  'is missing': FILL_IN,
  'must be a valid URL': words('Write a whole address, which begins with https://'),
  'must be a valid e-mail address': words('Write a whole e-mail address.'),
  'must be an ISO-8601 time': words('Choose a date and a time.'),
  'must be a valid ISO-8601 time': words('Choose a date and a time.'),
  'must be an ISO-8601 date or time': words('Choose a date.'),
  'must be a valid ISO-8601 date': words('Choose a date.'),
  'must be a valid date, e.g. 2026-11-30': words('Choose a date.'),
  'must be an IANA time zone': words('Choose a time zone of the list.'),
  'must be an IANA zone name, e.g. America/New_York': words('Choose a time zone of the list.'),
  'must be a UUID': GONE,
  'names no softphone of this account': words('There is no softphone of this name.'),
  'must lie ahead': words('Choose a time that is still to come.'),
  'must not lie in the future': words('Choose a time that has passed.'),
  'must differ from start': words('Choose two different times.'),
  'must differ from open': words('Choose two different times.'),
  'must be a currency code of ISO 4217, e.g. EUR': words('Three letters, as EUR, USD or GBP.'),
  'must have at most two decimals': words('At most two decimals.'),
  'stands there twice': TWICE,
  'stands in the list twice': TWICE,
  'is named twice': TWICE,
  'is listed twice': TWICE,
  'is not valid': words('This is not right yet.'),
};

const LIKE: ReadonlyArray<[pattern: RegExp, text: string]> = [
  [/E\.164/, words('Write the number with its country code, as +44 20 7946 0123.')],
  [/^names no /, GONE],
  [
    /^the .* destinations /,
    words('Calls to this number are not allowed here. An administrator can allow its country.'),
  ],
  [/^must have at least (\d+) characters?$/, words('At least {number} characters.')],
  [/^must have at most (\d+) characters?$/, words('At most {number} characters.')],
  [/^must have at least (\d+) (?:item|field)s?$/, words('At least {number} of them.')],
  [/^must have at most (\d+) (?:item|field)s?$/, words('At most {number} of them.')],
  [/^must be (\S+) or more$/, words('{number} or more.')],
  [/^must be (\S+) or less$/, words('{number} or less.')],
  [/^must be more than (\S+)$/, words('More than {number}.')],
  [/^must be less than (\S+)$/, words('Less than {number}.')],
];

export function saidFault(message: string): string {
  const known = SAID[message];
  if (known !== undefined) return t(known);
  for (const [pattern, text] of LIKE) {
    const found = pattern.exec(message);
    if (found !== null) return t(text, { number: found[1] ?? '' });
  }
  return message;
}
