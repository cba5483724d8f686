// How long a service takes, as people write it in seven languages: "45 min", "1,5 Stunden", "1 h 30", "90'".

const HOURS = 'hours?|hrs?\\.?|std\\.?|stunden?|heures?|horas?|ora|ore|uur|uren|h';
const MINUTES = "minutes?|minuten?|minuto?s?|minuti|minut|minuut|mins?\\.?|['’′]";
const NUMBER = '(?<![\\d.,])\\d{1,3}(?:[.,]\\d{1,2})?';
const BEFORE =
  '(?:(?:dauer|duration|durée|duración|durata|duur|duração|circa|ca\\.?|approx\\.?|environ|env\\.?|etwa|about|aprox\\.?):?\\s?)?';
/** "30-45 min", "30/60 min". */
const SEVERAL = `(?:(${NUMBER})\\s?(?:(${HOURS}|${MINUTES})\\s?)?(?:[-–/]|to|bis|à|a|oder|or|ou|o)\\s?)?`;
/** Behind the hours. Figures with a sign of money, or more of them, are no minutes. */
const NO_MONEY = '(?!\\d|[.,]\\d|[-–]|\\s?(?:€|£|\\$|eur|chf))';
const AND = `(?:\\s?(?:und|and|et|e|y|en)?\\s?(?:(\\d{1,2})\\s?(?:${MINUTES})|([0-5]\\d)${NO_MONEY}))?`;
const END = '(?![\\p{L}\\d])';
const DURATION = new RegExp(`${BEFORE}${SEVERAL}(${NUMBER})\\s?(?:(${HOURS})${AND}|(?:${MINUTES}))${END}`, 'iu');
/** Longer ones, such as "24 h", say something else. */
const MINUTES_MAX = 12 * 60;

interface Timed {
  /** The text without it. */
  rest: string;
  /** Null where the text says none, or several. */
  minutes: number | null;
}

export function withoutDuration(text: string): Timed {
  const match = DURATION.exec(text);
  if (match === null) return { rest: text, minutes: null };
  const [all, other, , number = '', hours, minutesNamed, minutesBare] = match;
  const value = Number(number.replace(',', '.'));
  const minutes = hours === undefined ? value : value * 60 + Number(minutesNamed ?? minutesBare ?? 0);
  if (minutes <= 0 || minutes > MINUTES_MAX) return { rest: text, minutes: null };
  return {
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}`.trim(),
    minutes: other === undefined ? Math.round(minutes) : null,
  };
}
