// The words of the dashboard in the language of its reader: the one that they chose, else the first of the browser's
// that there is a table for. A text is found by its English words; where a table lacks it, it stays English.
import { signal } from '@preact/signals';

type Table = Readonly<Record<string, string>>;

const TABLES = {
  de: () => import('./de/table.ts'),
  fr: () => import('./fr/table.ts'),
  es: () => import('./es/table.ts'),
  it: () => import('./it/table.ts'),
  nl: () => import('./nl/table.ts'),
  pt: () => import('./pt/table.ts'),
} satisfies Readonly<Record<string, () => Promise<{ default: Table }>>>;

type PageLanguage = 'en' | keyof typeof TABLES;
const PAGE_LANGUAGES = ['en', ...Object.keys(TABLES)] as readonly PageLanguage[];

const KEY = 'voice.language';
const isPageLanguage = (language: string | null | undefined): language is PageLanguage =>
  PAGE_LANGUAGES.some((each) => each === language);
const baseOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

function wantedLanguage(): PageLanguage {
  const chosen = localStorage.getItem(KEY);
  if (isPageLanguage(chosen)) return chosen;
  return navigator.languages.map(baseOf).find(isPageLanguage) ?? 'en';
}

/** `locale`: undefined, the browser's own, where that is of the language. */
const shown = signal<{ language: PageLanguage; locale: string | undefined; table: Table }>({
  language: 'en',
  locale: undefined,
  table: {},
});

async function show(language: PageLanguage): Promise<void> {
  const table = language === 'en' ? {} : (await TABLES[language]()).default;
  shown.value = { language, locale: localeOf(language), table };
  document.documentElement.lang = language;
}

/** With the region that the browser names; English of none is British, whose clocks have 24 hours. */
function localeOf(language: PageLanguage): string | undefined {
  if (baseOf(navigator.language) === language) return undefined;
  const usual = language === 'en' ? 'en-GB' : language;
  return navigator.languages.find((locale) => baseOf(locale) === language) ?? usual;
}

/** Before the first page is drawn. */
export const loadWords = (): Promise<void> => show(wantedLanguage()).catch(() => show('en'));

export const pageLanguage = (): PageLanguage => shown.value.language;

/** Remembered in this browser; what was drawn is drawn again in it. */
export async function chooseLanguage(language: PageLanguage): Promise<void> {
  await show(language);
  localStorage.setItem(KEY, language);
}

/** Each language is named in itself. */
export const languageChoices = (): Array<{ value: PageLanguage; text: string }> =>
  PAGE_LANGUAGES.map((value) => ({ value, text: ownNameOf(value) }));

function ownNameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Marks a text that is shown by `t` elsewhere: this is read once, for every language. */
export const words = <Text extends string>(text: Text): Text => text;

/** @param values stand in the text as `{name}` */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const said = shown.value.table[text] ?? text;
  return said.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** Choices of a list that stands outside of any page. */
export const said = <C extends { readonly text: string }>(choices: readonly C[]): C[] =>
  choices.map((choice) => ({ ...choice, text: t(choice.text) }));

/** For days, numbers and the names of languages; undefined: the browser's own. */
export const pageLocale = (): string | undefined => shown.value.locale;

/** A format is made anew where the reader chooses another language. */
export function inLocale<Format>(make: (locale: string | undefined) => Format): () => Format {
  let made: { locale: string | undefined; format: Format } | null = null;
  return () => {
    const locale = pageLocale();
    if (made === null || made.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}
