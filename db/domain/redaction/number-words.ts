// Numbers from 0 to 99 as people say them digit by digit or in pairs, in the languages of the product: "four one one
// two", "zweiundvierzig", "soixante-douze". Recognisers write them in words or in digits, or mix both.

interface Words {
  /** 0 to 19; several spellings are separated by `|`. */
  small: string;
  /** 20, 30 … 90. */
  tens: string;
  /** How 21 to 99 are said. */
  joined(tens: string, unit: string, ten: number): string[];
  /** Say the next digit twice, or three times. */
  twice?: string;
  thrice?: string;
}

const spaced = (tens: string, unit: string): string[] => [`${tens} ${unit}`, `${tens}${unit}`];

const LANGUAGES: Readonly<Record<string, Words>> = {
  en: {
    small:
      'zero|oh|nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
      'seventeen eighteen nineteen',
    tens: 'twenty thirty forty|fourty fifty sixty seventy eighty ninety',
    joined: spaced,
    twice: 'double',
    thrice: 'triple',
  },
  de: {
    small:
      'null eins|ein|eine zwei|zwo drei vier funf|fuenf sechs sieben acht neun zehn elf zwolf|zwoelf dreizehn vierzehn ' +
      'funfzehn|fuenfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreissig|dreißig vierzig funfzig|fuenfzig sechzig siebzig achtzig neunzig',
    joined: (tens, unit) => (unit === 'eins' ? [] : [`${unit}und${tens}`, `${unit} und ${tens}`]),
    twice: 'doppel doppelt',
  },
  fr: {
    small:
      'zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept ' +
      'dix_huit dix_neuf',
    tens: 'vingt trente quarante cinquante soixante septante|soixante_dix huitante|octante|quatre_vingt|quatre_vingts nonante|quatre_vingt_dix',
    joined: (tens, unit) => [`${tens} ${unit}`, `${tens} et ${unit}`],
    twice: 'double',
    thrice: 'triple',
  },
  es: {
    small:
      'cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis ' +
      'diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    joined: (tens, unit) => (tens === 'veinte' ? [`veinti${unit}`] : [`${tens} y ${unit}`]),
    twice: 'doble',
    thrice: 'triple',
  },
  it: {
    small:
      'zero uno|un|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici ' +
      'sedici diciassette diciotto diciannove',
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    joined: (tens, unit) => [/^[uo]/.test(unit) ? tens.slice(0, -1) + unit : tens + unit, `${tens} ${unit}`],
    twice: 'doppio',
    thrice: 'triplo',
  },
  nl: {
    small:
      'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien ' +
      'achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    joined: (tens, unit) => [`${unit}en${tens}`, `${unit} en ${tens}`],
    twice: 'dubbel dubbele',
  },
  pt: {
    small:
      'zero um|uma dois|duas tres quatro cinco seis|meia sete oito nove dez onze doze treze catorze|quatorze quinze ' +
      'dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    joined: (tens, unit) => [`${tens} e ${unit}`],
    twice: 'duplo',
  },
};

/** Said between digits without a meaning of their own. */
const FILLERS = new Set(
  (
    'um uh er erm dash hyphen minus space then slash ah ahm hm bindestrich strich schragstrich dann euh tiret espace puis ' +
    'ben eh guion espacio luego trattino spazio poi streepje spatie dan hifen traco espaco depois'
  ).split(' '),
);

export interface NumberLexicon {
  /** Digits by phrase: lower case, no marks, single blanks. */
  phrases: ReadonlyMap<string, string>;
  /** The longest phrase, in words. */
  longest: number;
  repeats: ReadonlyMap<string, number>;
  fillers: ReadonlySet<string>;
}

const lexicons = new Map<string, NumberLexicon>();

/** Of the languages' first parts, with English behind them: digits are spelled in it everywhere. */
export function numberLexicon(languages: readonly string[]): NumberLexicon {
  // A later one takes precedence, and the first is the main one.
  const names = languages.map((language) => language.slice(0, 2).toLowerCase()).toReversed();
  const name = names.join(' ');
  let lexicon = lexicons.get(name);
  if (lexicon === undefined) {
    lexicon = made([LANGUAGES.en, ...names.map((each) => LANGUAGES[each])].filter((words) => words !== undefined));
    lexicons.set(name, lexicon);
  }
  return lexicon;
}

const spellings = (list: string): string[][] => list.split(' ').map((each) => each.replaceAll('_', ' ').split('|'));

function made(languages: readonly Words[]): NumberLexicon {
  const phrases = new Map<string, string>();
  const repeats = new Map<string, number>();
  for (const { small, tens, joined, twice = '', thrice = '' } of languages) {
    const units = spellings(small);
    for (const [value, all] of units.entries()) for (const each of all) phrases.set(each, String(value));
    for (const [at, all] of spellings(tens).entries()) {
      const ten = (at + 2) * 10;
      for (const each of all) {
        phrases.set(each, String(ten));
        // In French 71 to 79 are sixty and eleven to nineteen.
        const most = /^(soixante|quatre vingts?)$/.test(each) ? 19 : 9;
        for (let unit = 1; unit <= most; unit++)
          for (const word of units[unit] ?? [])
            for (const phrase of joined(each, word, ten))
              if (!phrases.has(phrase)) phrases.set(phrase, String(ten + unit));
      }
    }
    for (const word of twice.split(' ').filter(Boolean)) repeats.set(word, 2);
    for (const word of thrice.split(' ').filter(Boolean)) repeats.set(word, 3);
  }
  const longest = Math.max(...[...phrases.keys()].map((phrase) => phrase.split(' ').length));
  return { phrases, longest, repeats, fillers: FILLERS };
}
