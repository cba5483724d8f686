// The steps of a page that leads through something: what is done, what comes now, what is left.

export function Steps({ texts, at }: { texts: readonly string[]; at: number }) {
  return (
    <ol class="wizard-steps" aria-label="Steps">
      {texts.map((text, index) => (
        <li key={text} class={index < at ? 'done' : ''} aria-current={index === at ? 'step' : undefined}>
          <span aria-hidden="true">{index < at ? '✓' : index + 1}</span> {text}
        </li>
      ))}
    </ol>
  );
}
