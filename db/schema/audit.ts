// The audit log: who did what, by which sign-in or token. A business has a log of its own beside it, with old and new
// values (schema/businesses.ts).
import type { Json } from './columns.ts';

export interface AuditLogTable {
  id: string;
  /** Of the actor; null where nobody is known, as after a sign-in with an unknown address. */
  accountId: string | null;
  /** Id of the user; `cli` for the command line, `unknown` for a stranger. */
  actor: string;
  /** The personal access token that was used. */
  tokenId: string | null;
  /** The operation's name in the OpenAPI document, or one of the sign-in. */
  action: string;
  resource: string;
  resourceId: string | null;
  /** Names of the fields that the request carried. */
  fields: Json;
  /** Where the request came from. */
  address: string | null;
  createdAt: number;
}
