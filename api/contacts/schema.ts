// Schemas of a campaign's contacts.
import { type Static, Type } from 'typebox';
import { EMAIL_CHARACTERS_MAX } from '../../db/domain/email-address.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { Metadata, Texts, Variables } from '../frame/variables.ts';

const STATUSES = ['PENDING', 'CALLING', 'COMPLETED', 'FAILED', 'VOICEMAIL', 'DO_NOT_CALL'] as const;

export const CONTACTS_PER_REQUEST = 1_000;

const ContactInput = Type.Object(
  {
    phoneNumber: Type.String({ description: 'E.164' }),
    name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    email: Type.Optional(nullable(Type.String({ format: 'email', maxLength: EMAIL_CHARACTERS_MAX }))),
    variables: Type.Optional(Variables),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false },
);

export const ContactsBody = Type.Object(
  { contacts: Type.Array(ContactInput, { minItems: 1, maxItems: CONTACTS_PER_REQUEST }) },
  { additionalProperties: false },
);
export type ContactsBody = Static<typeof ContactsBody>;

export const ContactRecord = Type.Object(
  {
    id: Type.String(),
    phoneNumber: Type.String(),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    status: oneOf(STATUSES),
    attempts: Type.Integer(),
    lastCallId: nullable(Type.String()),
    nextAttemptAt: nullable(Timestamp),
    variables: Texts,
    metadata: Texts,
    createdAt: Timestamp,
  },
  { title: 'Contact' },
);

export const AddedContacts = Type.Object(
  {
    added: Type.Integer(),
    merged: Type.Integer(),
    contacts: Type.Array(
      Type.Object({
        id: Type.String(),
        phoneNumber: Type.String(),
        merged: Type.Boolean({ description: 'The number was in the campaign, or earlier in this request' }),
      }),
      { description: 'In the order of the request' },
    ),
  },
  { title: 'AddedContacts' },
);
export type AddedContacts = Static<typeof AddedContacts>;

export const ContactQuery = Type.Object({ ...pageQuery, status: Type.Optional(oneOf(STATUSES)) });
export type ContactQuery = Static<typeof ContactQuery>;
