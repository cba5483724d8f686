// Schemas of sign-ins by the identity provider.
import { type Static, Type } from 'typebox';
import { nullable } from '../../frame/envelope-schema.ts';

export const SignInWays = Type.Object(
  {
    provider: nullable(Type.String({ description: 'Name of the identity provider; null: there is none' })),
    passwords: Type.Boolean({ description: 'false: passwords are for ADMINs of the installation alone' }),
  },
  { title: 'SignInWays' },
);

const Sealed = Type.String({ minLength: 1, maxLength: 1_024 });

export const BegunSignIn = Type.Object(
  {
    url: Type.String({ description: 'Of the provider: open it in the browser' }),
    proof: Type.String({
      description: 'Good for 10 minutes, once, together with what comes back; keep it in that browser',
    }),
  },
  { title: 'BegunSignIn' },
);
export type BegunSignIn = Static<typeof BegunSignIn>;

export const FinishSignInBody = Type.Object(
  {
    answer: Type.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'The query of the address to which the provider sent the browser back, as it stands',
    }),
    proof: Sealed,
  },
  { additionalProperties: false },
);
