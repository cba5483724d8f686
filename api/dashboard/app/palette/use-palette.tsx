// Opens the palette by Ctrl K or a button; what is typed before it is there is in its field.
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Palette = ComponentType<{ initial: string; onClose: () => void }>;

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey;

/** The text after a key; null if the key writes none. */
function textAfter(text: string, { key, ctrlKey, metaKey }: KeyboardEvent): string | null {
  if (ctrlKey || metaKey) return null;
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}

/** The function that opens the palette, and its element, null while it is closed or being loaded. */
export function usePalette() {
  const [isOpen, setOpen] = useState(false);
  const [Palette, setPalette] = useState<Palette | null>(null);
  /** Typed since the palette was asked for; null once it has its own field, and while nobody asks for it. */
  const early = useRef<string | null>(null);
  const open = () => {
    early.current ??= '';
    setOpen(true);
  };
  const close = () => {
    early.current = null;
    setOpen(false);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        // Another dialog asks something first.
        if (document.querySelector('dialog[open]') === null) open();
        return;
      }
      if (early.current === null) return;
      if (event.key === 'Escape') close();
      const text = textAfter(early.current ?? '', event);
      if (text === null) return;
      event.preventDefault();
      early.current = text;
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
  useEffect(() => {
    if (!isOpen || Palette !== null) return;
    import('./palette.tsx').then((loaded) => setPalette(() => loaded.default), close);
  }, [isOpen, Palette]);
  // Runs in the same turn as the palette's first render: no key falls between the two.
  useLayoutEffect(() => {
    if (isOpen && Palette !== null) early.current = null;
  }, [isOpen, Palette]);

  return { open, element: isOpen && Palette !== null && <Palette initial={early.current ?? ''} onClose={close} /> };
}
