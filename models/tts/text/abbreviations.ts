// English abbreviations that agents write and people say in full: a voice says "Dec 3" as "deck three", spells "Ltd"
// and reads "ext 12" as a word.

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const DAYS: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};
const MONTH = '(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)t?';
const BEFORE_FIGURES = new RegExp(`\\b${MONTH}\\b\\.?(?= (?:\\d{1,2}|(?:19|20)\\d{2})(?!\\d))`, 'g');
const BEHIND_DAY = new RegExp(`(?<=\\b\\d{1,2}(?:st|nd|rd|th)? )${MONTH}\\b\\.?`, 'g');
/** "Sat" and "Sun" are words; before a date they are days. */
const DAY_OF_DATE = new RegExp(
  `\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs)?\\b\\.?(?=,? (?:the )?(?:${MONTHS.join('|')}|\\d{1,2}(?:st|nd|rd|th) ?))`,
  'g',
);
/** Behind a number and a street's name. */
const onStreet = (written: string): RegExp =>
  new RegExp(String.raw`(?<=\d\w{0,9} (?:\w{1,30} ){1,5})${written}\.?(?=[\s,.]|$)`, 'g');
/** "Dr" before a name is a doctor, "Ct" and "Pl" may be something else in the middle of a sentence. */
const endOfStreet = (written: string): RegExp =>
  new RegExp(String.raw`(?<=\d\w{0,9} (?:[A-Z]\w{0,30} ){1,5})${written}\.?(?=,|$)`, 'g');

const ABBREVIATIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\be\.g\.,?/gi, 'for example'],
  [/\bi\.e\.,?/gi, 'that is'],
  [/\betc\./gi, 'et cetera'],
  [/\bappt\b\.?/gi, 'appointment'],
  [/\bmins?\b\.?/gi, 'minutes'],
  [/\bhrs?\b\.?/gi, 'hours'],
  [/\b[Ee]xt\b\.?(?= ?\d)/g, 'extension'],
  [/\b[Dd]ept\b\.?/g, 'department'],
  [/\bLtd\b\.?/g, 'Limited'],
  [/\bHwy\b\.?/g, 'Highway'],
  [/\bPkwy\b\.?/g, 'Parkway'],
  [/\bApt\b\.?(?= ?[\dA-Z#])/g, 'Apartment'],
  [/\bSte\b\.?(?= ?[\d#])/g, 'Suite'],
  [/\bMt\b\.?(?= [A-Z])/g, 'Mount'],
  [/\bFt\b\.?(?= [A-Z])/g, 'Fort'],
  [/\bSgt\b\.?(?= [A-Z])/g, 'Sergeant'],
  [/\bDr\.(?=\s+[A-Z])/g, 'Doctor'],
  [/\bMr\.(?=\s)/g, 'Mister'],
  [/\bMrs\.(?=\s)/g, 'Missus'],
  [onStreet('St'), 'Street'],
  [onStreet('Ave'), 'Avenue'],
  [onStreet('Blvd'), 'Boulevard'],
  [onStreet('Rd'), 'Road'],
  [onStreet('Ln'), 'Lane'],
  [endOfStreet('Dr'), 'Drive'],
  [endOfStreet('Ct'), 'Court'],
  [endOfStreet('Pl'), 'Place'],
  [endOfStreet('Sq'), 'Square'],
];

/** Writes abbreviations as they are said, but for those of dates. */
export const inFull = (text: string): string =>
  ABBREVIATIONS.reduce((said, [written, spoken]) => said.replace(written, spoken), text);

const monthOf = (all: string, beginning: string): string => MONTHS.find((month) => month.startsWith(beginning)) ?? all;

/** Writes the months and days of dates in full: "Thu, Dec 3", "3 Sept". */
export const datesInFull = (text: string): string =>
  text
    .replace(BEFORE_FIGURES, monthOf)
    .replace(BEHIND_DAY, monthOf)
    .replace(DAY_OF_DATE, (all, day: string) => DAYS[day] ?? all);
