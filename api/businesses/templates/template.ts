// The shape of what is usual in an industry, one file a language. Nothing here is a price, and no answer promises what
// only the business can: both belong to its owner.

type Industry =
  | 'dentist'
  | 'doctor'
  | 'salon'
  | 'restaurant'
  | 'garage'
  | 'lawyer'
  | 'property'
  | 'trades'
  | 'vet'
  | 'fitness'
  | 'school';

export interface IndustryTemplate {
  /**
   * Words and phrases that name the industry, in lower case and without accents. Whole words only: `bar` is not in
   * `barrister`. A star at the end stands for any ending, for languages that write compounds as one word.
   */
  words: readonly string[];
  /** Name and minutes. */
  services: readonly (readonly [name: string, minutes: number])[];
  /** Callers ask them, and `ask` answers. */
  questions: readonly string[];
}

export interface Templates {
  industries: Readonly<Record<Industry, IndustryTemplate>>;
  /** From the business's own record: the question, and the answer with `{}` for what the record says. */
  hours: readonly [question: string, answer: string];
  /** Between the opening and the closing time, and between the halves of a divided day. */
  until: string;
  address: readonly [question: string, answer: string];
  services: readonly [question: string, answer: string];
  email: readonly [question: string, answer: string];
  /** For businesses of any kind. */
  questions: readonly string[];
  /** The answer to a question that only the business can answer. */
  ask: string;
}
