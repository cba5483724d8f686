/** A request or an answer: JSON is indented, other text is shown unchanged. */
export function Payload({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="payload" aria-label={label} tabIndex={0}>
      <pre>{indented(text)}</pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
