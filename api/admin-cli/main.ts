// `npm run admin`: commands for an operator without a browser. They work directly on the database, with or without a
// running service.

import { databaseVariable, migrateDatabase } from '../../db/database.ts';
import { UnsuitableDatabaseError } from '../../db/migration-files.ts';
import { sealingKeyFault } from '../../db/sealing-key.ts';
import { ConfigError, configOrExit, exitForConfig } from '../../db/shared/settings/environment.ts';
import { type ApiConfig, readApiConfig } from '../config.ts';
import { closeContext, createContext } from '../create-context.ts';
import { ApiError } from '../frame/errors.ts';
import { createLog } from '../log.ts';
import { backup } from './backup.ts';
import { billingRun } from './billing.ts';
import { type Command, CommandFailed, type OfflineCommand, UsageError } from './command.ts';
import { filesLost } from './files/lost.ts';
import { filesPull } from './files/pull.ts';
import { filesPush } from './files/push.ts';
import { filesVerify } from './files/verify.ts';
import { migrateTo } from './migrate-to.ts';
import { restore } from './restore.ts';
import { setup } from './setup.ts';
import { tokenCreate } from './token.ts';
import { numbersAdd, trunkAdd } from './trunk.ts';
import { userAccess, userCreate, userResetPassword } from './user.ts';

const commands: ReadonlyArray<Command | OfflineCommand> = [
  userCreate,
  userResetPassword,
  userAccess,
  tokenCreate,
  trunkAdd,
  numbersAdd,
  setup,
  billingRun,
  backup,
  restore,
  migrateTo,
  filesPush,
  filesPull,
  filesVerify,
  filesLost,
];

const USAGE = `usage: npm run admin -- COMMAND [options]

${commands.map(({ usage }) => `  ${usage.split('\n', 1)[0]}`).join('\n')}

npm run admin -- COMMAND --help tells more. The database is that of DATABASE_URL, else of DATA_DIR (default ./data).`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const command = commands.find(({ name }) => {
    const words = name.split(' ');
    return words.every((word, index) => args[index] === word);
  });
  if (!command) return refuse(args);
  const rest = args.slice(command.name.split(' ').length);
  if (rest.includes('--help')) {
    process.stdout.write(`usage: npm run admin -- ${command.usage}\n`);
    return 0;
  }
  return perform(command, rest);
}

function refuse(args: readonly string[]): number {
  const asked = args.length === 0 || args.includes('--help') || args[0] === 'help';
  (asked ? process.stdout : process.stderr).write(
    `${asked ? '' : `unknown command: ${args.slice(0, 2).join(' ')}\n\n`}${USAGE}\n`,
  );
  return asked ? 0 : 2;
}

async function perform(command: Command | OfflineCommand, args: readonly string[]): Promise<number> {
  const configured = () => configOrExit(() => readApiConfig(process.env));
  try {
    if ('run' in command && (await command.runBefore?.(args))) return 0;
    const config = configured();
    if ('runOffline' in command) await command.runOffline(args, config);
    else await runOnDatabase(command, args, config);
    return 0;
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) {
      exitForConfig(new ConfigError(databaseVariable(configured().database), error.message));
    }
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nusage: npm run admin -- ${command.usage}\n`);
      return 2;
    }
    if (error instanceof CommandFailed) {
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
    if (!(error instanceof ApiError)) throw error;
    const fields = (error.fields ?? []).map(({ field, message }) => `\n  ${field} ${message}`).join('');
    process.stderr.write(`${error.message}${fields}\n`);
    return 1;
  }
}

async function runOnDatabase(command: Command, args: readonly string[], config: ApiConfig): Promise<void> {
  await migrateDatabase(config.directDatabase);
  const keyFault = await sealingKeyFault(config);
  if (keyFault !== null) exitForConfig(new ConfigError(keyFault.variable, keyFault.message));
  // The output is for a person: only faults are logged.
  const log = createLog({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const context = await createContext(config, log);
  try {
    await command.run(args, context);
  } finally {
    await closeContext(context);
  }
}
