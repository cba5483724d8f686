// Bodies and records of /phone-numbers/port-in and /admin/port-orders.

import { type Static, Type } from 'typebox';
import { PORT_STATUSES } from '../../db/domain/port-order.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { NOT_BLANK, patterned } from '../frame/patterns.ts';

const day = Type.String({
  pattern: patterned(
    '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]{5,15}(Z|[+-]\\d{2}:?\\d{2})?)?$',
    'must be a date or an ISO-8601 time, for example 2026-11-30',
  ),
  description: 'ISO-8601 date',
});

export const PortInBody = Type.Object(
  {
    phoneNumber: Type.String(),
    loaSignedAt: day,
    accountHolder: Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }),
  },
  { additionalProperties: false },
);
export type PortInBody = Static<typeof PortInBody>;

const PortDocument = Type.Object({
  id: Type.String(),
  kind: oneOf(['loa', 'bill']),
  fileName: Type.String(),
  contentType: Type.String(),
  bytes: Type.Integer(),
  createdAt: Timestamp,
});

export const PortOrder = Type.Object(
  {
    id: Type.String(),
    phoneNumber: Type.String(),
    loaSignedAt: Type.String(),
    accountHolder: Type.String(),
    status: oneOf(PORT_STATUSES),
    statusHistory: Type.Array(
      Type.Object({ status: oneOf(PORT_STATUSES), at: Timestamp, reason: Type.Optional(Type.String()) }),
    ),
    focDate: nullable(Type.String({ description: 'Firm order commitment: when the number moves' })),
    documents: Type.Array(PortDocument),
    createdAt: Timestamp,
  },
  { title: 'PortOrder' },
);
export type PortOrder = Static<typeof PortOrder>;

export const AdminPortOrder = Type.Object(
  { ...PortOrder.properties, accountId: Type.String() },
  { title: 'AdminPortOrder' },
);

export const PortOrderPatch = Type.Object(
  {
    status: oneOf(PORT_STATUSES),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    focDate: Type.Optional(day),
  },
  { additionalProperties: false },
);
export type PortOrderPatch = Static<typeof PortOrderPatch>;

/** For the OpenAPI document alone: the parts are read as a stream. */
export const DocumentForm = Type.Object({
  kind: oneOf(['loa', 'bill']),
  file: Type.String({ format: 'binary', description: 'PDF, PNG or JPEG, up to 10 MiB' }),
});

export const OrderParams = Type.Object({ id: Type.String() });
export const DocumentParams = Type.Object({ id: Type.String(), documentId: Type.String() });
