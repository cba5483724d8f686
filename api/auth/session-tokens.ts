// Session tokens: JWTs signed with a key that is derived from the secret and APP_ENV, so that another environment's
// tokens do not even verify. Expiry is checked against our clock, after the signature, because "expired" and "invalid"
// are different answers.
import { createHmac, randomUUID } from 'node:crypto';
import type { ApiConfig } from '../config.ts';

export const ACCESS_TOKEN_LIFETIME_MS = 15 * 60_000;

export interface SessionClaims {
  userId: string;
  tokenId: string;
  familyId: string;
  /** Ms: a second is too coarse to tell a login after a password reset from one before it. */
  issuedAt: number;
  expiresAt: number;
}

export interface SessionTokens {
  issue(userId: string, familyId: string, nowMs: number): string;
  /** Null when the token is not one of ours, of this environment. */
  verify(token: string): SessionClaims | null;
}

interface Payload {
  sub: string;
  jti: string;
  fam: string;
  env: string;
  typ: 'access';
  /** Milliseconds; `iat` is in seconds by RFC 7519. */
  ims: number;
  iat: number;
  exp: number;
}

/** The part of @fastify/jwt that is used. */
export interface JwtSigner {
  sign(payload: object): string;
  verify<P extends object>(token: string): P;
}

export const signingKey = (secret: string | Buffer, appEnv: ApiConfig['appEnv']): Buffer =>
  createHmac('sha256', secret).update(`session-token:${appEnv}`).digest();

export function sessionTokens(jwt: JwtSigner, appEnv: ApiConfig['appEnv']): SessionTokens {
  return {
    issue(userId, familyId, nowMs) {
      const payload: Payload = {
        sub: userId,
        jti: randomUUID(),
        fam: familyId,
        env: appEnv,
        typ: 'access',
        ims: nowMs,
        iat: Math.floor(nowMs / 1000),
        exp: Math.floor((nowMs + ACCESS_TOKEN_LIFETIME_MS) / 1000),
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
      const { sub, jti, fam, ims } = payload;
      return { userId: sub, tokenId: jti, familyId: fam, issuedAt: ims, expiresAt: payload.exp * 1000 };
    },
  };
}
