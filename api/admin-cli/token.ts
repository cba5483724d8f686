// Personal access tokens for machines, without a browser.
import { DAY_MS } from '../../db/domain/hours/durations.ts';
import { findUserByEmail } from '../../db/queries/accounts/users.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../db/shared/secrets/token-scopes.ts';
import { noteAudit } from '../audit/note.ts';
import { createPersonalToken } from '../auth/personal-tokens.ts';
import { notFound } from '../frame/errors.ts';
import { type Command, print, readArguments, requireText, UsageError } from './command.ts';

const DAYS_MAX = 3_650;

/** @throws {UsageError} for a word that is no scope */
function readScopes(text: string): TokenScope[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !TOKEN_SCOPES.some((scope) => scope === word));
  if (unknown !== undefined) throw new UsageError(`--scopes takes ${TOKEN_SCOPES.join(', ')}, not "${unknown}"`);
  return TOKEN_SCOPES.filter((scope) => words.includes(scope));
}

export const tokenCreate: Command = {
  name: 'token create',
  usage: `token create --email EMAIL [--name NAME] [--scopes read,call,change] [--days N]
  prints a new personal access token of the user, once; --name describes its purpose (default "cli"),
  --scopes says what it may do (default all), --days for how long (default until it is revoked)`,
  async run(args, context) {
    const { values } = readArguments(args, {
      email: { type: 'string' },
      name: { type: 'string', default: 'cli' },
      scopes: { type: 'string' },
      days: { type: 'string' },
    });
    const days = values.days === undefined ? null : Number(values.days);
    if (days !== null && !(days > 0 && days <= DAYS_MAX)) throw new UsageError(`--days must be 1 to ${DAYS_MAX}`);
    const user = await findUserByEmail(context.read, requireText(values.email, 'email'));
    if (!user) throw notFound('User');
    const owner = { accountId: user.accountId, userId: user.id, role: user.role };
    const token = await createPersonalToken(context, owner, {
      name: requireText(values.name, 'name'),
      ...(values.scopes !== undefined && { scopes: readScopes(String(values.scopes)) }),
      ...(days !== null && { expiresAt: new Date(context.now() + days * DAY_MS).toISOString() }),
    });
    await noteAudit(context, {
      ...{ accountId: owner.accountId, actor: 'cli', tokenId: null, address: null },
      ...{ action: 'createAccessToken', resource: 'token', resourceId: token.id, fields: '[]' },
    });
    print(token.token);
  },
};
