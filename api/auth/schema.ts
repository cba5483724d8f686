// Schemas of the authentication routes.
import { type Static, Type } from 'typebox';
import { EMAIL_CHARACTERS_MAX } from '../../db/domain/email-address.ts';
import { LIMITED_ACCESS, TOKEN_SCOPES } from '../../db/shared/secrets/token-scopes.ts';
import { nullable, oneOf, Timestamp } from '../frame/envelope-schema.ts';
import { pageQuery } from '../frame/pagination.ts';
import { GivenPassword, NewPassword } from './passwords.ts';

export const Email = Type.String({
  format: 'email',
  maxLength: EMAIL_CHARACTERS_MAX,
  description: 'E-mail address; compared without case',
});

const strict = { additionalProperties: false };

export const User = Type.Object(
  {
    id: Type.String({ description: 'prefix user_' }),
    email: Type.String(),
    role: oneOf(['USER', 'ADMIN']),
    access: oneOf([...LIMITED_ACCESS, 'admin'], {
      description:
        'In the account: `viewer` reads, `operator` also reaches people and does the work of each day, `admin` does everything',
    }),
    plan: oneOf(['STARTER', 'PRO', 'ENTERPRISE']),
    accountId: Type.String(),
    emailVerified: Type.Boolean(),
    twoFactorEnabled: Type.Boolean(),
    hasPassword: Type.Boolean({ description: 'false: invited, or known by the identity provider alone' }),
    createdAt: Timestamp,
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

const tokenPair = {
  token: Type.String({ description: 'Session token (JWT), 15 minutes; sent as `Authorization: Bearer`' }),
  refreshToken: Type.String({ description: 'Single use, 7 days; sent only in the body of /auth/refresh' }),
};

export const TokenPair = Type.Object(tokenPair, { title: 'TokenPair' });
export type TokenPair = Static<typeof TokenPair>;

export const Session = Type.Object({ user: User, ...tokenPair }, { title: 'Session' });
export type Session = Static<typeof Session>;

/** A session, or the wait for the second factor; one object, so that it is serialised without trying two. */
export const LoginResult = Type.Object(
  {
    user: Type.Optional(User),
    token: Type.Optional(tokenPair.token),
    refreshToken: Type.Optional(tokenPair.refreshToken),
    requires2FA: Type.Optional(Type.Boolean({ description: 'true: send pendingToken and a code to /auth/verify-2fa' })),
    pendingToken: Type.Optional(Type.String({ description: '5 minutes, 5 tries' })),
    signOutUrl: Type.Optional(
      Type.String({ description: 'Of the identity provider: open it in the browser after a sign-out here' }),
    ),
  },
  { title: 'LoginResult' },
);
export type LoginResult = (Session | { requires2FA: true; pendingToken: string }) & { signOutUrl?: string };

const Token = Type.String({ minLength: 1, maxLength: 512 });
/** A TOTP of 6 digits, or a recovery code. */
const Code = Type.String({ minLength: 1, maxLength: 64 });

export const LoginBody = Type.Object({ email: Email, password: GivenPassword }, strict);
export const RegisterBody = Type.Object(
  {
    email: Email,
    password: NewPassword,
    accountName: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  strict,
);
export const TokenBody = Type.Object({ token: Token }, strict);
export const EmailBody = Type.Object({ email: Email }, strict);
export const AcceptInviteBody = Type.Object({ token: Token, password: NewPassword }, strict);
export const VerifySecondFactorBody = Type.Object({ pendingToken: Token, code: Code }, strict);
export const CodeBody = Type.Object({ code: Code }, strict);
export const DisableSecondFactorBody = Type.Object({ password: GivenPassword, code: Code }, strict);
export const ChangePasswordBody = Type.Object({ currentPassword: GivenPassword, newPassword: NewPassword }, strict);
export const ResetPasswordBody = Type.Object({ email: Email, code: Code, newPassword: NewPassword }, strict);
export const RefreshBody = Type.Object({ refreshToken: Token }, strict);
export const CreateTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Optional(
      Type.Array(oneOf(TOKEN_SCOPES), {
        minItems: 1,
        maxItems: TOKEN_SCOPES.length,
        uniqueItems: true,
        description: 'What the token may do; default: everything that a token may. See docs/tokens.md',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Refused from then on; default: valid until it is revoked' }),
    ),
  },
  strict,
);
export type CreateTokenBody = Static<typeof CreateTokenBody>;

/** `file`: no mail server is set. */
export const Delivery = oneOf(['mail', 'file'], {
  description: '`file`: no mail server is set (SMTP_URL), and mails are files in DATA_DIR/outbox of the service',
});
/** An accepted invitation causes no mail. */
export const AcceptedInvite = Type.Object({ user: User }, { title: 'AcceptedInvite' });
export const RegisterResult = Type.Object({ user: User, delivery: Delivery }, { title: 'RegisterResult' });
export const InvitedUser = Type.Object(
  {
    ...User.properties,
    delivery: Delivery,
    inviteUrl: nullable(
      Type.String({
        description:
          'The link that sets the password, good for 7 days, where no mail server sends it; null where one does',
      }),
    ),
  },
  { title: 'InvitedUser' },
);
export type InvitedUser = Static<typeof InvitedUser>;
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
export const MailMessage = Type.Object({ message: Type.String(), delivery: Delivery }, { title: 'MailMessage' });
export const SecondFactorSetup = Type.Object(
  { secret: Type.String(), otpauthUrl: Type.String() },
  { title: 'SecondFactorSetup' },
);
export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), { description: 'Ten codes, each once; shown this one time' }),
  },
  { title: 'RecoveryCodes' },
);

export const OwnSession = Type.Object(
  {
    id: Type.String({ description: 'Opens nothing' }),
    isCurrent: Type.Boolean({ description: 'The one that asks' }),
    userAgent: nullable(Type.String({ description: 'User-Agent of its last sign-in or refresh' })),
    address: nullable(Type.String({ description: 'Where that came from' })),
    provider: nullable(Type.String({ description: 'The identity provider that signed the user in; null: a password' })),
    signedInAt: nullable(Timestamp),
    lastUsedAt: Type.String({
      format: 'date-time',
      description: 'Of its last sign-in or refresh: at most 15 minutes old while it is used',
    }),
    expiresAt: Type.String({ format: 'date-time', description: 'Unless it is used before' }),
  },
  { title: 'OwnSession' },
);
export type OwnSession = Static<typeof OwnSession>;
export const EndedSessions = Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions' });

const personalToken = {
  id: Type.String({ description: 'prefix pat_' }),
  name: Type.String(),
  role: oneOf(['USER', 'ADMIN']),
  scopes: Type.Array(oneOf(TOKEN_SCOPES)),
  lastUsedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
};
export const PersonalToken = Type.Object(personalToken, { title: 'PersonalToken' });
export type PersonalToken = Static<typeof PersonalToken>;
export const NewPersonalToken = Type.Object(
  {
    ...personalToken,
    token: Type.String({ description: 'In plaintext this one time' }),
  },
  { title: 'NewPersonalToken' },
);
export const TokenQuery = Type.Object(pageQuery);
