// The steps of a page that leads through something: what is done, what comes now, what is left.
import { t } from '../words/words.ts';

interface StepsProps {
  texts: readonly string[];
  at: number;
  /** Steps behind that were left out. */
  skipped?: readonly number[];
  /** The address of a step that is done, where it can be gone back to. */
  linkTo?: (index: number) => string;
}

const markOf = (index: number, at: number, skipped: readonly number[]): string | number =>
  index >= at ? index + 1 : skipped.includes(index) ? '–' : '✓';

export function Steps({ texts, at, skipped = [], linkTo }: StepsProps) {
  return (
    <ol class="wizard-steps" aria-label={t('Steps')}>
      {texts.map((text, index) => (
        <li
          key={text}
          class={index < at && !skipped.includes(index) ? 'done' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span aria-hidden="true">{markOf(index, at, skipped)}</span>{' '}
          {linkTo !== undefined && index < at ? <a href={linkTo(index)}>{text}</a> : text}
        </li>
      ))}
    </ol>
  );
}
