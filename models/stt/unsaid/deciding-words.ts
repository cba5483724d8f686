// Words that decide something: they end a call, agree, refuse, or name a number. An engine that only stands in for the
// chosen one may not guess them. A language each, for somebody who speaks it to correct. Lower case, without
// punctuation except apostrophes.

interface DecidingWords {
  farewells: readonly string[];
  consents: readonly string[];
  refusals: readonly string[];
  /** Amounts, times and codes, beside digits. */
  numbers: readonly string[];
}

const words = (text: string): string[] => text.split(' ');

const EN: DecidingWords = {
  farewells: [
    'bye',
    'goodbye',
    'good night',
    'see you',
    'take care',
    'have a good day',
    'have a nice day',
    "that's it",
    "that's all",
  ],
  consents: [
    ...words('yes yeah yep yup sure okay ok correct right exactly definitely absolutely please agreed'),
    ...['of course', 'that works', 'sounds good', 'i do', 'go ahead', 'go on', "that's fine"],
  ],
  refusals: [...words("no nope nah not never don't cancel stop wait"), ...['i am not', 'not today']],
  numbers: [
    ...words(
      'zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
    ),
    ...words('seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half'),
  ],
};

const DE: DecidingWords = {
  farewells: [
    'tschüss',
    'tschüs',
    'ciao',
    'auf wiederhören',
    'auf wiedersehen',
    'schönen tag',
    'das war alles',
    "das war's",
  ],
  consents: words('ja jawohl jo genau richtig okay ok klar gerne gern einverstanden stimmt natürlich bitte'),
  refusals: words('nein nee nö nicht kein keine keinen nie niemals stopp halt warte warten'),
  numbers: [
    ...words(
      'null ein eins eine zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn',
    ),
    ...words('sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'),
    ...words('hundert tausend halb viertel'),
  ],
};

const FR: DecidingWords = {
  farewells: ['au revoir', 'à bientôt', 'bonne journée', 'bonne soirée', "c'est tout", 'salut'],
  consents: [
    'oui',
    'ouais',
    'si',
    "d'accord",
    'ok',
    'okay',
    'exact',
    'exactement',
    'bien sûr',
    'volontiers',
    'tout à fait',
    'parfait',
  ],
  refusals: words('non pas jamais aucun aucune rien stop attendez arrêtez annulez'),
  numbers: [
    ...words('zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt'),
    ...words('trente quarante cinquante soixante cent cents mille demi demie quart'),
  ],
};

const ES: DecidingWords = {
  farewells: [
    'adiós',
    'hasta luego',
    'hasta pronto',
    'chao',
    'buenas noches',
    'que tenga un buen día',
    'eso es todo',
    'nada más',
  ],
  consents: [
    'sí',
    'si',
    'claro',
    'vale',
    'ok',
    'correcto',
    'exacto',
    'de acuerdo',
    'por supuesto',
    'perfecto',
    'bueno',
  ],
  refusals: words('no nunca tampoco nada ninguno ninguna cancele cancelar espere pare'),
  numbers: [
    ...words(
      'cero un uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis',
    ),
    ...words('diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien'),
    ...words('ciento mil media cuarto'),
  ],
};

const IT: DecidingWords = {
  farewells: ['arrivederci', 'ciao', 'a presto', 'buona giornata', 'buona serata', 'è tutto', 'basta così'],
  consents: ['sì', 'si', 'certo', 'va bene', 'ok', 'okay', 'esatto', 'giusto', "d'accordo", 'volentieri', 'perfetto'],
  refusals: words('no non mai niente nessuno nessuna annulli aspetti ferma'),
  numbers: [
    ...words(
      'zero un uno una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici',
    ),
    ...words(
      'sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    ),
    ...words('cento mille mila mezza mezzo quarto'),
  ],
};

const NL: DecidingWords = {
  farewells: ['doei', 'dag', 'tot ziens', 'tot horens', 'fijne dag', 'prettige dag', 'dat was het', 'dat is alles'],
  consents: words('ja jawel jazeker oké ok klopt juist precies graag prima goed akkoord natuurlijk'),
  refusals: words('nee neen niet geen nooit niets stop wacht annuleer'),
  numbers: [
    ...words('nul een één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien'),
    ...words('zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd'),
    ...words('duizend half kwart'),
  ],
};

const PT: DecidingWords = {
  farewells: ['tchau', 'adeus', 'até logo', 'até já', 'bom dia', 'boa noite', 'é tudo', 'é só isso', 'mais nada'],
  consents: [
    'sim',
    'claro',
    'certo',
    'ok',
    'está bem',
    'tá bom',
    'correto',
    'exato',
    'com certeza',
    'pode ser',
    'isso',
    'perfeito',
  ],
  refusals: words('não nunca nada nenhum nenhuma cancele cancelar espere pare'),
  numbers: [
    ...words(
      'zero um uma dois duas três quatro cinco seis meia sete oito nove dez onze doze treze catorze quatorze quinze',
    ),
    ...words(
      'dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta sessenta',
    ),
    ...words('setenta oitenta noventa cem cento mil'),
  ],
};

export const DECIDING_WORDS: Readonly<Record<string, DecidingWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  it: IT,
  nl: NL,
  pt: PT,
};

/** Lower case, words apart by one blank. */
function plainText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** Whether these words end, agree, refuse or name a number. A language without a table: always. */
export function decides(text: string, language: string): boolean {
  const table = DECIDING_WORDS[language.split('-')[0]?.toLowerCase() ?? ''];
  if (table === undefined || /\p{N}/u.test(text)) return true;
  const plain = ` ${plainText(text)} `;
  const { farewells, consents, refusals, numbers } = table;
  return [farewells, consents, refusals, numbers].some((each) => each.some((entry) => plain.includes(` ${entry} `)));
}

/** Whether the text is a consent or a refusal and nothing else: "yes", "yes please". Null: it says more, or both. */
export function plainAnswer(text: string, language: string): 'yes' | 'no' | null {
  const table = DECIDING_WORDS[language.split('-')[0]?.toLowerCase() ?? ''];
  if (table === undefined) return null;
  const plain = plainText(text);
  if (consistsOf(plain, table.consents)) return 'yes';
  return consistsOf(plain, table.refusals) ? 'no' : null;
}

function consistsOf(plain: string, entries: readonly string[]): boolean {
  let rest = plain;
  while (rest !== '') {
    const entry = entries.find((each) => rest === each || rest.startsWith(`${each} `));
    if (entry === undefined) return false;
    rest = rest.slice(entry.length).trimStart();
  }
  return plain !== '';
}
