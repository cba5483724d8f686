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
  /** Large amounts: how they are written, and the word for one and for several. */
  large: ReadonlyArray<readonly [written: string, one: string, many: string]>;
  /** Between a large number and its currency: "1,5 Millionen Euro", "1,5 millones de euros". */
  ofLarge: string;
  /** Between two numbers: "2024 bis 2025". */
  to: string;
  /** In place of "24/7". */
  alwaysOpen: string;
  /** Beginnings of words for dialling, before 112; null: such a number is read as any other. */
  dialling: string | null;
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
    large: [
      ['Mio\\.?|[Mm]illion(?:en|s)?', 'Million', 'Millionen'],
      ['Mrd\\.?|[Mm]illiarden?|billions?', 'Milliarde', 'Milliarden'],
    ],
    ofLarge: '',
    to: 'bis',
    alwaysOpen: 'rund um die Uhr',
    dialling: 'ruf|wähl|notruf|nummer',
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
    large: [
      ['M|[Mm]illions?', 'million', 'millions'],
      ['Mds?|[Mm]illiards?|billions?', 'milliard', 'milliards'],
    ],
    ofLarge: 'de ',
    to: 'à',
    alwaysOpen: '24 heures sur 24, 7 jours sur 7',
    dialling: null,
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
    large: [
      ['[Mm]ill(?:ón|ones)|[Mm]illions?|mill\\.', 'millón', 'millones'],
      ['[Mm]il millones|billions?', 'mil millones', 'mil millones'],
    ],
    ofLarge: 'de ',
    to: 'a',
    alwaysOpen: 'las 24 horas, los 7 días de la semana',
    dialling: 'llam|marc|número',
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
    large: [
      ['[Mm]ilion[ei]|[Mm]illions?|mln', 'milione', 'milioni'],
      ['[Mm]iliard[oi]|billions?|mld', 'miliardo', 'miliardi'],
    ],
    ofLarge: 'di ',
    to: 'a',
    alwaysOpen: '24 ore su 24, 7 giorni su 7',
    dialling: 'chiam|compon|numero',
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
    large: [
      ['[Mm]iljoen|[Mm]illions?|mln\\.?', 'miljoen', 'miljoen'],
      ['[Mm]iljard|billions?|mld\\.?', 'miljard', 'miljard'],
    ],
    ofLarge: '',
    to: 'tot',
    alwaysOpen: '24 uur per dag, 7 dagen per week',
    dialling: 'bel|alarmnummer|nummer',
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
    large: [
      ['[Mm]ilh(?:ão|ões)|[Mm]illions?|mi', 'milhão', 'milhões'],
      ['[Bb]ilh(?:ão|ões)|billions?|bi', 'bilhão', 'bilhões'],
    ],
    ofLarge: 'de ',
    to: 'a',
    alwaysOpen: '24 horas por dia, 7 dias por semana',
    dialling: 'lig|disc|disque|número',
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
