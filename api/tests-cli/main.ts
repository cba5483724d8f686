// `npm run tests`: runs a test suite of a service from a build, and says by its exit code what came of it: 0 all have
// passed, 1 one has failed, 2 it could not be run.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '../../db/domain/unexpected.ts';
import { CannotRun, runSuite } from './run-suite.ts';

const USAGE = `usage: npm run tests -- run SUITE --url URL --token TOKEN [options]
  SUITE          the id of a test suite, or its name
  --url URL      of the service: http://127.0.0.1:8080 (or SERVICE_URL)
  --token TOKEN  a personal access token with the scopes read and change (or SERVICE_TOKEN)
  --kind KIND    eval or simulation; default: both
  --seed N       the same seed makes the same conversations, as far as the model does
  --junit FILE   writes the results as JUnit XML
  --json FILE    writes them as JSON
  --timeout S    cancels the run after so many seconds (default 1800)
  --help         this text

exit: 0 all have passed, 1 one has failed, 2 it could not be run`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  try {
    const { values, positionals } = readArguments(args);
    if (values.help === true) {
      process.stdout.write(`${USAGE}\n`);
      return 0;
    }
    const [command, suite, ...others] = positionals;
    const { SERVICE_URL, SERVICE_TOKEN } = process.env;
    const url = values.url ?? SERVICE_URL;
    const token = values.token ?? SERVICE_TOKEN;
    if (command !== 'run' || suite === undefined || others.length > 0) throw new CannotRun(USAGE);
    if (url === undefined || token === undefined) throw new CannotRun('--url and --token are required');
    const timeoutMs = wholeNumber(values.timeout, 'timeout', 1_800) * 1_000;
    const wish = {
      ...(values.kind === undefined ? {} : { kinds: [values.kind] }),
      ...(values.seed === undefined ? {} : { seed: wholeNumber(values.seed, 'seed', 0) }),
    };
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const { status, junit, json } = await runSuite({ url, token, suite, wish, timeoutMs, print });
    if (values.junit !== undefined) writeFileSync(values.junit, junit);
    if (values.json !== undefined) writeFileSync(values.json, json);
    return status === 'PASSED' ? 0 : status === 'FAILED' ? 1 : 2;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 2;
  }
}

function readArguments(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      kind: { type: 'string' },
      seed: { type: 'string' },
      junit: { type: 'string' },
      json: { type: 'string' },
      timeout: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
}

function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new CannotRun(`--${name} must be a whole number`);
  return Number(text);
}
