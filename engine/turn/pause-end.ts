// How long the silence of a pause may last, by all that was heard of the turn and by the call so far.
import { type Endpoint, endpoint } from './endpointing.ts';
import { freshText, type Heard, isUnclear } from './heard.ts';
import { lexiconOf, type Step } from './turn-context.ts';

/** A callee's "hello?" is over soon, and a long turn ends at its next breath. */
const HELLO_MS = 300;
/** Faint speech may be a radio, which has pauses; a caller who turned away will wait for the answer. */
const FAINT_MS = 1_200;
const BREATH_MS = 200;
/** A caller whose pause was taken for the end pauses as long again: more silence for each time that is remembered. */
const WENT_ON_MS = 240;

/** How long a silence after this speech ends the turn. */
export function endpointOf({ config, context }: Step, heard: Heard): Endpoint {
  const text = freshText(heard);
  const { expects, digitCount, openingAtMs, hasStated } = context;
  const { finality, likelihood, faint, overlong } = heard;
  const { silenceThresholdMs: thresholdMs, endpointing, patience } = config;
  const said = { text, unclear: isUnclear(heard), expects, digitCount, isFirst: !hasStated, finality, likelihood };
  const judged = endpoint(said, lexiconOf(config).words, { thresholdMs, endpointing, patience });
  const delayMs = judged.delayMs + (endpointing === 'adaptive' ? Math.round(context.wentOn * WENT_ON_MS) : 0);
  if (openingAtMs !== null) return { ...judged, delayMs: Math.min(delayMs, HELLO_MS) };
  if (faint) return { ...judged, delayMs: Math.max(delayMs, FAINT_MS) };
  return { ...judged, delayMs: overlong ? Math.min(delayMs, BREATH_MS) : delayMs };
}
