// Placeholders of a tool's URL, headers and fixed arguments: {{name}}. In a URL each value becomes one segment or one
// value of the query, whatever it contains: it can name no other host, path or parameter.

const PLACEHOLDER = /\{\{[ \t]?(\w{1,100})[ \t]?\}\}/g;
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

export class MissingValue extends Error {
  constructor(valueName: string) {
    super(`There is no usable value for {{${valueName}}}.`);
    this.name = 'MissingValue';
  }
}

/** The names of a text's placeholders. */
export function placeholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/** Whether braces stand there that are no placeholder: `{{größe}}`, `{{ }}`. */
export const hasOtherBraces = (text: string): boolean => text.replace(PLACEHOLDER, '').includes('{{');

/** Fills a text; an unknown name is left out. Control characters, line breaks too, become blanks. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => own(values, name) ?? '').replace(CONTROL_CHARACTERS, ' ');
}

/**
 * Fills a URL whose host has no placeholder.
 * @throws {MissingValue} for one in the path that has no value, or one that would leave its segment (`..`)
 */
export function fillUrl(url: string, values: Readonly<Record<string, string>>): string {
  const queryAt = url.indexOf('?');
  return url.replace(PLACEHOLDER, (_, name: string, at: number) => {
    const value = own(values, name) ?? '';
    const isInPath = queryAt < 0 || at < queryAt;
    if (isInPath && (value === '' || /^\.{1,2}$/.test(value))) throw new MissingValue(name);
    // Half of a surrogate pair is no character: it becomes U+FFFD, as in the bytes of a JSON body.
    return encodeURIComponent(value.toWellFormed());
  });
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
