// The keys of a recording's player: space, the arrows, and j and k for the next line and the one before.
import type { Player } from './player.ts';

const ARROW_SECONDS = 5;
/** The line that plays is played again from its beginning only after so much of it. */
const BEGUN_MS = 1_500;

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Asked for by a key; by letters only `inside` the conversation, because they are words' elsewhere. */
export function pressed(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { atMs, isInside, lines }: { atMs: number; isInside: boolean; lines: readonly number[] },
): { seekMs: number } | { playMs: number } | 'toggle' | null {
  if (ctrlKey || metaKey || altKey) return null;
  switch (key) {
    case ' ':
      return 'toggle';
    case 'ArrowLeft':
      return { seekMs: Math.max(0, atMs - ARROW_SECONDS * 1_000) };
    case 'ArrowRight':
      return { seekMs: atMs + ARROW_SECONDS * 1_000 };
    case 'j': {
      const next = isInside ? lines.find((line) => line > atMs) : undefined;
      return next === undefined ? null : { playMs: next };
    }
    case 'k': {
      const before = isInside ? lines.findLast((line) => line < atMs - BEGUN_MS) : undefined;
      return before === undefined ? null : { playMs: before };
    }
    default:
      return null;
  }
}

const TYPED_INTO = 'input, textarea, select, [contenteditable]';
/** Elements that have a use of their own for space, or for the arrows. */
const USES_SPACE = 'button, a, summary';

/** @returns a function that ends it */
export function listenToKeys(player: Player, inside: HTMLElement, lines: readonly number[]): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || event.defaultPrevented || !player.isReady.peek()) return;
    if (target.closest(TYPED_INTO) !== null || document.querySelector('dialog[open]') !== null) return;
    const isLine = target.classList.contains('transcript-line');
    // While a line plays, space ends it, as everywhere; else it plays the line that has the focus.
    if (event.key === ' ' && target.closest(USES_SPACE) !== null && !(isLine && player.isPlaying.peek())) return;
    const asked = pressed(event, { atMs: player.atSeconds.peek() * 1_000, isInside: inside.contains(target), lines });
    if (asked === null) return;
    event.preventDefault();
    if (asked === 'toggle') player.toggle();
    else if ('seekMs' in asked) player.seek(Math.min(asked.seekMs / 1_000, player.durationSeconds.peek()));
    else player.playFrom(asked.playMs);
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
