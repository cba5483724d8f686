#!/usr/bin/env node
// `voicectl`: the command line of the service.
import { COMMANDS } from './commands.ts';
import { runCommandLine } from './run.ts';
import { thisMachine } from './surroundings.ts';

// The reader of a pipe has had enough: `voicectl calls list | head`.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => process.exit(fault.code === 'EPIPE' ? 0 : 2));

process.exitCode = await runCommandLine(
  process.argv.slice(2),
  COMMANDS,
  {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
  },
  thisMachine(),
);
