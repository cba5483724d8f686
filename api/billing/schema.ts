// Bodies and records of /account/billing and /account/charges.
import { Type } from 'typebox';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';

export const BillingAccount = Type.Object(
  {
    provider: oneOf(['none', 'stripe']),
    hasCard: Type.Boolean(),
    brand: nullable(Type.String()),
    last4: nullable(Type.String()),
  },
  { title: 'BillingAccount' },
);

export const SetupPage = Type.Object({ url: Type.String() }, { title: 'SetupPage' });

export const Charge = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(['number', 'overage']),
    phoneNumber: nullable(Type.String()),
    amount: Type.Number({ description: 'Dollars' }),
    currency: Type.String(),
    status: oneOf(['recorded', 'pending', 'paid', 'refunded', 'failed']),
    createdAt: Timestamp,
  },
  { title: 'Charge' },
);
