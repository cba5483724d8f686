// The frame of every page.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Brand } from './brand.tsx';
import { route } from './router.ts';
import { Sidebar } from './sidebar.tsx';
import { Button } from './ui/button.tsx';

type Palette = ComponentType<{ onClose: () => void }>;

export function Shell({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [Palette, setPalette] = useState<Palette | null>(null);
  const { path } = route.value;
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Another dialog asks something first.
      if (document.querySelector('dialog[open]') === null) setFinding(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (!isFinding || Palette !== null) return;
    import('./palette/palette.tsx').then(
      (loaded) => setPalette(() => loaded.default),
      () => setFinding(false),
    );
  }, [isFinding, Palette]);
  return (
    <div class="shell">
      <button
        type="button"
        class="button primary skip"
        onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      >
        Skip to the page
      </button>
      <header class="topbar">
        <Brand />
        <span class="row">
          <Button isSmall onClick={() => setFinding(true)}>
            Go to …
          </Button>
          <Button isSmall onClick={() => setOpen(!isOpen)} label={isOpen ? 'Close the menu' : 'Open the menu'}>
            ☰
          </Button>
        </span>
      </header>
      {isOpen && <button type="button" class="backdrop" aria-label="Close the menu" onClick={() => setOpen(false)} />}
      <Sidebar isOpen={isOpen} path={path} onFind={() => setFinding(true)} />
      <main class="main">{children}</main>
      {isFinding && Palette !== null && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}
