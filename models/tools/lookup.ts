// Asks a business's own system about a call that begins: variables, instructions, another agent or campaign, or that it
// is not to be taken. Its answer is read field by field; a field that does not fit is left out.

/** The question, as JSON. */
export interface LookupFacts {
  callId: string;
  direction: 'inbound' | 'outbound';
  /** E.164, or as the line gave it. */
  fromNumber: string;
  toNumber: string;
  callerName: string | null;
  businessId: string;
  campaignId: string;
  agentId: string;
  variables: Readonly<Record<string, string>>;
}

export interface LookupAnswer {
  variables: Record<string, string>;
  /** Added to the campaign's; null: none. */
  instructions: string | null;
  callerName: string | null;
  agentId: string | null;
  campaignId: string | null;
  /** Why the call is not to be taken; null: it is. */
  refusal: string | null;
}

const MAX_VARIABLES = 50;
const MAX_VALUE_CHARS = 500;
const MAX_NAME_CHARS = 200;
const MAX_INSTRUCTION_CHARS = 4_000;

/** PostgreSQL stores no NUL. */
const plain = (text: string): string => text.replaceAll('\0', '');

/** Null for what is no JSON object. */
export function readLookup(body: unknown): LookupAnswer | null {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null;
  const { variables, instructions, callerName, agentId, campaignId, reject } = body as Record<string, unknown>;
  return {
    variables: readVariables(variables),
    instructions: textOf(instructions, MAX_INSTRUCTION_CHARS),
    callerName: textOf(callerName, MAX_NAME_CHARS),
    agentId: textOf(agentId, MAX_NAME_CHARS),
    campaignId: textOf(campaignId, MAX_NAME_CHARS),
    refusal: reject === true ? 'refused' : textOf(reject, MAX_NAME_CHARS),
  };
}

function readVariables(value: unknown): Record<string, string> {
  if (value === null || typeof value !== 'object') return {};
  const known = Object.entries(value).filter(([name, each]) => /^\w{1,100}$/.test(name) && isScalar(each));
  return Object.fromEntries(
    known.slice(0, MAX_VARIABLES).map(([name, each]) => [name, plain(String(each)).slice(0, MAX_VALUE_CHARS)]),
  );
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function textOf(value: unknown, maxChars: number): string | null {
  const text = typeof value === 'string' ? plain(value).trim() : '';
  return text === '' ? null : text.slice(0, maxChars);
}
