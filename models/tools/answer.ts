// Another system's answer, as the model gets it: JSON where it is JSON, and never more than a few thousand characters.
// It is shortened by rule: long lists keep their first items and say how many are left out, long texts keep their
// beginning, deep objects end in an ellipsis.

/** For the model, in characters of JSON. */
const MAX_CHARS = 4_000;
const STEPS = [
  { items: 20, chars: 500, depth: 8 },
  { items: 10, chars: 300, depth: 6 },
  { items: 5, chars: 160, depth: 5 },
  { items: 3, chars: 80, depth: 4 },
];
const MAX_NAMES = 60;

/** The body of an answer: a JSON value, or text without tags; null without a body. */
export function readAnswer(body: Buffer, contentType: string): unknown {
  const text = body.toString('utf8').trim();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return contentType.includes('html') ? withoutTags(text) : text;
  }
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** For the model. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_CHARS / 2);
  for (const step of STEPS) {
    const short = shorten(value, step, 0);
    if (JSON.stringify(short).length <= MAX_CHARS) return short;
  }
  return `${JSON.stringify(value).slice(0, MAX_CHARS / 2)}…`;
}

function shorten(value: unknown, step: (typeof STEPS)[number], depth: number): unknown {
  if (typeof value === 'string') return cut(value, step.chars);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= step.depth) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, step.items).map((item) => shorten(item, step, depth + 1));
    return value.length > step.items ? [...kept, `… ${value.length - step.items} more`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, MAX_NAMES).map(([name, inner]) => [name, shorten(inner, step, depth + 1)] as const);
  return {
    ...Object.fromEntries(kept),
    ...(entries.length > MAX_NAMES ? { '…': `${entries.length - MAX_NAMES} more` } : {}),
  };
}

const cut = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars)}…` : text);

/** The value at a path such as `customer.orders.0.id`; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, name)) return undefined;
    return (at as Record<string, unknown>)[name];
  }, value);
}
