// The table of all commands.

import { api } from './api.ts';
import { call, end, play, say, transfer } from './calls/lead.ts';
import { list, show } from './calls/list.ts';
import { tail } from './calls/tail.ts';
import type { Command } from './command.ts';
import { completionOf, SHELLS } from './completion.ts';
import { Failure } from './failure.ts';
import { pull } from './folder/pull.ts';
import { diff, push } from './folder/push.ts';
import { logs } from './logs.ts';
import { SIGN_IN } from './sign-in.ts';
import { testsRun } from './tests-run.ts';

const completion: Command = {
  name: 'completion',
  about: 'Prints the completion of commands and options for a shell.',
  args: [{ name: 'SHELL', about: SHELLS.join(' or ') }],
  isLocal: true,
  examples: ['voicectl completion bash >> ~/.bashrc', 'voicectl completion zsh >> ~/.zshrc'],
  async run({ args, output }) {
    const shell = SHELLS.find((each) => each === args.SHELL);
    if (shell === undefined)
      throw new Failure(`There is completion for ${SHELLS.join(' and ')}, and none for ${args.SHELL}`);
    output.line(completionOf(shell, COMMANDS).trimEnd());
    return undefined;
  },
};

/** In the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  ...SIGN_IN,
  call,
  ...[list, show, tail, play, say, transfer, end],
  logs,
  ...[pull, diff, push],
  testsRun,
  api,
  completion,
];
