// The rules of a test's definition that a schema cannot say: which fields an eval and a simulation have, which checks
// can be made in text, and how long all of it may be.
import { AUDIO_CHECKS, checkKind, type TestCheck, WHOLE_CHECKS } from '../../db/domain/tests/checks.ts';
import type { EvalDefinition, SimulationDefinition, TestKind } from '../../db/domain/tests/definitions.ts';
import { type FieldError, invalid } from '../frame/errors.ts';

type Definition = Partial<EvalDefinition> & Partial<SimulationDefinition>;

/** A definition as JSON. */
const CHARACTERS_MAX = 100_000;
/** Of the case and its turns together: each is written down with what was found. */
const CHECKS_MAX = 300;

/** With what is left out made explicit. @throws {ApiError} 422 */
export function checkedDefinition(kind: TestKind, definition: Definition): EvalDefinition | SimulationDefinition {
  const faults: FieldError[] = [];
  const fault = (field: string, message: string) => faults.push({ field: `definition.${field}`, message });
  const isEval = kind === 'eval';
  const { checks = [], turns, caller, history } = definition;
  if (isEval && turns === undefined) fault('turns', 'is required of an eval');
  if (isEval && caller !== undefined) fault('caller', 'belongs to simulations');
  if (!isEval && caller === undefined) fault('caller', 'is required of a simulation');
  if (!isEval && turns !== undefined) fault('turns', 'belongs to evals');
  if (!isEval && history !== undefined) fault('history', 'belongs to evals');
  if (caller !== undefined && (caller.script === undefined) === (caller.goal === undefined))
    fault('caller', 'has either a script or a goal');
  if (caller?.script !== undefined && caller.drivenBy !== undefined)
    fault('caller.drivenBy', 'belongs to a caller with a goal');
  for (const [i, check] of checks.entries()) checkFault(check, `checks[${i}]`, isEval ? AUDIO_CHECKS : [], fault);
  for (const [t, turn] of (turns ?? []).entries()) {
    for (const [i, check] of (turn.checks ?? []).entries())
      checkFault(check, `turns[${t}].checks[${i}]`, WHOLE_CHECKS, fault);
  }
  const inTurns = (turns ?? []).reduce((sum, turn) => sum + (turn.checks?.length ?? 0), 0);
  if (checks.length + inTurns > CHECKS_MAX) fault('checks', `are more than ${CHECKS_MAX}, with those of the turns`);
  for (const [i, { startsAt, endsAt }] of (definition.context?.booked ?? []).entries()) {
    if (Date.parse(endsAt) <= Date.parse(startsAt)) fault(`context.booked[${i}].endsAt`, 'is not after startsAt');
  }
  if (JSON.stringify(definition).length > CHARACTERS_MAX)
    faults.push({ field: 'definition', message: `is longer than ${CHARACTERS_MAX} characters of JSON` });
  if (faults.length > 0) throw invalid(faults);
  return { ...definition, checks } as EvalDefinition | SimulationDefinition;
}

function checkFault(
  check: TestCheck,
  field: string,
  refused: ReadonlyArray<keyof TestCheck>,
  fault: (field: string, message: string) => void,
): void {
  const kind = checkKind(check);
  for (const name of ['said', 'notSaid'] as const) {
    const texts = [check[name] ?? []].flat();
    if (texts.some((text) => !/[\p{L}\p{N}*#]/u.test(text))) fault(`${field}.${name}`, 'has a text without a word');
  }
  if (kind !== null && refused.includes(kind)) {
    const why = AUDIO_CHECKS.includes(kind) ? 'needs the audio of a simulation' : 'is about the whole conversation';
    fault(`${field}.${kind}`, why);
  }
}
