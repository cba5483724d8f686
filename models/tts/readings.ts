// How a person reads times, money, dates, telephone numbers and addresses aloud, by language. English has rules of its
// own (speakable.ts). Figures stay figures: a voice's own rules for its language turn them into words.

export interface Reading {
  /** `{h}` and `{m}`, without leading zeros; `fullHour` has no `{m}`. */
  time: string;
  fullHour: string;
  /** Words after a time that `time` says already. */
  timeUnits: readonly string[];
  /** Of a currency's sign: the word for one, and for several. */
  currencies: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** Between whole and hundredths: "12 Euro 50", "12 euros y 50". */
  beforeCents: string;
  /** Of a number's decimal and of its thousands. */
  decimal: '.' | ',';
  /** In place of "1" as the day of a month. */
  firstOfMonth: string;
  /** Between day, month and year as they are written in figures. */
  dateMark: '.' | '/' | '-';
  /** Telephone numbers are read in pairs where their groups are pairs, else figure by figure. */
  phoneInPairs: boolean;
  plus: string;
  percent: string;
  at: string;
  dot: string;
  dash: string;
  underscore: string;
}

export const READINGS: Readonly<Record<string, Reading>> = {
  de: {
    time: '{h} Uhr {m}',
    fullHour: '{h} Uhr',
    timeUnits: ['Uhr', 'h'],
    currencies: { '€': ['Euro', 'Euro'], $: ['Dollar', 'Dollar'], '£': ['Pfund', 'Pfund'] },
    beforeCents: ' ',
    decimal: ',',
    firstOfMonth: '1.',
    dateMark: '.',
    phoneInPairs: false,
    plus: 'plus',
    percent: 'Prozent',
    at: 'ätt',
    dot: 'Punkt',
    dash: 'Minus',
    underscore: 'Unterstrich',
  },
  fr: {
    time: '{h} heures {m}',
    fullHour: '{h} heures',
    timeUnits: ['heures', 'heure', 'h'],
    currencies: { '€': ['euro', 'euros'], $: ['dollar', 'dollars'], '£': ['livre', 'livres'] },
    beforeCents: ' ',
    decimal: ',',
    firstOfMonth: 'premier',
    dateMark: '/',
    phoneInPairs: true,
    plus: 'plus',
    percent: 'pour cent',
    at: 'arobase',
    dot: 'point',
    dash: 'tiret',
    underscore: 'tiret bas',
  },
  es: {
    time: '{h} y {m}',
    fullHour: '{h} en punto',
    timeUnits: ['horas', 'h'],
    currencies: { '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'] },
    beforeCents: ' con ',
    decimal: ',',
    firstOfMonth: 'primero',
    dateMark: '/',
    phoneInPairs: false,
    plus: 'más',
    percent: 'por ciento',
    at: 'arroba',
    dot: 'punto',
    dash: 'guion',
    underscore: 'guion bajo',
  },
  it: {
    time: '{h} e {m}',
    fullHour: '{h}',
    timeUnits: ['h'],
    currencies: { '€': ['euro', 'euro'], $: ['dollaro', 'dollari'], '£': ['sterlina', 'sterline'] },
    beforeCents: ' e ',
    decimal: ',',
    firstOfMonth: 'primo',
    dateMark: '/',
    phoneInPairs: false,
    plus: 'più',
    percent: 'per cento',
    at: 'chiocciola',
    dot: 'punto',
    dash: 'trattino',
    underscore: 'trattino basso',
  },
  nl: {
    time: '{h} uur {m}',
    fullHour: '{h} uur',
    timeUnits: ['uur', 'u'],
    currencies: { '€': ['euro', 'euro'], $: ['dollar', 'dollar'], '£': ['pond', 'pond'] },
    beforeCents: ' ',
    decimal: ',',
    firstOfMonth: '1',
    dateMark: '-',
    phoneInPairs: false,
    plus: 'plus',
    percent: 'procent',
    at: 'apenstaartje',
    dot: 'punt',
    dash: 'streepje',
    underscore: 'laag streepje',
  },
  pt: {
    time: '{h} e {m}',
    fullHour: '{h} horas',
    timeUnits: ['horas', 'h'],
    currencies: { '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'], R$: ['real', 'reais'] },
    beforeCents: ' e ',
    decimal: ',',
    firstOfMonth: 'primeiro',
    dateMark: '/',
    phoneInPairs: false,
    plus: 'mais',
    percent: 'por cento',
    at: 'arroba',
    dot: 'ponto',
    dash: 'traço',
    underscore: 'sublinhado',
  },
};
