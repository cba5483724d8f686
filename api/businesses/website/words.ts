// Words of websites in seven languages: what a menu calls the pages with contact, hours and prices, and how days and
// hours are written. Whole words, in lower case and without accents; a word that several languages have means the same.
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';

export const PAGE_KINDS = ['hours', 'prices', 'contact', 'questions'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

const PAGES: Readonly<Record<string, Readonly<Record<PageKind, string>>>> = {
  en: {
    contact: 'contact, contact us, find us, visit us, location, locations',
    hours: 'hours, opening hours, opening times',
    prices: 'prices, pricing, price list, rates, fees, services, menu, treatments',
    questions: 'faq, faqs, questions, help',
  },
  de: {
    contact: 'kontakt, anfahrt, impressum, so finden sie uns',
    hours: 'offnungszeiten, oeffnungszeiten, sprechzeiten, geschaftszeiten',
    prices: 'preise, preisliste, leistungen, speisekarte, speisen',
    questions: 'haufige fragen, fragen',
  },
  fr: {
    contact: 'contact, nous trouver, nous contacter, acces',
    hours: 'horaires, horaires d ouverture',
    prices: 'tarifs, prix, prestations, la carte, notre carte',
    questions: 'questions frequentes, foire aux questions',
  },
  es: {
    contact: 'contacto, donde estamos, ubicacion',
    hours: 'horario, horarios',
    prices: 'precios, tarifas, servicios, la carta, carta',
    questions: 'preguntas frecuentes, preguntas',
  },
  it: {
    contact: 'contatti, dove siamo',
    hours: 'orari, orario',
    prices: 'prezzi, listino, tariffe, servizi, trattamenti',
    questions: 'domande frequenti, domande',
  },
  nl: {
    contact: 'contact, route, bereikbaarheid',
    hours: 'openingstijden, openingsuren',
    prices: 'prijzen, tarieven, prijslijst, diensten, behandelingen',
    questions: 'veelgestelde vragen, vragen',
  },
  pt: {
    contact: 'contato, contacto, contactos, contatos, onde estamos',
    hours: 'horario, horarios',
    prices: 'precos, tabela, servicos, ementa, cardapio',
    questions: 'perguntas frequentes, perguntas',
  },
};

/** Monday to Sunday; of each day its names and its usual short forms. */
const DAYS: Readonly<Record<string, string>> = {
  en: 'monday mondays mon, tuesday tuesdays tue tues, wednesday wednesdays wed, thursday thursdays thu thur thurs, friday fridays fri, saturday saturdays sat, sunday sundays sun',
  de: 'montag montags mo, dienstag dienstags di, mittwoch mittwochs mi, donnerstag donnerstags do, freitag freitags fr, samstag samstags sonnabend sa, sonntag sonntags so',
  fr: 'lundi lun, mardi mar, mercredi mer, jeudi jeu, vendredi ven, samedi sam, dimanche dim',
  es: 'lunes lun, martes mar, miercoles mie, jueves jue, viernes vie, sabado sabados sab, domingo domingos dom',
  it: 'lunedi lun, martedi mar, mercoledi mer, giovedi gio, venerdi ven, sabato sab, domenica dom',
  nl: 'maandag ma, dinsdag di, woensdag wo, donderdag do, vrijdag vr, zaterdag za, zondag zo',
  pt: 'segunda seg, terca ter, quarta qua, quinta qui, sexta sex, sabado sab, domingo dom',
};

const words = (list: string): string[] => list.split(', ');

export const PAGE_WORDS: ReadonlyMap<string, PageKind> = new Map(
  Object.values(PAGES).flatMap((kinds) =>
    PAGE_KINDS.flatMap((kind) => words(kinds[kind]).map((word): [string, PageKind] => [word, kind])),
  ),
);

export const DAY_WORDS: ReadonlyMap<string, Weekday> = new Map(
  Object.values(DAYS).flatMap((list) =>
    words(list).flatMap((names, index) =>
      names.split(' ').flatMap((name): [string, Weekday][] => {
        const day = WEEKDAYS[index];
        return day === undefined ? [] : [[name, day]];
      }),
    ),
  ),
);

/** Between the first and the last day or hour. */
export const TO_WORDS: ReadonlySet<string> = new Set(
  'to till until through thru bis au a al alle tot tm ate as'.split(' '),
);
export const CLOSED_WORDS: ReadonlySet<string> = new Set(
  (
    'closed geschlossen ruhetag ferme fermee fermes cerrado cerrada cerramos chiuso chiusi chiusa gesloten fechado ' +
    'fechada encerrado encerra'
  ).split(' '),
);
/** Hours of a pause are none. */
export const BREAK_WORDS: ReadonlySet<string> = new Set(
  'break lunch mittagspause pause descanso pausa pauze almoco'.split(' '),
);
const NOON = 'noon midi mediodia mezzogiorno meiodia'.split(' ');
const MIDNIGHT = 'midnight mitternacht minuit medianoche mezzanotte middernacht meianoite'.split(' ');
/** Minutes of the day of times that have a name. */
export const NAMED_TIMES: ReadonlyMap<string, number> = new Map([
  ...NOON.map((word): [string, number] => [word, 12 * 60]),
  ...MIDNIGHT.map((word): [string, number] => [word, 24 * 60]),
]);
export const BETWEEN_WORDS: ReadonlySet<string> = new Set('between zwischen entre tra fra tussen'.split(' '));
export const AND_WORDS: ReadonlySet<string> = new Set('and und et y e en'.split(' '));

/** Words for several days, in the short form that stands for them. `werktags` may or may not include Saturday. */
export const SEVERAL_DAYS: ReadonlyArray<readonly [RegExp, string]> = [
  [
    / (?:daily|every day|everyday|7 days a week|seven days a week|taglich|jeden tag|tous les jours|7 jours sur 7|todos los dias|tutti i giorni|ogni giorno|dagelijks|elke dag|todos os dias|diariamente)(?= |:|,)/g,
    ' mo - so',
  ],
  [
    / (?:on weekdays|weekdays|en semaine|entre semana|giorni feriali|doordeweeks|dias uteis|dias de semana)(?= |:|,)/g,
    ' mo - fr',
  ],
  [
    / (?:at weekends|weekends|weekend|am wochenende|wochenende|le week end|le week-end|week-end|fin de semana|fines de semana|fine settimana|in het weekend|fim de semana|fins de semana)(?= |:|,)/g,
    ' sa - so',
  ],
  [/ 12 (?:noon|midday)/g, ' noon'],
  [/ 12 midnight/g, ' midnight'],
  [/ meia[ -]noite/g, ' meianoite'],
  [/ meio[ -]dia/g, ' meiodia'],
  [/ t\/m /g, ' tm '],
];

/** Hours of a kitchen, a hotline, deliveries or a feast are not those of the business. */
const OTHER_HOURS =
  /\b(?:telefonzeiten|telefonisch|telefonische|sprechstunde am telefon|hotline|phone lines|kuche|kuchenzeiten|kitchen|cuisine|cocina|cucina|keuken|cozinha|lieferung|lieferzeiten|delivery|livraison|reparto|consegne|bezorging|entrega|holiday|holidays|feiertag|feiertage|feiertagen|feries|festivos|festivi|feestdagen|feriados|happy hour|notdienst|emergency|urgences|abholung|pickup)\b/;
/** "Our kitchen" heads a page about food, "Kitchen hours" and "Kitchen" hours. */
export const isAboutHours = (label: string): boolean =>
  /(?:zeiten|hours|times|horaires?|horarios?|orari|tijden)\b/.test(label) || (label.match(/[a-z]+/g) ?? []).length <= 2;
export const isOtherHours = (line: string): boolean => OTHER_HOURS.test(line);

const STREET =
  /(?:strasse|straße|str\.|str |weg|platz|allee|gasse|ring|damm|ufer|markt|straat|laan|plein|kade|gracht|dijk|singel|steeg) ?,? ?\d|\b(?:rue|avenue|av|bd|boulevard|place|chemin|quai|impasse|route|cours|calle|c\/|plaza|paseo|avda|avenida|carrer|ronda|via|viale|corso|piazza|largo|vicolo|rua|r\.|praca|travessa|estrada|alameda|street|st|road|rd|lane|ln|drive|dr|square|way|court|row|terrace|parade|hill|high street|unter den|am|an der|im)\b/;
/** In lower case and without accents. */
export const isStreet = (line: string): boolean => STREET.test(line);

/** In lower case and without accents. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
