// The words of a page in the language of its reader. A text is found by its English words; a table that lacks one
// leaves it English. Pages are English unless they call `useWords`.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

type Table = Readonly<Record<string, string>>;

const TABLES = {
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  it: () => import('./it.ts'),
  nl: () => import('./nl.ts'),
  pt: () => import('./pt.ts'),
} satisfies Readonly<Record<string, () => Promise<{ default: Table }>>>;

type PageLanguage = 'en' | keyof typeof TABLES;
export const PAGE_LANGUAGES = ['en', ...Object.keys(TABLES)] as readonly PageLanguage[];

const KEY = 'voice.language';
const isPageLanguage = (language: string | null | undefined): language is PageLanguage =>
  PAGE_LANGUAGES.some((each) => each === language);
const baseOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** The reader's own choice, else the first language of the browser that there is a table for. */
function wantedLanguage(): PageLanguage {
  const chosen = localStorage.getItem(KEY);
  if (isPageLanguage(chosen)) return chosen;
  return navigator.languages.map(baseOf).find(isPageLanguage) ?? 'en';
}

/** Null on a page that is English only. */
const shown = signal<{ language: PageLanguage; table: Table } | null>(null);

async function show(language: PageLanguage): Promise<void> {
  const table = language === 'en' ? {} : (await TABLES[language]()).default;
  shown.value = { language, table };
  document.documentElement.lang = language;
}

/** Marks a text that is shown by `t` elsewhere: this is read once, for every language. */
export const words = <Text extends string>(text: Text): Text => text;

/** @param values stand in the text as `{name}` */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const said = shown.value?.table[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** For names of days and languages; undefined, the browser's own, unless the page is in another language. */
export function pageLocale(): string | undefined {
  const language = shown.value?.language;
  return language === undefined || language === baseOf(navigator.language) ? undefined : language;
}

/** Has the page in the reader's language as long as it is shown; `isReady` is false until its words are loaded. */
export function useWords() {
  useEffect(() => {
    show(wantedLanguage()).catch(() => show('en'));
    return () => {
      shown.value = null;
      document.documentElement.lang = 'en';
    };
  }, []);
  return {
    language: shown.value?.language ?? 'en',
    isReady: shown.value !== null,
    choose: (language: string) => {
      if (!isPageLanguage(language)) return;
      localStorage.setItem(KEY, language);
      void show(language);
    },
  };
}
