// A text with links: `Take one under [Numbers].`
import type { ComponentChildren } from 'preact';

const ELSEWHERE = { target: '_blank', rel: 'noreferrer' };

interface LinkedProps {
  text: string;
  /** The addresses of the texts in brackets, in their order. */
  to: readonly string[];
  /** In a window of its own. */
  isElsewhere?: boolean;
}

export function Linked({ text, to, isElsewhere = false }: LinkedProps): ComponentChildren {
  return text.split(/\[([^\]]*)\]/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={to[(index - 1) / 2]} {...(isElsewhere ? ELSEWHERE : {})}>
        {part}
      </a>
    ),
  );
}
