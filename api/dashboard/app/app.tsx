// Chooses the page for the address, and checks that the user may see it.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, unreachable } from './client.ts';
import type { PageProps } from './page-props.ts';
import { PAGES, type PageEntry } from './pages.ts';
import { go, link, match, route } from './router.ts';
import { session, updateUser } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { ButtonLink } from './ui/button.tsx';
import { Confirmation } from './ui/dialog.tsx';
import { Empty, Page } from './ui/layout.tsx';
import { ErrorNotice, Loading } from './ui/status.tsx';
import { Toasts } from './ui/toast.tsx';
import { t } from './words/words.ts';

export function App() {
  const { path } = route.value;
  const isSignedIn = session.value !== null;
  const found = findPage(path);
  const isBarred = !isSignedIn && found?.entry.isPublic !== true;

  useEffect(() => {
    if (isBarred) go(link('/sign-in', { next: path === '/' ? undefined : location.hash.slice(1) }), { replace: true });
  }, [isBarred, path]);
  // The role or the second factor may have changed since the sign-in.
  useEffect(() => {
    if (!isSignedIn) return;
    call('getCurrentUser', {}).then(
      ({ data }) => updateUser(data),
      () => undefined,
    );
  }, [isSignedIn]);

  if (isBarred) return null;
  const page = found === null ? <MissingPage /> : <LoadedPage entry={found.entry} params={found.params} key={path} />;
  return (
    <>
      {found?.entry.isPublic ? page : <Shell>{page}</Shell>}
      <Confirmation />
      <Toasts />
    </>
  );
}

function findPage(path: string): { entry: PageEntry; params: Record<string, string> } | null {
  for (const entry of PAGES) {
    const params = match(entry.pattern, path);
    if (params !== null) return { entry, params };
  }
  return null;
}

const loaded = new Map<PageEntry['load'], ComponentType<PageProps>>();

function LoadedPage({ entry, params }: { entry: PageEntry; params: Record<string, string> }) {
  const [Component, setComponent] = useState<ComponentType<PageProps> | null>(() => loaded.get(entry.load) ?? null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (Component !== null) return;
    entry.load().then(
      ({ default: page }) => {
        loaded.set(entry.load, page);
        setComponent(() => page);
      },
      () => setLost(true),
    );
  }, [entry, Component]);
  useEffect(() => {
    if (Component === null) return;
    scrollTo(0, 0);
    // Screen readers announce the new page's name; a focus by script draws no ring.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [Component]);
  if (isLost) return <ErrorNotice error={unreachable()} onRetry={reloadWhenReachable} />;
  return Component === null ? <Loading /> : <Component params={params} />;
}

/**
 * After an upgrade the old page asks for files that no longer exist, and a browser does not ask twice for a file that
 * it could not get: all is loaded again. Without the service the browser would show a page of its own in its place.
 */
function reloadWhenReachable(): void {
  fetch(location.pathname, { cache: 'no-store' }).then(
    () => location.reload(),
    () => undefined,
  );
}

function MissingPage() {
  return (
    <Page title={t('Page not found')}>
      <Empty
        title={t('There is no such page')}
        action={<ButtonLink href={link('/')}>{t('To the overview')}</ButtonLink>}
      >
        {t('The address may be misspelt, or come from another version of the service.')}
      </Empty>
    </Page>
  );
}
