// Placeholders in the business's and the campaign's own texts: {{businessName}}, {{agentName}}, {{callerName}}, and the
// variables of the call. A value is inserted unchanged: placeholders inside it are not filled.

export interface TemplateNames {
  businessName: string;
  agentName: string;
  callerName: string | null;
  /** By their exact names; they come before the three names above. */
  variables?: Readonly<Record<string, string>>;
}

/** Limit of all values together in one spoken text: about two minutes of speech. */
const SPOKEN_VALUES_MAX_CHARS = 2_000;
const PROMPT_VALUES_MAX_CHARS = 16_000;

// Names are bounded, so that a text of braces and blanks costs linear time.
const SPOKEN_PLACEHOLDER = /\$?\{\{?([\w.\s]{1,120})\}?\}/g;
/** Single braces are left alone: a prompt may show JSON. */
const PROMPT_PLACEHOLDER = /\{\{([\w. \t]{1,120})\}\}/g;

interface Placeholder {
  name: string;
  /** Its start and end in the text. */
  from: number;
  to: number;
}

function placeholdersIn(template: string, kind: 'spoken' | 'prompt'): Placeholder[] {
  const found = [...template.matchAll(kind === 'spoken' ? SPOKEN_PLACEHOLDER : PROMPT_PLACEHOLDER)];
  return found
    .map(({ 0: whole, 1: name = '', index }) => ({ name: name.trim(), from: index, to: index + whole.length }))
    .filter(({ name }) => kind === 'spoken' || /^\w/.test(name));
}

/**
 * Fills a text for the voice: `{{name}}`, also written `{name}` or `${name}`. The three known names are found in any
 * case and with any separators. An unknown or empty name is left out, together with the comma and the space before it.
 */
export function fillTemplate(template: string, names: TemplateNames): string {
  const take = withinBudget(SPOKEN_VALUES_MAX_CHARS);
  return template
    .replace(SPOKEN_PLACEHOLDER, (_, name: string) => take(valueFor(name.trim(), names)))
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;:!?])/g, '$1')
    .replace(/,(?=[,.;:!?])/g, '')
    .trim();
}

/**
 * Fills a text for the model: `{{name}}` only, and its lines stay as they are. An unknown or empty name is left out,
 * together with the blanks before it.
 */
export function fillPrompt(template: string, names: TemplateNames): string {
  const take = withinBudget(PROMPT_VALUES_MAX_CHARS);
  let filled = '';
  let at = 0;
  for (const { name, from, to } of placeholdersIn(template, 'prompt')) {
    const value = take(valueFor(name, names));
    const before = template.slice(at, from);
    filled += value === '' ? withoutLastBlanks(before) : before + value;
    at = to;
  }
  return (filled + template.slice(at)).trim();
}

function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}

/** The names in a spoken text or a prompt that would be left out, as written. */
export function missingNames(template: string, names: TemplateNames, kind: 'spoken' | 'prompt'): string[] {
  return placeholdersIn(template, kind).flatMap(({ name }) => (valueFor(name, names) === '' ? [name] : []));
}

/** Whether a prompt reads differently from call to call of the same business and agent. */
export function variesByCall(template: string, { variables = {} }: Pick<TemplateNames, 'variables'>): boolean {
  return placeholdersIn(template, 'prompt').some(
    ({ name }) =>
      Object.hasOwn(variables, name) || !['businessname', 'business', 'agentname', 'agent'].includes(plain(name)),
  );
}

const plain = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase();

function valueFor(name: string, { variables = {}, businessName, agentName, callerName }: TemplateNames): string {
  if (Object.hasOwn(variables, name)) return variables[name] ?? '';
  switch (plain(name)) {
    case 'businessname':
    case 'business':
      return businessName;
    case 'agentname':
    case 'agent':
      return agentName;
    case 'callername':
    case 'name':
      return callerName ?? '';
    default:
      return '';
  }
}

/** Cuts consecutive values at `maxChars` in total. */
function withinBudget(maxChars: number): (value: string) => string {
  let left = maxChars;
  return (value) => {
    const taken = value.slice(0, left);
    left -= taken.length;
    return taken;
  };
}
