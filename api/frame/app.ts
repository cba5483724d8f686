// The type of the server with its routes, and the options of a route's `config`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Scope } from '../../db/shared/secrets/token-scopes.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The authenticated caller: set on every route that is not public. */
export interface Auth {
  accountId: string;
  userId: string;
  /** Of the user for a session; frozen at creation for a personal access token. */
  role: 'USER' | 'ADMIN';
  /** Of a session: by its user's access. */
  scopes: readonly Scope[];
  kind: 'session' | 'token';
  /** The session token's `jti`, or the id of the personal access token. */
  tokenId: string;
  /** The refresh family of a session; null for a personal access token. */
  familyId: string | null;
  /** The user's session generation when it was issued; null for a personal access token. */
  generation: number | null;
  /** When the session ends however often it is renewed, ms; null: never by itself, or no session. */
  endsAt: number | null;
  /** When the token ends, ms; null for a personal access token that is valid until it is revoked. */
  expiresAt: number | null;
  /** The state of the database that this was read from (`Dialect.state`). */
  seen: string;
}

/** Whose change it is. */
export type Actor = Pick<Auth, 'accountId' | 'userId'>;

declare module 'fastify' {
  interface FastifyRequest {
    auth: Auth;
    /** The body's values of the route's `fixedFields`; for plugins/fixed-fields.ts. */
    fixedFields: Record<string, unknown> | null;
  }
  interface FastifyContextConfig {
    /** Answered without a token. */
    public?: boolean;
    /** For role ADMIN only; others get 403. */
    admin?: boolean;
    /** The route concerns credentials or people: a personal access token, which may have leaked, gets 403. */
    session?: boolean;
    /** The scope that the request needs. Default: `read` for GET, else `change`; `any`: none of them. */
    scope?: Scope | 'any';
    /**
     * Honours the Idempotency-Key header. Default: a POST does, unless it is public or concerns credentials; where it
     * is not honoured the header is 422, so that nobody relies on it in vain.
     */
    idempotent?: boolean | 'stream';
    /** Fields of the record that a body may carry and that are dropped. Default: ids, times, counts, versions. */
    readOnlyFields?: readonly string[];
    /** Fields of the record that a body may only repeat unchanged. The route calls `refuseFixedFields`. */
    fixedFields?: readonly string[];
    /** Which request changes a fixed field. */
    changedElsewhere?: Readonly<Record<string, string>>;
    /** Not an API route: no envelope; the rate limit counts it by address, apart from the API's. */
    bare?: boolean;
    /** Asked by monitors, without a limit. */
    probe?: boolean;
  }
}
