// A record's past as a list of steps, each with its time.
import type { ComponentChildren } from 'preact';
import type { Tone } from './layout.tsx';
import { Time } from './time.tsx';

export interface HistoryStep {
  title: string;
  at: string | null;
  text?: ComponentChildren;
  tone?: Tone;
}

/** The history of a record, from the first step to the last. A step without a time is in the future. */
export function History({ label, steps }: { label: string; steps: readonly HistoryStep[] }) {
  return (
    <ol class="history" aria-label={label}>
      {steps.map(({ title, at, text, tone = 'neutral' }) => (
        <li key={`${title}-${at}`} class={at === null ? 'ahead' : tone}>
          <strong>{title}</strong> {at !== null && <Time at={at} />}
          {text !== undefined && <div class="small">{text}</div>}
        </li>
      ))}
    </ol>
  );
}
