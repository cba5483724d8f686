// Schemas of the audit log: who changed which fields of what, and the questions after it.
import { type Static, Type } from 'typebox';
import { nullable, Timestamp } from '../frame/envelope-schema.ts';
import { instant } from '../frame/instants.ts';
import { pageQuery } from '../frame/pagination.ts';

const Word = Type.String({ minLength: 1, maxLength: 200 });

export const AuditQuery = Type.Object({
  ...pageQuery,
  actor: Type.Optional(Word),
  action: Type.Optional(Word),
  resource: Type.Optional(Word),
  resourceId: Type.Optional(Word),
  startDate: Type.Optional(instant('From', 'createdAt')),
  endDate: Type.Optional(instant('To', 'createdAt')),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'prefix aud_' }),
    accountId: nullable(Type.String({ description: 'Of the actor; null where nobody is known' })),
    actor: Type.String({ description: 'Id of the user; `cli` for the command line, `unknown` for a stranger' }),
    tokenId: nullable(Type.String({ description: 'The personal access token that was used' })),
    action: Type.String({
      description:
        "The operation's name in this document; `signIn`, `signInRefused`, `signInByProvider`, `signInByProviderRefused`, `userByProvider`, `rightsByProvider`, `canaryPromoted`, `canaryRolledBack`, `canaryStopped`",
    }),
    resource: Type.String({ description: 'agent, tool, trunk, campaign, phone-number, call, session and others' }),
    resourceId: nullable(Type.String()),
    fields: Type.Array(Type.String(), { description: 'Names of the fields that the request carried; never values' }),
    address: nullable(Type.String({ description: 'Where the request came from' })),
    createdAt: Timestamp,
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;
