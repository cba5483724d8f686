// The command that writes the service's agents, businesses, campaigns, tools and tests into a folder.
import type { Command, Run } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { clean } from '../output.ts';
import { contentOf } from './content.ts';
import { printDiff } from './diff.ts';
import { digest, documentDigests, type Known, readFiles, removeFile, State, writeFile, yamlOf } from './files.ts';
import { matched } from './keys.ts';
import { ENV } from './placeholders.ts';
import { pathOf } from './record.ts';
import { readInstallation } from './server.ts';

export const FOLDER = {
  name: 'FOLDER',
  about: 'of the files; default: voice',
  isOptional: true,
  isFile: true,
} as const;
export const folderOf = ({ args }: Run): string => args.FOLDER ?? 'voice';

/** Of one account of one service. */
export async function stateOf({ client, url }: Run, folder: string): Promise<State> {
  const { id } = await client.account.get();
  return new State(folder, `${url.replace(/\/$/, '')} ${id}`);
}

export const pull: Command = {
  name: 'pull',
  about:
    'Writes agents, businesses, campaigns, tools and test suites into a folder, a YAML file each, without ids and secrets. Changes of yours stay unless you say --force.',
  args: [FOLDER],
  options: {
    force: { about: 'overwrites what you have changed' },
    'dry-run': { about: 'shows the differences alone' },
    ...ENV,
  },
  examples: ['voicectl pull', 'voicectl pull voice --dry-run', 'voicectl pull --profile staging && git diff'],
  async run(run) {
    const { output, has } = run;
    const folder = folderOf(run);
    const files = readFiles(folder);
    const state = await stateOf(run, folder);
    const installation = await readInstallation(run);
    const { records } = installation;
    const keys = matched(records, files);
    const known: Known = {};
    const written: Array<[path: string, before: string, after: string]> = [];
    const own: string[] = [];
    for (const record of records) {
      const file = keys.fileOfId.get(record.id);
      const path = file?.path ?? pathOf(record.kind, keys.keyOfId.get(record.id) ?? record.id);
      const after = yamlOf(record.kind, contentOf(record, keys, installation));
      const before = file === undefined ? '' : yamlOf(file.kind, file.content);
      const was = state.known[path];
      const documents = documentDigests(folder, file?.content, was?.documents);
      known[path] = { local: digest(after), server: digest(after), ...documents };
      const isEqual = was !== undefined && was.local === digest(before) && was.server === digest(after);
      if (isEqual) known[path] = { ...was, ...documents };
      if (before === after || isEqual) continue;
      written.push([path, before, after]);
      if (file !== undefined && was?.local !== digest(before)) own.push(path);
    }
    const gone = files.filter(({ path }) => !keys.recordOfPath.has(path));
    const deleted = gone.filter(
      ({ kind, path, content }) => state.known[path]?.local === digest(yamlOf(kind, content)),
    );
    for (const [path, before, after] of written) {
      output.line(
        `${before === '' ? output.style('green', 'new    ') : output.style('yellow', 'changed')}  ${clean(path)}`,
      );
      if (before !== '') printDiff(output, before, after);
    }
    for (const { path } of deleted) output.line(`${output.style('red', 'deleted')}  ${clean(path)}`);
    output.json({ written: written.map(([path]) => path), deleted: deleted.map(({ path }) => path), own });
    if (has('dry-run')) return EXIT.done;
    if (own.length > 0 && !has('force')) {
      throw new Failure(
        `These files have changes of yours, and differ from the service: ${own.join(', ')}.\nPush them, or pull with --force to lose them.`,
        EXIT.conflict,
      );
    }
    for (const [path, , after] of written) writeFile(folder, path, after);
    for (const { path } of deleted) removeFile(folder, path);
    state.write(known);
    const count = written.length + deleted.length;
    output.line(
      count === 0
        ? `${clean(folder)} is up to date.`
        : `${count} of ${records.length} files written to ${clean(folder)}.`,
    );
    return EXIT.done;
  },
};
