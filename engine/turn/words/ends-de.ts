// How often a German caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const DE_ENDS: TurnEnds = {
  words: [
    [
      -3,
      'aber damit das dass dem den der des die diese diesen dieser ein eine einem einen einer ihr ihre ' +
        'ihrem ihren jede jeden jeder kein keine keinen mein meine meinem meinen meiner ob obwohl oder sein ' +
        'seine sondern und unser unsere unseren weil welche welcher wenn',
    ],
    [
      -2.5,
      'ab am an auf aus bei beim bin bis brauche darf durch er für gegen habe haben hat hatte hätte ich ' +
        'im in ins ist kann könnte man mit muss möchte nach ohne seit sind soll sollte suche um unter vom ' +
        'von vor wann war waren was wegen wer werden wie will wir wird wo wäre würde zu zum zur zwischen ' +
        'über',
    ],
    [
      -2,
      'als andere anderen auch circa einige etwa etwas ganz gerade letzte letzten mehrere möglichst neue ' +
        'neuen noch nur nächste nächsten sehr so ungefähr viele vielleicht wirklich ziemlich',
    ],
    [-1, 'bitte eigentlich einfach einmal es geht gern gerne gibt nicht schon sie zwar'],
    [
      0.5,
      'abholen absagen adresse bestellen buchen danke fertig frei genau gut ihn ihnen karte kommen machen ' +
        'mich mir möglich name nummer offen perfekt preis prima rechnung reservieren richtig schön sprechen ' +
        'stornieren super termin tisch uhrzeit uns vereinbaren verschieben wissen zimmer ändern',
    ],
    [
      1,
      'abend alles da davon dazu dort euro heute hier jetzt leute minuten mittag monat monate morgen ' +
        'nachmittag nacht nochmal nächte nächten personen später stunde stunden tag tage tagen uhr vorbei ' +
        'vormittag wieder woche wochen zurück übermorgen',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      'geht um, gibt es, haben sie, hätte gern, hätte gerne, ich bin, ich brauche, ich habe, ich hätte, ' +
        'ich möchte, ich suche, ich würde, kann ich, können sie, möchte gern, würde gern, würde gerne',
    ],
    [
      1.5,
      '0 personen, 0 uhr, an mich, bei ihnen, für mich, für uns, geht das, mich an, mit mir, passt gut, ' +
        'passt mir, sie an, uns an, von mir, zu mir, zu zweit',
    ],
  ],
};
