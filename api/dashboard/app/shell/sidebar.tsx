// Navigation, the signed-in user, light or dark theme.
import { useEffect, useState } from 'preact/hooks';
import { call } from '../client.ts';
import { NAVIGATION, type NavigationGroup } from '../pages.ts';
import { go, link } from '../router.ts';
import { session, signOutHere } from '../session.ts';
import { applyTheme, type Theme, theme } from '../theme.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/fields/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { chooseLanguage, languageChoices, pageLanguage, t } from '../words/words.ts';
import { Brand } from './brand.tsx';

const isAt = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);

/** The foldable group of a page. */
const groupOf = (path: string): string | undefined =>
  NAVIGATION.find(({ isFolded, links }) => isFolded && links.some(([to]) => isAt(path, to)))?.title;

export function Sidebar({ isOpen, path, onFind }: { isOpen: boolean; path: string; onFind: () => void }) {
  const isAdmin = session.value?.user.role === 'ADMIN';
  const [unfolded, setUnfolded] = useState<string | null>('Set-up');
  const current = groupOf(path);
  useEffect(() => {
    if (current !== undefined) setUnfolded(current);
  }, [current]);
  return (
    <header class={`sidebar ${isOpen ? 'open' : ''}`}>
      <Brand />
      <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
        <Icon name="search" />
        <span>{t('Go to …')}</span>
        <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label={t('Pages')}>
        {NAVIGATION.filter((group) => isAdmin || !group.isAdmin).map((group) => (
          <Group
            key={group.title}
            group={group}
            path={path}
            isUnfolded={unfolded === group.title}
            onFold={() => setUnfolded(unfolded === group.title ? null : group.title)}
          />
        ))}
      </nav>
      <div class="foot">
        <div class="pair">
          <Select<Theme>
            label={t('Appearance')}
            value={theme.value}
            onChange={applyTheme}
            choices={[
              { value: 'system', text: t('System') },
              { value: 'light', text: t('Light') },
              { value: 'dark', text: t('Dark') },
            ]}
          />
          <Select
            label={t('Shown in')}
            value={pageLanguage()}
            onChange={(language) => void chooseLanguage(language)}
            choices={languageChoices()}
          />
        </div>
        <span class="row spread">
          <a href="docs/">{t('API reference')}</a>
          <Button isSmall onClick={() => void signOut()}>
            {t('Sign out')}
          </Button>
        </span>
        <span class="soft clipped" title={session.value?.user.email}>
          {session.value?.user.email}
        </span>
      </div>
    </header>
  );
}

function Group({
  group: { title, isFolded, links },
  path,
  isUnfolded,
  onFold,
}: {
  group: NavigationGroup;
  path: string;
  isUnfolded: boolean;
  onFold: () => void;
}) {
  const list = (
    <ul>
      {links.map(([to, text, icon]) => (
        <li key={to}>
          <a href={link(to)} aria-current={isAt(path, to) ? 'page' : undefined}>
            <Icon name={icon} />
            {t(text)}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <div>
      <h2>
        {isFolded ? (
          <button type="button" aria-expanded={isUnfolded} onClick={onFold}>
            {t(title)}
            <Icon name="chevron-right" />
          </button>
        ) : (
          t(title)
        )}
      </h2>
      {(!isFolded || isUnfolded) && list}
    </div>
  );
}

async function signOut(): Promise<void> {
  await call('logout', {}).catch(() => undefined);
  const url = signOutHere();
  if (url !== null) location.replace(url);
  else go(link('/sign-in'), { replace: true });
}
