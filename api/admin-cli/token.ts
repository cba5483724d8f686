// Personal access tokens for machines, without a browser.
import { findUserByEmail } from '../../db/queries/accounts/users.ts';
import { createPersonalToken } from '../auth/personal-tokens.ts';
import { notFound } from '../frame/errors.ts';
import { type Command, print, readArguments, requireText } from './command.ts';

export const tokenCreate: Command = {
  name: 'token create',
  usage: `token create --email EMAIL [--name NAME]
  prints a new personal access token of the user, once; --name describes its purpose (default "cli")`,
  async run(args, context) {
    const { values } = readArguments(args, { email: { type: 'string' }, name: { type: 'string', default: 'cli' } });
    const user = await findUserByEmail(context.read, requireText(values.email, 'email'));
    if (!user) throw notFound('User');
    const owner = { accountId: user.accountId, userId: user.id, role: user.role };
    const token = await createPersonalToken(context, owner, requireText(values.name, 'name'));
    print(token.token);
  },
};
