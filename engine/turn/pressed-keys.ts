// The keys that a caller presses, as the turn machine gathers them into entries that wait for the floor.
import { DIGIT_PAUSE_MS, isWholeEntry, MAX_DIGITS } from './key-entry.ts';
import { arm, disarm, MAX_WAITING, type Step } from './turn-context.ts';

/** Takes one more key. */
export function collectDigit(step: Step, digit: string): void {
  const { context } = step;
  context.prompts = 0;
  context.quietSinceMs = step.nowMs;
  context.digits += digit;
  if (isWholeEntry(context.digits, context.expects === 'digits' ? context.digitCount : null)) closeDigits(step);
  else arm(step, 'digits', step.nowMs + DIGIT_PAUSE_MS);
}

export function closeDigits(step: Step): void {
  const { context } = step;
  disarm(step, 'digits');
  if (context.digits === '') return;
  const last = context.digitGroups.at(-1);
  context.digitGroups =
    last !== undefined && context.digitGroups.length >= MAX_WAITING
      ? [...context.digitGroups.slice(0, -1), (last + context.digits).slice(-MAX_DIGITS)]
      : [...context.digitGroups, context.digits];
  context.digits = '';
}
