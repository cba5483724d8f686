// Tests settings of a model before they are saved. The engine process carries the test out: only it loads engines.
import type { ModelKind, ModelValues } from '../../db/domain/model-settings.ts';
import { type ModelTrial, TRIAL_CONTEXT, TRIAL_MS, type TrialWish } from '../../db/domain/model-trial.ts';
import { forgetEngineRequest, insertEngineRequest } from '../../db/queries/engine/engine-requests.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import type { ApiContext } from '../context.ts';
import { engineDown, retryLater } from '../frame/errors.ts';
import { awaitRequest } from '../peers/await-request.ts';
import { readEngines } from '../peers/engines.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';

const WAIT_MS = TRIAL_MS + 5_000;
const TAKEN_WITHIN_MS = 5_000;
const POLL_MS = 50;
const RETRY_SECONDS = 5;
/** A test asks a server that somebody pays for. */
const PER_MINUTE = 20;

const busy = () => retryLater('MODEL_TESTS_BUSY', 'Too many tests of models are running', RETRY_SECONDS);
const places = new PlacesPerAccount({ what: 'tests of models', total: 2, perAccount: 2, full: busy });
/** Times of the last tests, by API. */
const begun = new WeakMap<ApiContext, number[]>();

/** @throws {ApiError} 429, 503 */
export function testModelSettings(
  context: ApiContext,
  accountId: string,
  kind: ModelKind,
  values: ModelValues,
  wish: TrialWish = {},
): Promise<ModelTrial> {
  countTest(context);
  return places.hold(accountId, () => runTest(context, accountId, kind, values, wish));
}

function countTest(context: ApiContext): void {
  const nowMs = context.now();
  const recent = (begun.get(context) ?? []).filter((atMs) => nowMs - atMs < 60_000);
  if (recent.length >= PER_MINUTE) {
    const seconds = Math.ceil(((recent[0] ?? nowMs) + 60_000 - nowMs) / 1_000);
    throw retryLater('MODEL_TESTS_BUSY', `${PER_MINUTE} tests were run in this minute`, Math.max(1, seconds));
  }
  begun.set(context, [...recent, nowMs]);
}

async function runTest(
  context: ApiContext,
  accountId: string,
  kind: ModelKind,
  values: ModelValues,
  wish: TrialWish,
): Promise<ModelTrial> {
  const nowMs = context.now();
  const { reason } = await readEngines(context, context.read);
  if (reason !== null) throw engineDown(reason);
  const id = await insertEngineRequest(context.db, accountId, {
    kind: 'model-test',
    callId: null,
    payload: { sealed: seal(context.secretKey, TRIAL_CONTEXT, JSON.stringify({ kind, values, ...wish })) },
    nowMs,
    expiresAt: nowMs + TAKEN_WITHIN_MS,
  });
  try {
    const wait = { withinMs: WAIT_MS, everyMs: POLL_MS };
    const answer = await awaitRequest<{ trial?: ModelTrial }>(context.read, { accountId, id }, wait);
    if (answer !== null && 'trial' in answer && answer.trial !== undefined) return answer.trial;
  } finally {
    await forgetEngineRequest(context.db, accountId, id);
  }
  throw retryLater('MODEL_NOT_TESTED', 'The engine did not carry out the test: try again', RETRY_SECONDS);
}
