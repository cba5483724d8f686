// How often a Dutch caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const NL_ENDS: TurnEnds = {
  words: [
    [
      -3,
      'als dat de deze die dit een elke en haar het hun ieder jouw maar mijn of omdat ons onze terwijl uw ' +
        'waar wanneer want wat welk welke wie zijn zodat',
    ],
    [
      -2.5,
      'aan ben bent bij door had heb hebben hebt heeft hij ik in is jullie kan kunnen kunt mag met moet ' +
        'na naar om onder op over sinds tegen tot tussen van vanaf voor waren was we wij wil wilde zal ze ' +
        'zij zoek zonder zou zouden',
    ],
    [
      -2,
      'alleen andere best echt enkele erg heel laatste meer minder misschien nieuwe nog ongeveer ook te ' +
        'volgende zeer zo',
    ],
    [-1, 'al eens er even graag niet wel'],
    [
      0.5,
      'adres afspraak afspreken annuleren bedankt bestellen bevestigen boeken goed jou kaart kamer klopt ' +
        'komen maken mij mogelijk mooi naam nummer oké open perfect precies prijs prima rekening reserveren ' +
        'spreken tafel tijd u veranderen verzetten vrij weten',
    ],
    [
      1,
      'alles alsjeblieft alstublieft avond daar dag dagen euro hier later maand maanden mensen middag ' +
        'minuten morgen nacht nachten nu ochtend overmorgen personen terug uur vandaag week weken',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      'afspraak op, afspraak voor, heeft u, ik ben, ik heb, ik wil, ik zoek, ik zou, is er, kan ik, ' +
        'kunt u, mag ik, wil graag, zou graag',
    ],
    [1.5, '0 personen, 0 uur, dank u, dat klopt, is goed, met mij, u wel, voor mij, voor ons'],
  ],
};
