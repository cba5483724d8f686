// Words of websites in seven languages: what a menu calls the pages with contact, hours and prices, and how days and
// hours are written. Whole words, in lower case and without accents; a word that several languages have means the same.
import { WEEKDAYS, type Weekday } from '../../../db/domain/hours/weekdays.ts';

export type PageKind = 'contact' | 'hours' | 'prices';

const PAGES: Readonly<Record<string, Readonly<Record<PageKind, string>>>> = {
  en: {
    contact: 'contact, contact us, find us, visit us, location, locations',
    hours: 'hours, opening hours, opening times',
    prices: 'prices, pricing, price list, rates, fees, services, menu',
  },
  de: {
    contact: 'kontakt, anfahrt, impressum',
    hours: 'offnungszeiten, oeffnungszeiten, sprechzeiten, geschaftszeiten',
    prices: 'preise, preisliste, leistungen, speisekarte',
  },
  fr: {
    contact: 'contact, nous trouver, nous contacter, acces',
    hours: 'horaires, horaires d ouverture',
    prices: 'tarifs, prix, prestations, la carte',
  },
  es: {
    contact: 'contacto, donde estamos, ubicacion',
    hours: 'horario, horarios',
    prices: 'precios, tarifas, servicios, la carta',
  },
  it: { contact: 'contatti, dove siamo', hours: 'orari, orario', prices: 'prezzi, listino, tariffe, servizi' },
  nl: {
    contact: 'contact, route, bereikbaarheid',
    hours: 'openingstijden, openingsuren',
    prices: 'prijzen, tarieven, prijslijst, diensten',
  },
  pt: { contact: 'contato, contacto, onde estamos', hours: 'horario, horarios', prices: 'precos, tabela, servicos' },
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
    (['hours', 'prices', 'contact'] as const).flatMap((kind) =>
      words(kinds[kind]).map((word): [string, PageKind] => [word, kind]),
    ),
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
export const TO_WORDS: ReadonlySet<string> = new Set('to till until through bis au a al alle tot ate as'.split(' '));
export const CLOSED_WORDS: ReadonlySet<string> = new Set(
  'closed geschlossen ruhetag ferme cerrado chiuso gesloten fechado encerrado'.split(' '),
);
/** Before a price that is the lowest of several: it is not the price. */
export const FROM_WORDS: ReadonlySet<string> = new Set('from ab des desde da vanaf partir'.split(' '));

/** In lower case and without accents. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
