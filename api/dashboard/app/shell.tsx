// The frame of every page: navigation, signed-in user, light or dark theme.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from './client.ts';
import { NAVIGATION } from './pages.ts';
import { go, link, route } from './router.ts';
import { session, signOutHere } from './session.ts';
import { applyTheme, type Theme, theme } from './theme.ts';
import { Button } from './ui/button.tsx';
import { Select } from './ui/field.tsx';
import { PRODUCT } from './ui/layout.tsx';

export function Brand() {
  return (
    <a class="brand" href={link('/')}>
      <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" aria-hidden="true">
        <title>{PRODUCT}</title>
        <path d="M2 10h2M6 6v8M10 3v14M14 6v8M18 10h0" stroke-width="2" stroke-linecap="round" />
      </svg>
      {PRODUCT}
    </a>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const { path } = route.value;
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
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
        Skip to the page
      </button>
      <div class="topbar">
        <Brand />
        <Button isSmall onClick={() => setOpen(!isOpen)} label={isOpen ? 'Close the menu' : 'Open the menu'}>
          ☰
        </Button>
      </div>
      {isOpen && <button type="button" class="backdrop" aria-label="Close the menu" onClick={() => setOpen(false)} />}
      <Sidebar isOpen={isOpen} path={path} />
      <main class="main">{children}</main>
    </div>
  );
}

function Sidebar({ isOpen, path }: { isOpen: boolean; path: string }) {
  const isAdmin = session.value?.user.role === 'ADMIN';
  const isCurrent = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`));
  return (
    <div class={`sidebar ${isOpen ? 'open' : ''}`}>
      <Brand />
      <nav aria-label="Pages">
        {NAVIGATION.filter((group) => isAdmin || !group.isAdmin).map(({ title, links }) => (
          <div key={title}>
            {title !== '' && <h2>{title}</h2>}
            {links.map(([to, text]) => (
              <a
                key={to}
                href={link(to)}
                aria-current={isCurrent(to) ? 'page' : undefined}
                style={{ display: 'block' }}
              >
                {text}
              </a>
            ))}
          </div>
        ))}
      </nav>
      <footer>
        <Select<Theme>
          label="Appearance"
          value={theme.value}
          onChange={applyTheme}
          choices={[
            { value: 'system', text: 'As the system' },
            { value: 'light', text: 'Light' },
            { value: 'dark', text: 'Dark' },
          ]}
        />
        <a href="docs/">API reference</a>
        <span class="soft">{session.value?.user.email}</span>
        <div>
          <Button isSmall onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </footer>
    </div>
  );
}

async function signOut(): Promise<void> {
  await call('logout', {}).catch(() => undefined);
  signOutHere();
  go(link('/sign-in'), { replace: true });
}
