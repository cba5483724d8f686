// Controls of a running call by clients: the engine that has it does them, and says so, or why not. The request's row
// is gone once it is answered, with the words or keys that it had.
import { randomBytes } from 'node:crypto';
import {
  type CallControl,
  CONTROL_MESSAGES,
  type ControlAnswer,
  SOCKET_TOKEN_VALID_MS,
} from '../../../db/domain/calls/control.ts';
import { secretWish } from '../../../db/domain/secret-digits.ts';
import { forgetEngineRequest, insertEngineRequest } from '../../../db/queries/engine/engine-requests.ts';
import { listEngines } from '../../../db/queries/engine/engines.ts';
import type { Credential } from '../../../db/rules/live-credential.ts';
import type { CallTable } from '../../../db/schema/call-columns.ts';
import type { EngineTable } from '../../../db/schema/processes.ts';
import type { Db } from '../../../db/schema.ts';
import { transact } from '../../../db/scope.ts';
import { newId } from '../../../db/shared/id.ts';
import { tokenHash } from '../../../db/shared/secrets/token-hash.ts';
import { audit } from '../../audit/business-log.ts';
import type { ApiContext } from '../../context.ts';
import type { Auth } from '../../frame/app.ts';
import { engineDown, type FieldError, invalid, refused, retryLater } from '../../frame/errors.ts';
import { parseE164 } from '../../frame/phone.ts';
import { awaitRequest } from '../../peers/await-request.ts';
import { notRunning } from '../../peers/engines.ts';
import { socketUrlOf } from '../../peers/socket-url.ts';
import { checkTargets, readTarget } from '../../spend/targets.ts';
import { callRow } from '../service.ts';
import type { ControlBody, ListenRecord } from './control-schema.ts';

/** An engine takes a request within milliseconds; what it has not taken by then, it never does. */
const EXPIRES_MS = 5_000;
/** Longer than that: what was taken at the last moment is still answered. */
const WAIT_MS = 8_000;
const POLL_MS = 10;
const RETRY_SECONDS = 5;
const FULL_RETRY_SECONDS = 10;
const TOKEN_BYTES = 32;

/** @throws {ApiError} 404, 409 with the engine's reason, 422, 503 while no engine has the call */
export async function controlCall(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: ControlBody,
): Promise<'done' | 'ringing'> {
  const control = controlOf(body, auth.userId);
  // Before its fields: whose call it is may not be learnt from them.
  await callRow(context.read, auth.accountId, id);
  await checkTargets(context.read, auth.accountId, targetsOf(control));
  const answer = await askOwner<ControlAnswer>(context, auth, id, {
    kind: 'control',
    payload: { control },
    action: 'call-controlled',
    changes: { control: { from: null, to: control.kind } },
  });
  if ('state' in answer) return answer.state;
  const { refused: code, detail } = answer;
  throw refused(code, detail === undefined ? CONTROL_MESSAGES[code] : `${CONTROL_MESSAGES[code]}: ${detail}`);
}

/** @throws {ApiError} 404, 409, 429 where as many listen as may, 503 */
export async function listenToCall(context: ApiContext, auth: Auth, id: string): Promise<ListenRecord> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const listenerId = newId('lis');
  const expiresAt = new Date(context.now() + SOCKET_TOKEN_VALID_MS).toISOString();
  const { accountId, userId, kind, tokenId, familyId, generation, endsAt } = auth;
  const credential: Credential = { accountId, userId, kind, tokenId, familyId, generation, endsAt, needs: 'call' };
  let socketUrl = '';
  const answer = await askOwner<{ refused?: 'CALL_ENDED' | 'CALL_NOT_ANSWERED' | 'LISTENERS_FULL' }>(
    context,
    auth,
    id,
    {
      kind: 'listen',
      payload: {
        listenerId,
        tokenHash: tokenHash(token),
        credential,
      },
      action: 'call-listened',
      changes: {},
    },
    (engine) => {
      if (engine.mediaWsUrl === null) {
        throw retryLater('BROWSER_CALLS_DOWN', 'The engine takes no sockets at the moment', RETRY_SECONDS);
      }
      socketUrl = socketUrlOf(engine.mediaWsUrl, `/calls/${id}/listen`, token);
    },
  );
  if (answer.refused === 'LISTENERS_FULL') {
    throw retryLater('LISTENERS_FULL', 'As many listen to this call, or to all, as may', FULL_RETRY_SECONDS);
  }
  if (answer.refused !== undefined) throw refused(answer.refused, CONTROL_MESSAGES[answer.refused]);
  return { id: listenerId, socketUrl, token, expiresAt };
}

