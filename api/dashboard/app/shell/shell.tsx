// The frame of every page.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePalette } from '../palette/use-palette.tsx';
import { route } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import { Brand } from './brand.tsx';
import { Sidebar } from './sidebar.tsx';

export function Shell({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const palette = usePalette();
  const { path } = route.value;
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpen(false);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="shell">
      <button
        type="button"
        class="button primary skip"
        onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      >
        {t('Skip to the page')}
      </button>
      <header class="topbar">
        <Brand />
        <span class="row">
          <Button isSmall onClick={palette.open}>
            {t('Go to …')}
          </Button>
          <Button isSmall onClick={() => setOpen(!isOpen)} label={isOpen ? t('Close the menu') : t('Open the menu')}>
            <Icon name={isOpen ? 'x' : 'menu'} />
          </Button>
        </span>
      </header>
      {isOpen && (
        <button type="button" class="backdrop" aria-label={t('Close the menu')} onClick={() => setOpen(false)} />
      )}
      <Sidebar isOpen={isOpen} path={path} onFind={palette.open} />
      <main class="main">{children}</main>
      {palette.element}
    </div>
  );
}
