// This machine, as commands see it: its terminal, its clock, its players.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from './command.ts';

/** The first that is there and can plays. */
const PLAYERS: ReadonlyArray<[command: string, ...args: string[]]> = [
  ['afplay'],
  ['ffplay', '-nodisp', '-autoexit', '-loglevel', 'error'],
  ['mpv', '--really-quiet'],
  ['play', '-q'],
];

export const thisMachine = (): Surroundings => ({
  env: process.env,
  fetch: globalThis.fetch,
  now: Date.now,
  pause: (ms) => sleep(ms),
  ask,
  async read() {
    let text = '';
    for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
    return text;
  },
  async write(bytes) {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  },
  async play(file) {
    for (const [command, ...args] of PLAYERS) {
      const child = spawn(command, [...args, file], { stdio: ['ignore', 'ignore', 'inherit'] });
      const hasPlayed = await new Promise<boolean>((resolve) => {
        child.once('error', () => resolve(false));
        child.once('exit', (code) => resolve(code === 0));
      });
      if (hasPlayed) return true;
    }
    return false;
  },
});

/** A secret is not shown while it is typed. */
async function ask(question: string, { isSecret = false } = {}): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  let isHidden = false;
  const output = new Writable({
    write(piece, _encoding, done) {
      if (!isHidden) process.stderr.write(piece);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await new Promise((resolve) => {
      lines.once('close', () => resolve(null));
      lines.question(question, resolve);
      isHidden = isSecret;
    });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
