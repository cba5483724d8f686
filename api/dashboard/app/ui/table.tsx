// Tables that become a list of cards on a phone, and the navigation through their pages.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pagination as PageInfo } from '../api-types.ts';
import { formatNumber } from '../format.ts';
import { link, route, setQuery } from '../router.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  /** A text of any length, of which a line is enough here. */
  isLine?: boolean;
}

export interface TableProps<T> {
  label: string;
  rows: readonly T[];
  columns: ReadonlyArray<Column<T>>;
  keyOf: (row: T) => string;
}

export function Table<T>({ label, rows, columns, keyOf }: TableProps<T>) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    const table = element?.querySelector('table');
    if (!element || !table) return;
    // In a frame that scrolls, a head cannot stay at the top of the window.
    const sizes = new ResizeObserver(() => {
      element.classList.toggle('scrolls', table.offsetWidth > element.clientWidth);
    });
    sizes.observe(element);
    sizes.observe(table);
    return () => sizes.disconnect();
  }, []);
  return (
    <div class="table-frame" ref={frame}>
      <table class="table stacks" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'end' : ''}>
                {title === '' ? <span class="visually-hidden">{t('Actions')}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isLine }) => (
                <td key={title} data-label={title} class={isNumber ? 'end number' : isLine ? 'line' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `page` of the address. */
export const currentPage = (): number => Math.max(1, Number(route.value.query.get('page')) || 1);

export function Pages({ of }: { of: PageInfo }) {
  if (of.totalPages <= 1) return <p class="small soft">{countOf(of.total)}</p>;
  return (
    <nav class="row spread" aria-label={t('Pages of the list')}>
      <span class="small soft">
        {t('Page {page} of {pages}, {total}', {
          page: formatNumber(of.page),
          pages: formatNumber(of.totalPages),
          total: countOf(of.total),
        })}
      </span>
      <span class="row">
        <Button isSmall disabled={!of.hasPrev} onClick={() => setQuery({ page: of.page - 1 })}>
          {t('Previous')}
        </Button>
        <Button isSmall disabled={!of.hasNext} onClick={() => setQuery({ page: of.page + 1 })}>
          {t('Next')}
        </Button>
      </span>
    </nav>
  );
}

const countOf = (total: number): string => t('{count} in all', { count: formatNumber(total) });

/** Tabs of a page, each with its own address. */
export function Tabs<T extends string>({ tabs, current }: { tabs: ReadonlyArray<[T, string]>; current: T }) {
  const { path } = route.value;
  const bar = useRef<HTMLElement>(null);
  const texts = tabs.map(([, text]) => text).join();
  useEffect(() => {
    const chosen = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (!bar.current || !chosen) return;
    const before = chosen.offsetLeft - bar.current.offsetLeft;
    bar.current.scrollTo({ left: before - (bar.current.clientWidth - chosen.offsetWidth) / 2 });
  }, [current, texts]);
  return (
    <nav class="tabs" aria-label={t('Parts of this page')} ref={bar}>
      {tabs.map(([name, text], index) => (
        <a
          key={name}
          href={link(path, { tab: index === 0 ? undefined : name })}
          aria-current={name === current ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The tab named in the address, else the first. */
export function currentTab<T extends string>(tabs: ReadonlyArray<[T, string]>): T {
  const wanted = route.value.query.get('tab');
  const [first] = tabs;
  return (tabs.find(([name]) => name === wanted) ?? first)?.[0] as T;
}
