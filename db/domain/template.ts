// Placeholders in the business's and the campaign's own texts: {{businessName}}, {{agentName}}, {{callerName}}, and the
// variables of the call. A value is put in once and as it is: placeholders inside it are not filled.

export interface TemplateNames {
  businessName: string;
  agentName: string;
  callerName: string | null;
  /** By their exact names; they come before the three names above. */
  variables?: Readonly<Record<string, string>>;
}

/** All values together in one text that is spoken: about two minutes of speech. */
const SPOKEN_VALUES_MAX_CHARS = 2_000;
const PROMPT_VALUES_MAX_CHARS = 16_000;

const SPOKEN_PLACEHOLDER = /\$?\{\{?\s*([\w.\s]+?)\s*\}?\}/g;
/** Single braces are left alone: a prompt may show JSON. A blank before an empty one goes with it. */
const PROMPT_PLACEHOLDER = /([ \t]*)\{\{[ \t]*(\w[\w. \t]{0,99}?)[ \t]*\}\}/g;

/**
 * Fills a text for the voice: `{{name}}`, also written `{name}` or `${name}`. The three known names are found in any
 * case and with any separators. An unknown or empty name is left out, together with the comma and the space before it.
 */
export function fillTemplate(template: string, names: TemplateNames): string {
  const take = withinBudget(SPOKEN_VALUES_MAX_CHARS);
  return template
    .replace(SPOKEN_PLACEHOLDER, (_, name: string) => take(valueFor(name, names)))
    .replace(/\s+([,.;:!?])/g, '$1')
    .replace(/,(?=[,.;:!?])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Fills a text for the model: `{{name}}` only, and its lines stay as they are. An unknown or empty name is left out.
 */
export function fillPrompt(template: string, names: TemplateNames): string {
  const take = withinBudget(PROMPT_VALUES_MAX_CHARS);
  return template
    .replace(PROMPT_PLACEHOLDER, (_, blank: string, name: string) => {
      const value = take(valueFor(name, names));
      return value === '' ? '' : blank + value;
    })
    .trim();
}

/** The names in a spoken text or a prompt that would be left out, as they are written. */
export function missingNames(template: string, names: TemplateNames, kind: 'spoken' | 'prompt'): string[] {
  const written =
    kind === 'spoken'
      ? [...template.matchAll(SPOKEN_PLACEHOLDER)].map((match) => match[1])
      : [...template.matchAll(PROMPT_PLACEHOLDER)].map((match) => match[2]);
  return written.filter((name) => name !== undefined && valueFor(name, names) === '') as string[];
}

/** Whether a prompt reads differently from call to call of the same business and agent. */
export function variesByCall(template: string, { variables = {} }: Pick<TemplateNames, 'variables'>): boolean {
  return [...template.matchAll(PROMPT_PLACEHOLDER)].some(
    ([, , name = '']) =>
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

/** Values one after the other; what exceeds `maxChars` altogether is cut off. */
function withinBudget(maxChars: number): (value: string) => string {
  let left = maxChars;
  return (value) => {
    const taken = value.slice(0, left);
    left -= taken.length;
    return taken;
  };
}