/** Asks the engine that has the call, with an entry in the audit log, and waits for its answer. */
async function askOwner<Answer extends object>(
  context: ApiContext,
  auth: Auth,
  id: string,
  request: {
    kind: 'control' | 'listen';
    payload: object;
    action: 'call-controlled' | 'call-listened';
    changes: Record<string, { from: unknown; to: unknown }>;
  },
  check: (engine: EngineTable) => void = () => undefined,
): Promise<Answer> {
  const nowMs = context.now();
  const { accountId } = auth;
  const requestId = await transact(context.db, { calls: [id] }, async (trx) => {
    const row = await callRow(trx, accountId, id);
    const engine = await ownerOf(context, trx, row, nowMs);
    check(engine);
    const changes = { callId: { from: null, to: id }, ...request.changes };
    await audit(trx, auth, row.businessId, request.action, changes, nowMs);
    return insertEngineRequest(trx, accountId, {
      kind: request.kind,
      callId: id,
      target: engine.id,
      payload: request.payload,
      nowMs,
      expiresAt: nowMs + EXPIRES_MS,
    });
  });
  try {
    const wait = { withinMs: WAIT_MS, everyMs: POLL_MS };
    const answer = await awaitRequest<Answer>(context.read, { accountId, id: requestId }, wait);
    if (answer !== null && !('error' in answer)) return answer;
  } finally {
    await forgetEngineRequest(context.db, accountId, requestId);
  }
  // The call may have ended with its engine, or gone on in another one.
  if ((await callRow(context.read, accountId, id)).endedAt !== null) throw ended();
  throw engineDown('The engine did not answer: look at the call, and try again');
}

const ended = () => refused('CALL_ENDED', CONTROL_MESSAGES.CALL_ENDED);

/** @throws {ApiError} 409 where the call does not run, 503 while no engine has it */
async function ownerOf(context: ApiContext, db: Db, row: CallTable, nowMs: number): Promise<EngineTable> {
  if (row.endedAt !== null) throw ended();
  if (row.engineId === null) throw refused('CALL_NOT_ANSWERED', CONTROL_MESSAGES.CALL_NOT_ANSWERED);
  const engine = (await listEngines(db)).find(({ id }) => id === row.engineId);
  const reason = engine === undefined ? 'The engine of the call is gone' : notRunning(engine, nowMs + context.skewMs());
  if (engine === undefined || reason !== null) {
    throw engineDown(`${reason}: another one goes on with the call, or ends it`);
  }
  return engine;
}

const FIELDS: Record<
  ControlBody['kind'],
  { needs: readonly (keyof ControlBody)[]; takes?: readonly (keyof ControlBody)[] }
> = {
  say: { needs: ['text'], takes: ['when'] },
  instruct: { needs: ['text'] },
  mute: { needs: [] },
  unmute: { needs: [] },
  digits: { needs: ['digits'] },
  'collect-digits': { needs: [], takes: ['text', 'minDigits', 'maxDigits', 'isCard'] },
  transfer: { needs: ['to'] },
  recording: { needs: ['recording'] },
  'take-over': { needs: ['by'], takes: ['listenerId'] },
  'hand-back': { needs: [] },
};

/** @throws {ApiError} 422 on each field that the kind lacks, or has not */
function controlOf(body: ControlBody, userId: string): CallControl {
  const { needs, takes = [] } = FIELDS[body.kind];
  const faults: FieldError[] = [];
  for (const field of needs) {
    if (body[field] === undefined) faults.push({ field, message: `is required with kind ${body.kind}` });
  }
  for (const field of Object.keys(body) as Array<keyof ControlBody>) {
    if (field === 'kind' || needs.includes(field) || takes.includes(field)) continue;
    // A default of the schema is no wish of the client.
    if (field === 'when' && body.when === 'pause') continue;
    faults.push({ field, message: `does not belong to kind ${body.kind}` });
  }
  if (body.kind === 'take-over' && (body.by === 'socket') !== (body.listenerId !== undefined)) {
    faults.push({ field: 'listenerId', message: 'is required with by socket, and with nothing else' });
  }
  if (body.kind === 'collect-digits' && secretWish(body) === null) {
    faults.push({ field: 'maxDigits', message: 'must not be below minDigits' });
  }
  if (faults.length > 0) throw invalid(faults);
  const { kind, text = '', when = 'pause', digits = '', to = '', recording = 'mask', by = '', listenerId } = body;
  switch (kind) {
    case 'say':
      return { kind, text, when };
    case 'instruct':
      return { kind, text };
    case 'digits':
      return { kind, digits };
    case 'collect-digits': {
      const { minDigits, maxDigits, isCard } = body;
      return { kind, text: body.text ?? null, minDigits, maxDigits, isCard };
    }
    case 'transfer':
      return { kind, to: targetOf(to, 'to') };
    case 'recording':
      return { kind, recording };
    case 'take-over':
      if (by === 'socket') return { kind, by, userId, ...(listenerId === undefined ? {} : { listenerId }) };
      return { kind, by: targetOf(by, 'by') };
    case 'mute':
    case 'unmute':
    case 'hand-back':
      return { kind };
  }
}

const targetOf = (value: string, field: string): string => readTarget(value) ?? parseE164(value, field);

/** The person whom a control calls; empty: it calls nobody. */
function targetsOf(control: CallControl): Array<{ field: string; target: string }> {
  if (control.kind === 'transfer') return [{ field: 'to', target: control.to }];
  if (control.kind === 'take-over' && control.by !== 'socket') return [{ field: 'by', target: control.by }];
  return [];
}
