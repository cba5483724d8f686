// How often a French caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const FR_ENDS: TurnEnds = {
  words: [
    [
      -3,
      "au aux car ce ces cet cette chaque d' de des donc dont du et l' la le les leur leurs lorsque ma " +
        "mais mes mon nos notre ou parce puisque qu' quand que quel quelle quelles quels qui sa ses si son " +
        'un une vos votre',
    ],
    [
      -2.5,
      'a ai aimerais après avait avant avec avons cherche chez dans depuis dois elle elles en entre est ' +
        "faut il ils j' je jusqu'à nous on ont par pendant peux pour pourrais sans serait sont souhaite " +
        'sous suis sur vers veux voudrais vous à était',
    ],
    [
      -2,
      'assez aussi autre autres dernier dernière encore environ grand grande juste moins nouveau nouvelle ' +
        'petit petite peut-être plus plusieurs plutôt prochain prochaine quelques tout toute très vraiment',
    ],
    [-1.5, 'annuler changer commander confirmer déplacer parler prendre réserver savoir venir'],
    [-1, "bien c'est lui me ne pas se te y ça"],
    [
      0.5,
      "adresse bon carte chambre d'accord exact exactement facture horaire libre merci moi nom numéro " +
        'ouvert parfait possible prix rendez-vous super table vous-même',
    ],
    [
      1,
      "après-demain après-midi aujourd'hui beaucoup demain euros heure heures ici jour jours là " +
        'maintenant matin midi minutes mois nuit nuits personnes plaît semaine semaines soir soirée tard ' +
        'toujours',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      "besoin de, est-ce que, j'ai besoin, je cherche, je peux, je veux, je voudrais, rendez-vous le, " +
        'rendez-vous pour, y a-t-il',
    ],
    [
      1.5,
      "0 heures, 0 personnes, avec moi, c'est bon, c'est tout, chez moi, pour moi, pour nous, à vous, " +
        'ça marche, ça va',
    ],
  ],
};
