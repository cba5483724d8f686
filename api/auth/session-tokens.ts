// Session tokens: JWTs signed with a key derived from the secret and APP_ENV, so that another environment's tokens do
// not verify. Expiry is checked by our clock after the signature, because "expired" and "invalid" are different
// answers.

import { createHmac, randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import type { ApiConfig } from '../config.ts';

export const ACCESS_TOKEN_LIFETIME_MS = 15 * MINUTE_MS;

interface SessionClaims {
  userId: string;
  tokenId: string;
  familyId: string;
  /** The user's session generation at issue; a password reset begins a new one. */
  generation: number;
  expiresAt: number;
  /** When the session ends however often it is renewed; null: never by itself. */
  endsAt: number | null;
}

type Issued = Pick<SessionClaims, 'userId' | 'familyId' | 'generation'> & Partial<Pick<SessionClaims, 'endsAt'>>;

export interface SessionTokens {
  issue(session: Issued, nowMs: number): string;
  /** Null when this environment did not issue the token. */
  verify(token: string): SessionClaims | null;
}

interface Payload {
  sub: string;
  jti: string;
  fam: string;
  env: string;
  typ: 'access';
  gen: number;
  iat: number;
  exp: number;
  /** Ms. */
  end?: number;
}

/** The part of @fastify/jwt that is used. */
interface JwtSigner {
  sign(payload: object): string;
  verify<P extends object>(token: string): P;
}

export const signingKey = (secret: string | Buffer, appEnv: ApiConfig['appEnv']): Buffer =>
  createHmac('sha256', secret).update(`session-token:${appEnv}`).digest();

export function sessionTokens(jwt: JwtSigner, appEnv: ApiConfig['appEnv']): SessionTokens {
  return {
    issue({ userId, familyId, generation, endsAt = null }, nowMs) {
      const payload: Payload = {
        sub: userId,
        jti: randomUUID(),
        fam: familyId,
        env: appEnv,
        typ: 'access',
        gen: generation,
        iat: Math.floor(nowMs / 1000),
        exp: Math.floor(Math.min(nowMs + ACCESS_TOKEN_LIFETIME_MS, endsAt ?? Number.POSITIVE_INFINITY) / 1000),
        ...(endsAt === null ? {} : { end: endsAt }),
      };
      return jwt.sign(payload);
    },
    verify(token) {
      let payload: Payload;
      try {
        payload = jwt.verify<Payload>(token);
      } catch {
        return null;
      }
      if (payload.typ !== 'access' || payload.env !== appEnv) return null;
      // Tokens of earlier releases have no generation.
      const { sub, jti, fam, gen = 0, end = null } = payload as Omit<Payload, 'gen'> & Partial<Payload>;
      const expiresAt = payload.exp * 1000;
      return { userId: sub, tokenId: jti, familyId: fam, generation: gen, expiresAt, endsAt: end };
    },
  };
}
