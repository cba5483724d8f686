// A caller who gives a number or a spelling in groups waits after each for a sign that it was heard. It is given
// without taking the turn, and the next group joins it.
import { type Heard, heardText, newestText } from './heard.ts';
import { arm, disarm, type Step } from './turn-context.ts';

/** Silence after a group of a number; people answer each other's groups after some 700 ms. */
const ACKNOWLEDGE_MS = 650;
/** Later, the caller goes on by themselves. */
const ACKNOWLEDGE_BY_MS = 1_200;

/** Once for each silence, and only while the caller may still be waiting for it. */
export function acknowledgeSoon(step: Step, heard: Heard): void {
  const { config, context, nowMs } = step;
  const { lastSpeechAtMs } = heard;
  const isDone = context.acknowledged?.speechEndMs === lastSpeechAtMs || nowMs > lastSpeechAtMs + ACKNOWLEDGE_BY_MS;
  if (config.groupAcknowledgement === 'none' || isDone || newestText(heard) === '') disarm(step, 'acknowledge');
  else arm(step, 'acknowledge', Math.max(nowMs, lastSpeechAtMs + ACKNOWLEDGE_MS));
}

/** The caller has waited: says that the group was heard. */
export function acknowledge(step: Step, heard: Heard): void {
  disarm(step, 'acknowledge');
  const words = heardText(heard).text.split(/\s+/);
  const group = words.slice(step.context.acknowledged?.words ?? 0).join(' ');
  step.context.acknowledged = { speechEndMs: heard.lastSpeechAtMs, words: words.length };
  step.effects.push({ type: 'acknowledge', text: step.config.groupAcknowledgement === 'repeat' ? group : null });
}
