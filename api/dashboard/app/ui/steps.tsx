// The steps of a page that leads through something: what is done, what comes now, what is left.

interface StepsProps {
  texts: readonly string[];
  at: number;
  /** The address of a step that is done, where it can be gone back to. */
  linkTo?: (index: number) => string;
}

export function Steps({ texts, at, linkTo }: StepsProps) {
  return (
    <ol class="wizard-steps" aria-label="Steps">
      {texts.map((text, index) => (
        <li key={text} class={index < at ? 'done' : ''} aria-current={index === at ? 'step' : undefined}>
          <span aria-hidden="true">{index < at ? '✓' : index + 1}</span>{' '}
          {linkTo !== undefined && index < at ? <a href={linkTo(index)}>{text}</a> : text}
        </li>
      ))}
    </ol>
  );
}
