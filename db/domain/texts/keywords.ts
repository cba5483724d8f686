// Words by which a person ends texts, wants them again, or asks who writes: those that carriers know, and those of the
// languages of the agents. A word counts where it is the whole text, so that "stop by tomorrow?" is a question.
export type Keyword = 'stop' | 'start' | 'help';

const WORDS: Readonly<Record<Keyword, readonly string[]>> = {
  stop: [
    // Twilio, Telnyx and Plivo.
    ...['stop', 'stopall', 'stop all', 'unsubscribe', 'cancel', 'end', 'quit', 'optout', 'opt out', 'revoke'],
    ...['stopp', 'abbestellen', 'abmelden'],
    ...['parar', 'baja', 'cancelar', 'alto'],
    ...['arret', 'arreter', 'desabonner'],
    ...['ferma', 'disiscrivi', 'annulla'],
    ...['afmelden', 'stoppen', 'uitschrijven'],
    ...['pare', 'sair', 'descadastrar'],
  ],
  start: [
    ...['start', 'unstop', 'subscribe', 'optin', 'opt in'],
    ...['anmelden', 'alta', 'iniciar', 'demarrer', 'inizia', 'aanmelden', 'comecar'],
  ],
  help: ['help', 'info', 'hilfe', 'ayuda', 'aide', 'aiuto', 'hulp', 'ajuda'],
};

const KEYWORDS = new Map(
  (Object.keys(WORDS) as Keyword[]).flatMap((kind) => WORDS[kind].map((word) => [word, kind] as const)),
);

/** Longer texts are none. */
const CHARACTERS_MAX = 40;

/** The wish that the whole text is; null: it is for the agent. */
export function keywordOf(text: string): Keyword | null {
  if (text.length > CHARACTERS_MAX) return null;
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}]+/u).filter((word) => word !== '');
  // Figures would be another text: "END 5".
  return /\p{N}/u.test(plain) ? null : (KEYWORDS.get(words.join(' ')) ?? null);
}
