// `npm run setup`: ears and a voice for a language in one step: chosen for this machine, fetched, tried, and taken for
// the next calls of the running service. Its engine fetches and tries, as for the dashboard.
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import type { TrialWish } from '../../db/domain/model-trial.ts';
import { wordErrors } from '../../db/domain/tests/word-errors.ts';
import { firstAdminAccount } from '../../db/queries/accounts/users.ts';
import { type Kit, plannedKit } from '../../models/install/kit.ts';
import type { ApiContext } from '../context.ts';
import { modelKit } from '../models/kit-routes.ts';
import { beginDownload, readModel } from '../models/routes.ts';
import { changeModelSettings, getModelSettings, valuesToTest } from '../models/settings.ts';
import { testModelSettings } from '../models/settings-test.ts';
import { type Command, CommandFailed, print, readArguments, requireText, UsageError } from './command.ts';

const POLL_MS = 500;
const TAKEN_WITHIN_MS = 60_000;
type Part = NonNullable<Kit['ears']>;

export const setup: Command = {
  name: 'setup',
  usage: `setup --language LANGUAGE [--yes] [--plan]
  --language   of the callers: en, de, fr, es, it, nl, pt
  --yes        fetch without a question
  --plan       only show what would be fetched, and write nothing
The service must be running: it fetches, tries and takes them, without a restart.`,
  async runBefore(args) {
    const { language, plan } = wishIn(args);
    if (plan) complete(plannedKit(language, process.env));
    return plan;
  },
  async run(args, context) {
    const { language, yes } = wishIn(args);
    const kit = complete(modelKit(context, language));
    if (!yes && !(await isWanted())) return;
    const accountId = await administration(context);
    // The voice first: it says the sentence that the ears are tried with. Each is taken by itself.
    for (const part of [kit.voice, kit.ears]) {
      await fetched(context, accountId, part);
      await tried(context, accountId, part, { language, spokenBy: kit.voice.engine });
      await taken(context, part);
    }
    print('An agent speaks with the voice once it is chosen for it.');
    print(
      `A model of turn ends helps too: npm run models -- download smart-turn, and TURN_END=smart-turn at the next start.`,
    );
  },
};

function wishIn(args: readonly string[]): { language: string; yes: boolean; plan: boolean } {
  const { values } = readArguments(args, {
    language: { type: 'string' },
    yes: { type: 'boolean' },
    plan: { type: 'boolean' },
  });
  const language = requireText(values.language, 'language').slice(0, 2).toLowerCase();
  if (!/^[a-z]{2}$/.test(language)) throw new UsageError('--language is two letters, such as de');
  return { language, yes: values.yes === true, plan: values.plan === true };
}

/** Shows it. @throws {CommandFailed} for one that lacks a part */
function complete(kit: Kit) {
  describe(kit);
  const { ears, voice } = kit;
  if (ears === null || voice === null)
    throw new CommandFailed(
      `The catalogue has nothing for "${kit.language}" that fits here: docs/engines.md has servers and vendors`,
    );
  return { ears, voice };
}

function describe({ machine, ears, voice, carries, bytes }: Kit): void {
  print(`This machine: ${machine.cores} ${machine.cores === 1 ? 'core' : 'cores'}, ${machine.memoryMb} MB of memory`);
  for (const [title, part] of [
    ['ears', ears],
    ['voice', voice],
  ] as const)
    print(
      part === null
        ? `${title}: none`
        : `${title}: ${part.engine}, ${part.isInstalled ? 'installed' : megabytes(part.bytes)}, memory ${part.memoryMb} MB; ${part.description}; licence: ${part.licence}`,
    );
  if (carries !== null) print(`Calls at once: ${carries}, estimated; measured once they are in use`);
  print(`To be fetched: ${megabytes(bytes)}`);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function isWanted(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('nobody can be asked here: add --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Fetch, try and use them? [y/N] ');
  terminal.close();
  return /^y/i.test(answer.trim());
}

/** The engine's requests belong to an account: that of the first administrator. */
async function administration({ read }: ApiContext): Promise<string> {
  const accountId = await firstAdminAccount(read);
  if (accountId === undefined) throw new CommandFailed('there is no administrator yet: start the service once');
  return accountId;
}

async function fetched(context: ApiContext, accountId: string, part: Part): Promise<void> {
  if (part.isInstalled) return;
  await beginDownload(context, accountId, part.engine);
  const bar = new SingleBar({ format: `${part.engine} [{bar}] {percentage}% {value}/{total} MB` });
  bar.start(Math.round(part.bytes / 1e6), 0);
  try {
    for (;;) {
      const { state, progress } = await readModel(context, accountId, part.engine);
      if (progress?.bytes != null) bar.update(Math.round(progress.bytes / 1e6));
      if (state === 'installed') return;
      if (state === 'package-missing')
        throw new CommandFailed('the package sherpa-onnx-node is missing: npm ci --include=optional');
      if (progress?.state === 'failed') throw new CommandFailed(byHand(part, progress.error));
      await delay(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

const byHand = ({ engine, url, checksumUrl, file }: Part, error: string | null): string =>
  `${engine} could not be fetched: ${error}
By hand, on a machine that reaches it:
  ${url}
  its sum is in ${checksumUrl}
Put it here as ${file}, then:
  npm run models -- download ${engine.replace('sherpa:', '')} --sha256 SUM
and run this command again. MODELS_MIRROR names another address for all downloads.`;

async function tried(
  context: ApiContext,
  accountId: string,
  { kind, engine }: Part,
  wish: Required<TrialWish>,
): Promise<void> {
  const values = await valuesToTest(context, kind, { engine });
  const trial = await testModelSettings(context, accountId, kind, values, wish);
  if (trial.error !== null) throw new CommandFailed(`${engine} does not work: ${trial.error}`);
  if (kind === 'tts') return print(`${engine}: first audio after ${trial.firstMs} ms, all after ${trial.totalMs} ms`);
  const { errors, words } = wordErrors(trial.sentence ?? '', trial.text ?? '');
  print(`${engine}: heard "${trial.text}", ${errors} of ${words} words wrong, after ${trial.firstMs} ms`);
}

async function taken(context: ApiContext, { kind, engine }: Part): Promise<void> {
  await changeModelSettings(context, kind, { engine });
  for (let waitedMs = 0; waitedMs < TAKEN_WITHIN_MS; waitedMs += POLL_MS) {
    const { state, error } = (await getModelSettings(context))[kind];
    if (state === 'failed') throw new CommandFailed(`the engine did not take ${engine}: ${error}`);
    if (state === 'in-use') return print(`${engine} is in use for the next calls`);
    await delay(POLL_MS);
  }
  throw new CommandFailed(`the engine has not taken ${engine} yet: the page Models shows its state`);
}
