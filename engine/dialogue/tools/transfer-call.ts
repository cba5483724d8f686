// The tool that hands the caller over to a person: one of the destinations that may be called at this hour, else the
// business's number.
import type { TransferDestination } from '../../../db/domain/numbers/transfer-destinations.ts';
import type { DialogueBusiness, ToolDefinition } from '../../../models/llm/llm.ts';
import { canHandOver, personNamed, reachablePersons } from '../../../models/llm/persons.ts';
import {
  type HandoverWish,
  type OfferFacts,
  object,
  type Tool,
  type ToolAction,
  type ToolResult,
  text,
} from './tool.ts';

const REASON_CHARS_MAX = 200;

const definition: Tool['definition'] = {
  name: 'transfer_call',
  description: 'Hand the caller over to a person. Say that you do so in the same reply.',
  parameters: object({ reason: text('Why, in a few words') }),
};

/** With whom there is at this hour. */
function offered({ business, nowMs }: OfferFacts): ToolDefinition | null {
  if (!canHandOver(business, nowMs)) return null;
  const persons = reachablePersons(business, nowMs);
  if (persons.length === 0) return definition;
  const whom = persons.map(({ name, description }) => (description === '' ? name : `${name}: ${description}`));
  const destination = {
    type: 'string',
    enum: persons.map(({ name }) => name),
    description: `Whom; left out: whoever is first. ${whom.join('; ')}`,
  };
  return { ...definition, parameters: object({ destination, reason: text('Why, in a few words') }) };
}

export const transferCall: Tool = {
  isOfLine: true,
  definition,
  offered,
  run: async (args, { business, nowMs }) => {
    const persons = reachablePersons(business, nowMs);
    const named = typeof args.destination === 'string' && args.destination.trim() !== '' ? args.destination : null;
    const person = named === null ? undefined : personNamed(persons, named);
    if (named !== null && persons.length > 0 && person === undefined) return notThere(business, named, persons);
    const reason = typeof args.reason === 'string' ? args.reason.slice(0, REASON_CHARS_MAX).trim() : '';
    const wish = { destination: person?.name ?? null, reason: reason === '' ? null : reason };
    const action = handoverAction(business, nowMs, wish);
    if (action === null) return nobody(business);
    const whom = person === undefined ? {} : { destination: person.name };
    return { result: { ok: true, status: 'transferring', ...whom }, action };
  },
};

/** Null: nobody can be called. */
export function handoverAction(
  business: DialogueBusiness,
  nowMs: number,
  wish: HandoverWish,
): Extract<ToolAction, { type: 'transfer' }> | null {
  const persons = reachablePersons(business, nowMs);
  const first = (wish.destination === null ? undefined : personNamed(persons, wish.destination)) ?? persons[0];
  const target = business.transferNumber ?? first?.target;
  if (target === undefined) return null;
  return { type: 'transfer', target, ...(first === undefined ? {} : { wish }) };
}

function notThere(
  { destinations = [] }: DialogueBusiness,
  named: string,
  persons: readonly TransferDestination[],
): ToolResult {
  const isKnown = personNamed(destinations, named) !== undefined;
  const names = persons.map(({ name }) => name).join(', ');
  return {
    result: {
      ok: false,
      error: isKnown ? 'not_reachable_now' : 'unknown_destination',
      message: `${isKnown ? 'They cannot be called at this hour' : 'There is no such destination'}; now there are: ${names}.`,
    },
  };
}

function nobody({ destinations = [] }: DialogueBusiness): ToolResult {
  const error = destinations.length > 0 ? 'nobody_reachable' : 'no_transfer_number';
  const why = destinations.length > 0 ? 'Nobody can be reached at this hour' : 'Nobody can take the call';
  return { result: { ok: false, error, message: `${why}; offer to take a message.` } };
}
