// A sign-in by the identity provider (OpenID Connect: an authorization code with PKCE, state and nonce). The browser
// that begins it is given a sealed proof, which only its tab keeps; what comes back from the provider is worth
// something together with that proof alone, for ten minutes, once. So an address with a stranger's code, which somebody
// was lured to, signs nobody in, and nothing is kept here of sign-ins that nobody ends.
import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { revokeToken } from '../../../db/queries/accounts/sessions.ts';
import type { UserTable } from '../../../db/schema/users.ts';
import { seal, unseal } from '../../../db/shared/secrets/secret-box.ts';
import { noteAudit } from '../../audit/note.ts';
import type { ApiContext } from '../../context.ts';
import { type ApiError, refused, retryLater } from '../../frame/errors.ts';
import { beginProviderSignIn, forgiveProviderSignIn } from '../lockout.ts';
import type { LoginResult } from '../schema.ts';
import { hashToken, sameText } from '../secrets.ts';
import type { SessionTokens } from '../session-tokens.ts';
import { type Device, noteSignIn, passFirstFactor } from '../sessions.ts';
import { NotLetIn, personOf } from './person.ts';
import { type Claims, type Proof, ProviderDown, ProviderRefuses, type SignInProvider } from './provider.ts';
import type { BegunSignIn } from './schema.ts';
import type { SignInProviderSettings } from './settings.ts';

/** Where the provider sends the browser back to: registered there, to the letter. */
export const RETURN_PATH = '/signed-in';
const LASTS_MS = 10 * MINUTE_MS;
const SEALED_FOR = 'provider-sign-in';
const RETRY_S = 30;

interface Sealed extends Proof {
  expiresAt: number;
  /** A copy of the data has the same key. */
  appEnv: string;
}

const returnUrl = (context: ApiContext): string => `${context.publicUrl()}${RETURN_PATH}`;
const random = (): string => randomBytes(32).toString('base64url');

interface Configured {
  settings: SignInProviderSettings;
  provider: SignInProvider;
}

function configured({ config, signInProvider }: ApiContext): Configured {
  if (config.signInProvider === null || signInProvider === null)
    throw refused('PROVIDER_NOT_SET_UP', 'This service has no identity provider: its operator sets one up');
  return { settings: config.signInProvider, provider: signInProvider };
}

/** @throws {ApiError} 409 without a provider, 503 while it does not answer */
export async function beginSignIn(context: ApiContext): Promise<BegunSignIn> {
  const { provider, settings } = configured(context);
  const proof: Proof = { state: random(), nonce: random(), verifier: random() };
  const expiresAt = context.now() + LASTS_MS;
  const sealed: Sealed = { ...proof, expiresAt, appEnv: context.config.appEnv };
  try {
    const url = await provider.addressFor(returnUrl(context), proof);
    return { url, proof: seal(context.secretKey, SEALED_FOR, JSON.stringify(sealed)) };
  } catch (error) {
    if (!(error instanceof ProviderDown)) throw error;
    throw isDown(context, settings, provider, error);
  }
}

function isDown(
  { log }: ApiContext,
  { issuer, name }: SignInProviderSettings,
  { totals }: SignInProvider,
  error: Error,
): ApiError {
  totals.down++;
  log.warn({ issuer, reason: error.message }, 'the identity provider does not answer');
  const message = `${name} cannot be asked at the moment. Try again soon; administrators can sign in by password`;
  return retryLater('PROVIDER_DOWN', message, RETRY_S);
}

/**
 * The session of the person who came back. `answer`: the query with which the provider sent the browser back.
 * @throws {ApiError} 401 for an answer that does not hold, 403 for somebody who is not let in, 429, 503
 */
export async function finishSignIn(
  context: ApiContext,
  tokens: SessionTokens,
  given: { answer: string; proof: string },
  device: Device,
): Promise<LoginResult> {
  const { provider, settings } = configured(context);
  await beginProviderSignIn(context, device.address);
  const refuse = async (result: 'invalid' | 'refused', error: ApiError, reason: string): Promise<ApiError> => {
    provider.totals[result]++;
    context.log.info({ reason, sourceAddress: device.address }, 'sign-in by the identity provider refused');
    await noteSignIn(context, 'signInByProviderRefused', undefined, device.address);
    return error;
  };
  const answer = new URLSearchParams(given.answer);
  const proof = await takeProof(context, given.proof, answer.get('state') ?? '');
  if (proof === null) throw await refuse('invalid', beginAgain(), 'not begun here, too old, or used already');
  try {
    const leaveTo = `${context.publicUrl()}/`;
    const { claims, signOutUrl } = await provider.answerFor(returnUrl(context), answer, proof, leaveTo);
    const user = await letIn(context, settings, claims, device);
    await forgiveProviderSignIn(context, device.address);
    const result = await passFirstFactor(context, tokens, user, device, settings.issuer);
    provider.totals.success++;
    return signOutUrl === null ? result : { ...result, signOutUrl };
  } catch (error) {
    if (error instanceof ProviderDown) {
      await forgiveProviderSignIn(context, device.address);
      throw isDown(context, settings, provider, error);
    }
    if (error instanceof ProviderRefuses) {
      const { reason, message } = error;
      const told = reason === null ? beginAgain() : refused('PROVIDER_REFUSED', `The provider refused it: ${reason}`);
      throw await refuse(reason === null ? 'invalid' : 'refused', told, message);
    }
    if (error instanceof NotLetIn)
      throw await refuse('refused', refused('PROVIDER_REFUSED', error.message), error.message);
    throw error;
  }
}

const beginAgain = (): ApiError =>
  refused(
    'PROVIDER_SIGN_IN_INVALID',
    'This sign-in does not hold: it was begun elsewhere, too long ago, or is used already',
  );

/** Used up, whatever comes of it. Null: not of this browser, too old, or used before. */
async function takeProof(context: ApiContext, sealed: string, state: string): Promise<Proof | null> {
  const proof = openProof(context.secretKey, sealed);
  const nowMs = context.now();
  if (proof === null || proof.expiresAt <= nowMs || proof.appEnv !== context.config.appEnv) return null;
  if (!sameText(proof.state, state)) return null;
  return (await revokeToken(context.db, hashToken(proof.state), proof.expiresAt)) ? proof : null;
}

function openProof(key: Buffer, sealed: string): Sealed | null {
  try {
    return JSON.parse(unseal(key, SEALED_FOR, sealed)) as Sealed;
  } catch {
    return null;
  }
}

async function letIn(
  context: ApiContext,
  settings: SignInProviderSettings,
  claims: Claims,
  { address }: Device,
): Promise<UserTable> {
  const { user, isChanged, isNew } = await context.db
    .transaction()
    .execute((tx) => personOf(tx, settings, claims, context.now()));
  if (isChanged || isNew)
    await noteAudit(context, {
      ...{ action: isNew ? 'userByProvider' : 'rightsByProvider', resource: 'user', resourceId: user.id },
      ...{ accountId: user.accountId, actor: user.id, tokenId: null, fields: '["role","access"]', address },
    });
  return user;
}
