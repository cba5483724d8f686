// A text with links: `Take one under [Numbers].`
import type { ComponentChildren } from 'preact';

/** @param to the addresses of the texts in brackets, in their order */
export function Linked({ text, to }: { text: string; to: readonly string[] }): ComponentChildren {
  return text.split(/\[([^\]]*)\]/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={to[(index - 1) / 2]}>
        {part}
      </a>
    ),
  );
}
