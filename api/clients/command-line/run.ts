// Runs one command line: arguments, sign-in, the command, and what came of it as an exit code.
import { createClient } from '../typescript/client.ts';
import { groupIn, parsed } from './arguments.ts';
import type { Command, Surroundings } from './command.ts';
import { EXIT, explained, Failure } from './failure.ts';
import { helpOf, overview } from './help.ts';
import { Output, type Streams } from './output.ts';
import { signedIn } from './profiles.ts';

/** The exit code. */
export async function runCommandLine(
  given: readonly string[],
  commands: readonly Command[],
  streams: Streams,
  surroundings: Surroundings,
): Promise<number> {
  const isJson = given.includes('--json');
  const isColoured = streams.isTerminal && !given.includes('--no-color') && !surroundings.env.NO_COLOR;
  const output = new Output(streams, { isJson, isColoured });
  try {
    const group = given.includes('--help') ? groupIn(given, commands) : null;
    if (group !== null) {
      streams.out(`${overview(group)}\n`);
      return EXIT.done;
    }
    const line = parsed(given, commands);
    if (line === null) {
      const isAsked = given.includes('--help');
      streams[isAsked ? 'out' : 'err'](`${overview(commands)}\n`);
      return isAsked ? EXIT.done : EXIT.failed;
    }
    const { command, args, options, switches } = line;
    if (switches.has('help')) {
      streams.out(`${helpOf(command)}\n`);
      return EXIT.done;
    }
    const { url, token } = command.isLocal
      ? { url: 'http://localhost', token: undefined }
      : signedIn(options, surroundings.env);
    const client = createClient({
      ...{ url, token, fetch: surroundings.fetch, pause: surroundings.pause },
      onWarning: (text) => output.note(text),
    });
    const has = (option: string) => switches.has(option);
    return (await command.run({ client, output, args, options, has, surroundings, url })) ?? EXIT.done;
  } catch (fault) {
    if (isJson) streams.err(`${JSON.stringify(asJson(fault))}\n`);
    else streams.err(`${output.style('red', explained(fault))}\n`);
    return fault instanceof Failure ? fault.exit : EXIT.failed;
  }
}

function asJson(fault: unknown): object {
  const { code, status, fields, requestId } = fault as Record<string, unknown>;
  return { error: explained(fault), code, status, fields, requestId };
}
