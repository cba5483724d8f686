// Reads transcripts of conversations, as other products write them, as lines of caller and agent: calls of Vapi and
// Retell as their APIs and webhooks give them, our own, or a plain list of roles and texts.
import { type FieldError, invalid } from '../frame/errors.ts';

export interface SpokenLine {
  role: 'agent' | 'caller';
  text: string;
}

/** Longer ones are no call. */
const LINES_MAX = 1_000;
const TEXT_MAX = 2_000;
const FAULTS_MAX = 20;

/** The names that products give to both sides. */
const ROLES: Readonly<Record<string, SpokenLine['role']>> = {
  ...{ agent: 'agent', assistant: 'agent', bot: 'agent', ai: 'agent' },
  ...{ caller: 'caller', user: 'caller', human: 'caller', customer: 'caller' },
};
/** They are no words of either side: prompts, tools, and the person to whom a caller was put through. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['system', 'developer', 'tool', 'function', 'note', 'dtmf', 'transfer_target', 'node_transition'],
  ...['tool_calls', 'tool_call', 'tool_call_result', 'tool_call_invocation'],
]);
/** The places of the list in a record, the fullest first: `a.b` is `b` in `a`. */
const PLACES = [
  ...['artifact.messages', 'messages', 'artifact.messagesOpenAIFormatted'],
  ...['transcript_object', 'transcript_with_tool_calls', 'transcript', 'turns'],
];
/** Records are wrapped so by webhooks and by lists of one. */
const WRAPPERS = ['', 'call', 'message', 'data', 'message.call'];

/** @throws {ApiError} 422 with the position of what cannot be read */
export function readTranscript(given: unknown): SpokenLine[] {
  const { entries, path } = listIn(given);
  if (entries.length > LINES_MAX) throw invalid([{ field: path, message: `has more than ${LINES_MAX} lines` }]);
  const faults: FieldError[] = [];
  const lines: SpokenLine[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = `${path}[${index}]`;
    const line = lineOf(entry, at);
    if (line === null) continue;
    if ('message' in line) faults.push(line);
    else if (lines.at(-1)?.role === line.role) lines.push({ ...line, text: `${lines.pop()?.text ?? ''} ${line.text}` });
    else lines.push(line);
    const { text = '' } = lines.at(-1) ?? {};
    if (text.length > TEXT_MAX) faults.push({ field: at, message: `makes a turn of more than ${TEXT_MAX} characters` });
    if (faults.length >= FAULTS_MAX) break;
  }
  if (faults.length > 0) throw invalid(faults);
  if (!lines.some(({ role }) => role === 'caller'))
    throw invalid([{ field: path, message: 'has no words of a caller' }]);
  return lines;
}

/** The id of the call of this service whose record it is; undefined: it is another record, or a list of lines. */
export function callIdIn(given: unknown): string | undefined {
  const records = WRAPPERS.map((wrapper) => under(given, wrapper));
  return records.map((record) => memberOf(record, 'id')).find((id): id is string => isCallId(id));
}

const isCallId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('call_');

/** `a.b` is `b` in `a`; the empty path is all of it. */
const under = (given: unknown, path: string): unknown =>
  path === '' ? given : path.split('.').reduce<unknown>((value, name) => memberOf(value, name), given);

function listIn(given: unknown): { entries: readonly unknown[]; path: string } {
  if (Array.isArray(given)) return { entries: given, path: 'transcript' };
  for (const wrapper of WRAPPERS) {
    for (const place of PLACES) {
      const path = [wrapper, place].filter((part) => part !== '').join('.');
      const found = under(given, path);
      if (Array.isArray(found) && found.length > 0) return { entries: found, path: `transcript.${path}` };
    }
  }
  throw invalid([{ field: 'transcript', message: `has no list of lines, as in ${PLACES.join(', ')}` }]);
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Null: nothing was said. */
function lineOf(entry: unknown, at: string): SpokenLine | FieldError | null {
  const role = memberOf(entry, 'role') ?? memberOf(entry, 'speaker');
  if (typeof role !== 'string') return { field: at, message: 'has no role' };
  const known = role.toLowerCase();
  if (SKIPPED.has(known)) return null;
  const side = Object.hasOwn(ROLES, known) ? ROLES[known] : undefined;
  if (side === undefined)
    return {
      field: `${at}.role`,
      message: `must be one of ${Object.keys(ROLES).join(', ')}, or of a line without words`,
    };
  const said = ['text', 'content', 'message'].map((name) => memberOf(entry, name)).find((value) => value != null);
  if (said === undefined) return null;
  if (typeof said !== 'string') return { field: at, message: 'has no text in text, content or message' };
  const text = said.trim();
  return text === '' ? null : { role: side, text };
}
