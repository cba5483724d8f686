// Numbers for a caller who asks to hear them again, as they write them down: one figure at a time.

/** Telephone numbers and codes; prices, times and dates stay as they are. */
const NUMBER = /(?<![\w.,:$€£+(])(?!\d{4}-\d\d-\d\d\b)\+?\(?\d[\d ().-]{3,}\d(?![\w%]|[.,:]\d)/g;

/** The same written figure by figure, in groups: "0 3 0, 1 2 3". */
const SPACED = /(?<![\w.,])\d(?:,? \d(?!\w)){4,}/g;

/** Puts a rest between the figures of long numbers, and a longer one between their groups. */
export const slowly = (text: string): string =>
  text
    .replace(SPACED, (number) => number.replace(/, /g, '. ').replace(/(?<=\d) /g, ', '))
    .replace(NUMBER, (number) => {
      const figures = number.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
      if (figures.length < 5) return number;
      const groups = groupsOf(figures);
      const plus = number.startsWith('+') && !number.startsWith('+1') ? 'plus ' : '';
      return plus + groups.map((group) => [...group].join(', ')).join('. ');
    });

/** As telephone numbers are grouped: threes, and the rest at the end. */
function groupsOf(figures: string): string[] {
  const groups: string[] = [];
  for (let at = 0; at < figures.length; ) {
    const left = figures.length - at;
    const length = left <= 4 ? left : 3;
    groups.push(figures.slice(at, at + length));
    at += length;
  }
  return groups;
}
