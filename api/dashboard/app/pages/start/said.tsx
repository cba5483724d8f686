// The words of a page that say a fact, and where they stand.
import { t } from '../../words/words.ts';
import type { Source } from './facts.ts';

const pathOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`;
};

export function Said({ source }: { source: Source | undefined }) {
  if (source === undefined) return null;
  return (
    <span class="said">
      {source.by === 'data' ? `${t('From the part of the page that search engines read:')} ` : ''}“{source.text}”{' '}
      <a href={source.url} target="_blank" rel="noreferrer">
        {pathOf(source.url)}
      </a>
    </span>
  );
}
