// How often an Italian caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const IT_ENDS: TurnEnds = {
  words: [
    [
      -3,
      "agli ai al alla alle allo che come dal dalla degli dei del della delle dello dove e ed gli i il l' " +
        'la le lo ma mia mie miei mio nei nel nella nostra nostro o ogni oppure perché quale quali quando ' +
        "quel quella questa questo se sua sue sul sulla suo suoi un un' una uno vostra vostro",
    ],
    [
      -2.5,
      'a abbiamo ad cerco con da devo di dopo dovrei durante era fino fra ha hanno ho in io loro noi per ' +
        'posso potrei prima sarebbe senza sono su tra verso voglio volevo vorrei è',
    ],
    [
      -2,
      'abbastanza alcune alcuni altra altre altri altro anche ancora circa forse meno molto nuova nuovo ' +
        'più proprio prossima prossimo qualche solo ultima ultimo',
    ],
    [-1.5, 'annullare cambiare confermare ordinare parlare prenotare sapere spostare venire'],
    [-1, "bene c'è ci già mi non si ti"],
    [
      0.5,
      "aperto appuntamento buono camera carta d'accordo esatto fattura giusto grazie indirizzo lei libero " +
        'me nome numero orario ottimo perfetto possibile prezzo tavolo voi',
    ],
    [
      1,
      'adesso domani dopodomani euro favore giorni giorno lì mattina mese mesi mezzogiorno minuti notte ' +
        'notti oggi ora ore persone piacere pomeriggio qui sera settimana settimane tanto tutto',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      "appuntamento il, appuntamento per, avrei bisogno, bisogno di, c'è un, c'è una, ho bisogno, " +
        'mi serve, posso avere, vorrei un, vorrei una',
    ],
    [
      1.5,
      '0 persone, a posto, alle 0, basta così, con me, da me, per favore, per me, per noi, per piacere, ' +
        'va bene, è tutto',
    ],
  ],
};
