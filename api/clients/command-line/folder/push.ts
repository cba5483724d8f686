// The commands that make the service what a folder says, and that show how they differ.
import type { Command, Run } from '../command.ts';
import { EXIT, explained, Failure } from '../failure.ts';
import { clean, type Output } from '../output.ts';
import { Applier } from './apply.ts';
import { contentOf } from './content.ts';
import { printDiff } from './diff.ts';
import { digest, documentDigests, type Known, readFiles, type State, yamlOf } from './files.ts';
import { matched } from './keys.ts';
import { ENV, namedOf, Placeholders } from './placeholders.ts';
import { type Plan, planned, prunings, type Step } from './plan.ts';
import { FOLDER, folderOf, stateOf } from './pull.ts';
import { KINDS, type LocalFile } from './record.ts';
import { type Installation, readInstallation } from './server.ts';

interface Compared {
  folder: string;
  files: LocalFile[];
  state: State;
  installation: Installation;
  plan: Plan;
  steps: Step[];
}

/** @throws {Failure} of files that cannot be carried out */
async function compared(run: Run): Promise<Compared> {
  const folder = folderOf(run);
  const files = readFiles(folder);
  if (files.length === 0)
    throw new Failure(`${folder} has no files in ${KINDS.join(', ')}. voicectl pull ${folder} writes them.`);
  const state = await stateOf(run, folder);
  const installation = await readInstallation(run);
  const plan = planned(files, installation, { state, folder, withSecrets: run.has('secrets') });
  if (plan.faults.length > 0) throw new Failure(plan.faults.join('\n'));
  const steps = [...plan.steps, ...(run.has('prune') ? prunings(plan, installation, state) : [])];
  return { folder, files, state, installation, plan, steps };
}

const WORDS = { create: ['green', 'create'], change: ['yellow', 'change'], delete: ['red', 'delete'] } as const;

function show(output: Output, { steps, plan }: Compared, isPruned: boolean): void {
  for (const { act, path, before, after, isConflict } of steps) {
    const [style, word] = WORDS[act];
    output.line(
      `${output.style(style, word)}  ${clean(path)}${isConflict ? output.style('red', '  changed on the service since') : ''}`,
    );
    if (act !== 'delete') printDiff(output, before, after);
  }
  const count = (act: Step['act']) => steps.filter((step) => step.act === act).length;
  output.line(`${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.`);
  if (!isPruned && plan.extra.length > 0)
    output.line(output.style('dim', `${plan.extra.length} on the service have no file; --prune deletes them.`));
  output.json(steps.map(({ act, path, isConflict }) => ({ act, path, isConflict })));
}

export const diff: Command = {
  name: 'diff',
  about: 'Shows what push would change. Exit code 1: there are differences.',
  args: [FOLDER],
  options: { prune: { about: 'also what --prune would delete' }, ...ENV },
  examples: ['voicectl diff', 'voicectl diff voice --prune || echo "not what is in the repository"'],
  async run(run) {
    const all = await compared(run);
    show(run.output, all, run.has('prune'));
    return all.steps.length === 0 ? EXIT.done : EXIT.negative;
  },
};

export const push: Command = {
  name: 'push',
  about:
    'Makes the service what the folder says, after it has shown the differences and asked. Exit code 3: the service has changed since the pull.',
  args: [FOLDER],
  options: {
    'dry-run': { about: 'shows the differences alone' },
    yes: { about: 'does not ask, for scripts' },
    prune: { about: 'deletes what has no file' },
    force: { about: 'also over changes on the service since the pull' },
    secrets: { about: 'sends secrets again, though the service has some' },
    ...ENV,
  },
  examples: ['voicectl push', 'voicectl push voice --dry-run', 'voicectl push voice --yes --prune --profile staging'],
  async run(run) {
    const { output, has, client } = run;
    const all = await compared(run);
    const { folder, plan, installation, steps } = all;
    const placeholders = new Placeholders(installation.env, namedOf(run));
    const applier = new Applier({
      ...{ client, folder, plan, installation, placeholders },
      withSecrets: has('secrets'),
      note: (text) => output.note(text),
    });
    show(output, all, has('prune'));
    const conflicts = steps.filter(({ isConflict }) => isConflict);
    if (has('dry-run')) return EXIT.done;
    if (conflicts.length > 0 && !has('force')) {
      const paths = conflicts.map(({ path }) => path).join(', ');
      throw new Failure(
        `Changed on the service since the pull: ${paths}.\nvoicectl pull --dry-run shows how; pull --force takes it, push --force overwrites it.`,
        EXIT.conflict,
      );
    }
    for (const step of steps) if (step.act !== 'delete') applier.check(step);
    placeholders.check();
    if (steps.length > 0 && !has('yes') && !(await isAgreed(run, steps))) throw new Failure('Nothing was changed.');
    const left = new Set(steps.map(({ path }) => path));
    try {
      for (const step of steps) {
        await carriedOut(applier, step, output);
        left.delete(step.path);
      }
    } finally {
      await remember(run, all, left);
    }
    output.line(steps.length === 0 ? 'Nothing to do.' : `${steps.length} done.`);
    return EXIT.done;
  },
};

async function isAgreed({ surroundings }: Run, steps: readonly Step[]): Promise<boolean> {
  const answer = await surroundings.ask(`Carry out ${steps.length === 1 ? 'this' : `these ${steps.length}`}? [y/N] `);
  if (answer === null) throw new Failure('Nothing was changed: nobody is there to be asked. Add --yes');
  return /^y(es)?$/i.test(answer.trim());
}

async function carriedOut(applier: Applier, step: Step, output: Output): Promise<void> {
  try {
    await applier.carryOut(step);
  } catch (fault) {
    throw new Failure(
      `${step.path}: ${explained(fault)}\nThe steps before it were carried out; push again when it is mended.`,
    );
  }
  output.line(`${output.style('green', 'done')}    ${clean(step.path)}`);
}

/** Files that are equal now, though the service may have filled in more than they say. `left`: not carried out. */
async function remember(run: Run, { folder, files, state }: Compared, left: ReadonlySet<string>): Promise<void> {
  const installation = await readInstallation(run);
  const keys = matched(installation.records, files);
  const known: Known = {};
  for (const { kind, path, content } of files) {
    const record = keys.recordOfPath.get(path);
    const was = state.known[path];
    if (left.has(path) && was !== undefined) known[path] = was;
    if (left.has(path) || record === undefined) continue;
    const server = digest(yamlOf(kind, contentOf(record, keys, installation)));
    known[path] = { local: digest(yamlOf(kind, content)), server, ...documentDigests(folder, content, undefined) };
  }
  state.write(known);
}
