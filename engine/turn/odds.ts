// How likely it is that the caller's turn is over, and how long a silence that likelihood wants. The log odds are a
// sum: how the words end, the melody of the last ones, and what a model of turn ends hears, each with a weight. The
// weights were learned by logistic regression on recordings of people on telephones
// (docs/decisions/0052-turn-ends-weighed.md): half of the callers taught them, the other half shows that they hold.

/** How the words so far end. */
export type Ending =
  | 'complete'
  | 'likely'
  | 'unsure'
  /** No word is known yet. */
  | 'wordless'
  | 'introducing'
  | 'unclear'
  | 'hesitating'
  | 'dictating';

/** Heard beside the words. */
export interface Sounds {
  /** Intonation at the end of the speech, -1 (goes on) to 1 (final fall); null if unknown. */
  finality: number | null;
  /** Probability of a complete turn from a turn-end model, 0..1; null without a model or before its answer. */
  likelihood: number | null;
}

/** Log odds by how the words end. */
const WORDS: Record<Ending, number> = {
  complete: 1.1,
  likely: 0.5,
  unsure: -0.1,
  wordless: -0.1,
  introducing: -0.6,
  unclear: -1,
  hesitating: -2.6,
  dictating: -2.6,
};
/** Of the last words' own log odds (word-ends.ts). */
const LAST_WORDS = 1.2;
/** For a final fall. */
const MELODY = 0.6;
/** Of the model's log odds: a judgement of its own as long as the words leave the end open. */
const MODEL = 0.3;
/**
 * It is nearly sure of most ends, and of many pauses, so that its certainty counts to these bounds only. With wider
 * ones telephone sentences were cut off more often at the same mean than without it.
 */
const MODEL_LEAST = -1.5;
const MODEL_MOST = 1;
/** Where it alone knows something. */
const MODEL_ALONE_MOST = 2;

/** Positive: the turn is rather over. `lastWords`: log odds of an end after the last words. */
export function finishedOdds(ending: Ending, lastWords: number, { finality, likelihood }: Sounds): number {
  return WORDS[ending] + LAST_WORDS * lastWords + MELODY * (finality ?? 0) + MODEL * modelOdds(likelihood, ending);
}

function modelOdds(likelihood: number | null, ending: Ending): number {
  if (likelihood === null) return 0;
  const bounded = Math.min(0.999, Math.max(0.001, likelihood));
  const most = ending === 'wordless' ? MODEL_ALONE_MOST : MODEL_MOST;
  return Math.max(MODEL_LEAST, Math.min(most, Math.log(bounded / (1 - bounded))));
}

/** Silence that ends the turn, by its log odds: between two points in proportion. */
const SILENCES: ReadonlyArray<readonly [odds: number, ms: number]> = [
  [-2, 1_500],
  [-1, 1_200],
  [-0.2, 850],
  [0.3, 600],
  [0.7, 420],
  [1.1, 330],
  [1.7, 300],
];

/** ms */
export function silenceAt(odds: number): number {
  const above = SILENCES.findIndex(([at]) => odds <= at);
  const [last] = SILENCES.slice(-1);
  const to = SILENCES[above] ?? last;
  const from = SILENCES[above - 1];
  if (to === undefined) return 0;
  if (above < 0 || from === undefined) return to[1];
  return from[1] + ((to[1] - from[1]) * (odds - from[0])) / (to[0] - from[0]);
}
