// Codes that are spelled, in every language: a letter has a short rest on both sides, as a person spells on the
// telephone. Without it a listener joins it with its neighbours: "A B 1" was written "AB1", "8 8 2" after "L" as "I
// take 2".

/** Three single characters and more, "K 7 A 3 M 9", also with the names of marks between them. */
const SPELLED = /(?<![\w'’-])[A-Z\d](?: (?:(?:dash|hyphen|slash|dot) )?[A-Z\d]){2,19}(?![\w'’-]| \d)/g;
const BESIDE_MARK = / (?=dash|hyphen|slash|dot)|(?<=dash|hyphen|slash|dot) /g;
/** A consonant and a figure, "B 4"; a vowel may be a word: "A 4 day trip", Spanish "Y 3 personas". */
const PAIR = /(?<![\w'’-])[B-DF-HJ-NP-TV-XZ](?= \d(?![\w.,:/-]*\d| \d))/g;
/** One word of capitals and figures, "XQ4492". */
const WRITTEN = /(?<![\w.,:$€£@/'’-])[A-Z\d]{4,20}(?![\w@/'’-])/g;

/** Two letters and two figures at least; no word ("COVID19"), and no figure with its unit ("250KM"). */
function isCode(word: string): boolean {
  return /[A-Z].*[A-Z]/.test(word) && /\d.*\d/.test(word) && !/[A-Z]{4}|^\d+[A-Z]+$/.test(word);
}

/** Writes codes with single characters and rests: "XQ4492" → "X, Q, 4 4 9 2". Figures in a row stay together. */
export function spellCodes(text: string): string {
  return text
    .replace(WRITTEN, (word) => (isCode(word) ? [...word].join(' ') : word))
    .replace(SPELLED, (code) =>
      /[A-Z]/.test(code) ? code.replace(BESIDE_MARK, ', ').replace(/[A-Z](?= )|\d(?= [A-Z])/g, '$&,') : code,
    )
    .replace(PAIR, '$&,');
}
