// `destinations` of a business and of a campaign: the schema of the field, its rules, and its column.

import { type Static, Type } from 'typebox';
import { storedHours } from '../../db/domain/hours/opening-hours.ts';
import {
  DESTINATION_ORDER_MAX,
  DESTINATIONS_MAX,
  destinationKey,
  RING_AT_ONCE_MAX,
  RING_SECONDS,
  TRANSFER_ACCEPTS,
  TRANSFER_AFTERS,
  TRANSFER_MODES,
  type TransferDestination,
} from '../../db/domain/numbers/transfer-destinations.ts';
import { parseArray } from '../../db/records/resources.ts';
import type { Db } from '../../db/schema.ts';
import { nullable, oneOf } from '../frame/envelope-schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';
import { patterned, VISIBLE } from '../frame/patterns.ts';
import { checkTargets, NOT_A_TARGET, readTarget } from '../spend/targets.ts';
import { Hours, HoursRecord } from './hours-schema.ts';
import { hoursFaults } from './opening-hours.ts';

const MODE_HELP =
  '`blind`: the caller’s side calls the person (REFER), or we do if it cannot; `announce`: the person hears who calls; `brief`: and why, from the transcript';
const ACCEPT_HELP =
  '`key`: by key 1; `voice`: by a yes, or key 1; `none`: whoever is no machine and stays on the line. Default: key with mode brief, else none';
const AFTER_HELP =
  'Once both are joined: `leave`, the call ends with the person; `stay`, the agent listens, what both say is in the transcript, and it has the caller again when the person hangs up';

const DestinationInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 80, pattern: VISIBLE }),
    description: Type.Optional(
      Type.String({ maxLength: 300, description: 'When the agent is to choose it, and words that callers use' }),
    ),
    target: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'E.164, or `sip:USERNAME` of a softphone of this account',
    }),
    hours: Type.Optional(
      nullable(Type.Array(Hours, { maxItems: 70, description: 'In the business’s time zone; null: at any hour' })),
    ),
    extensionDigits: Type.Optional(
      nullable(
        Type.String({
          pattern: patterned('^[0-9*#w]{1,32}$', 'must be 1 to 32 keys: digits, *, #, and w for half a second'),
          description: 'Sent after the answer; w: half a second',
        }),
      ),
    ),
    mode: Type.Optional(oneOf(TRANSFER_MODES, { default: 'brief', description: MODE_HELP })),
    accept: Type.Optional(oneOf(TRANSFER_ACCEPTS, { description: ACCEPT_HELP })),
    after: Type.Optional(oneOf(TRANSFER_AFTERS, { default: 'leave', description: AFTER_HELP })),
    ringSeconds: Type.Optional(
      Type.Integer({ minimum: RING_SECONDS.min, maximum: RING_SECONDS.max, default: RING_SECONDS.usual }),
    ),
    order: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DESTINATION_ORDER_MAX,
        description: `Those of one order ring at once, at most ${RING_AT_ONCE_MAX}; default: its place in the list`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const TransferDestinations = Type.Array(DestinationInput, {
  maxItems: DESTINATIONS_MAX,
  description: 'Persons to whom the agent may hand a caller (docs/transfers.md); transferNumber is the last resort',
});
export type TransferDestinations = Static<typeof TransferDestinations>;

export const TransferDestinationRecord = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    target: Type.String(),
    hours: nullable(Type.Array(HoursRecord)),
    extensionDigits: nullable(Type.String()),
    mode: oneOf(TRANSFER_MODES),
    accept: oneOf(TRANSFER_ACCEPTS),
    after: oneOf(TRANSFER_AFTERS),
    ringSeconds: Type.Integer(),
    order: Type.Integer(),
  },
  { title: 'TransferDestination' },
);

/** With what is left out filled in. */
function completed({ hours, ...given }: TransferDestinations[number], index: number): TransferDestination {
  const { name, description = '', target, extensionDigits = null, mode = 'brief' } = given;
  const { accept = mode === 'brief' ? 'key' : 'none', after = 'leave' } = given;
  const { ringSeconds = RING_SECONDS.usual } = given;
  return {
    name: name.trim(),
    description,
    target: readTarget(target) ?? target,
    hours: hours?.length ? hours.map(storedHours) : null,
    extensionDigits,
    mode,
    accept,
    after,
    ringSeconds,
    order: given.order ?? Math.min(index + 1, DESTINATION_ORDER_MAX),
  };
}

/** The column of a body's field; undefined if it is left out. @throws {ApiError} 422 naming every field at fault */
export function transferDestinationsColumn(body: TransferDestinations | undefined): string | undefined {
  if (body === undefined) return undefined;
  const faults: FieldError[] = [];
  const all = body.map(completed);
  const keys = all.map(({ name }) => destinationKey(name));
  for (const [i, { name, mode, accept, after, extensionDigits, order, target, hours }] of all.entries()) {
    const at = `destinations[${i}]`;
    const earlier = keys.indexOf(keys[i] ?? '');
    if (name === '') faults.push({ field: `${at}.name`, message: 'must not be blank' });
    else if (earlier < i) faults.push({ field: `${at}.name`, message: `is the name of destinations[${earlier}]` });
    if (readTarget(target) === null) faults.push({ field: `${at}.target`, message: NOT_A_TARGET });
    if (mode === 'blind' && accept !== 'none')
      faults.push({ field: `${at}.accept`, message: 'must be none with mode blind: nobody asks the person' });
    if (mode === 'blind' && after === 'stay')
      faults.push({ field: `${at}.after`, message: 'must be leave with mode blind: the caller’s side leaves us' });
    if (mode === 'brief' && accept === 'none' && extensionDigits !== null)
      faults.push({
        field: `${at}.accept`,
        message: 'must be key or voice with extensionDigits: a machine answers first',
      });
    if (mode === 'blind' && extensionDigits !== null)
      faults.push({ field: `${at}.extensionDigits`, message: 'must be left out with mode blind: nobody sends them' });
    if (all.slice(0, i).filter((each) => each.order === order).length === RING_AT_ONCE_MAX)
      faults.push({
        field: `${at}.order`,
        message: `at most ${RING_AT_ONCE_MAX} may have one order: they ring at once`,
      });
    faults.push(...hoursFaults(`${at}.hours`, hours ?? []));
  }
  if (faults.length > 0) throw invalid(faults);
  return JSON.stringify(all);
}

/** Softphones must be the account's, and numbers be callable. @throws {ApiError} 422 naming every target at fault */
export async function checkTransferDestinations(db: Db, accountId: string, column: string | undefined): Promise<void> {
  if (column === undefined) return;
  const targets = parseArray<TransferDestination>(column).map(({ target }, i) => ({
    field: `destinations[${i}].target`,
    target,
  }));
  await checkTargets(db, accountId, targets);
}
