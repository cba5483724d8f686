// How a caller's last words hold a turn open or end it, in each language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint, type TurnSoFar } from '../../../engine/turn/endpointing.ts';
import { turnWordsFor } from '../../../engine/turn/words/languages.ts';

const SAID: Omit<TurnSoFar, 'text'> = {
  unclear: false,
  expects: 'anything',
  digitCount: null,
  isFirst: false,
  finality: null,
  likelihood: null,
};
const silenceAfter = (text: string, language: string): number =>
  endpoint({ ...SAID, text }, turnWordsFor(language), { thresholdMs: 600, endpointing: 'adaptive', patience: 1 })
    .delayMs;

/** A caller who stops after these goes on. */
const OPEN: Record<string, string[]> = {
  'en-US': ['i will be there after', 'uh and my last name is', 'internet uh', 'i am looking for a place that'],
  'de-DE': ['ich hätte gerne einen Termin am', 'ich suche ein sehr', 'mein Nachname ist', 'am liebsten ein ganz'],
  'fr-FR': ['je voudrais un rendez-vous le', 'je cherche un très', 'mon nom de famille est', 'il me faut plusieurs'],
  'es-ES': ['quisiera una cita para el', 'busco una muy', 'mi apellido es', 'necesito reservar'],
  'it-IT': ['vorrei un appuntamento per il', 'cerco una molto', 'il mio cognome è', 'vorrei prenotare'],
  'nl-NL': ['ik wil graag een afspraak op', 'ik zoek een heel', 'mijn achternaam is', 'het liefst ergens in de'],
  'pt-BR': ['queria uma consulta para o', 'procuro um muito', 'o meu sobrenome é', 'preciso marcar'],
};
/** A turn ends after these. */
const WHOLE: Record<string, string[]> = {
  'en-US': ['yes please', 'at two in the afternoon', 'a room for two nights'],
  'de-DE': ['ja bitte', 'nächste Woche am Nachmittag', 'einen Tisch für 4 Personen', 'rufen Sie mich an'],
  'fr-FR': ['oui merci', 'demain dans la matinée ou le soir', 'une table pour 4 personnes', 'rappelez-moi demain'],
  'es-ES': ['sí por favor', 'mañana por la tarde', 'una mesa para 4 personas', 'llámeme más tarde'],
  'it-IT': ['sì grazie', 'domani nel pomeriggio', 'un tavolo per 4 persone', 'mi richiami domani'],
  'nl-NL': ['ja graag', 'volgende week in de middag', 'een tafel voor 4 personen', 'belt u mij later'],
  'pt-BR': ['sim por favor', 'amanhã à tarde', 'uma mesa para 4 pessoas', 'ligue-me amanhã'],
};

for (const [language, texts] of Object.entries(OPEN)) {
  test(`words that go on hold the turn for a second (${language})`, () => {
    for (const text of texts)
      assert.ok(silenceAfter(text, language) >= 1_000, `${text}: ${silenceAfter(text, language)}`);
  });
}

for (const [language, texts] of Object.entries(WHOLE)) {
  test(`words that end a turn are answered soon (${language})`, () => {
    for (const text of texts)
      assert.ok(silenceAfter(text, language) <= 550, `${text}: ${silenceAfter(text, language)}`);
  });
}
