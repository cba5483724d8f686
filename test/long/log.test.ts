// The log of the API process on a pipe that nobody reads for a while.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const LOG = new URL('../../api/log.ts', import.meta.url).href;

/** A process that logs `lines` lines, says so, and ends with a last line after a message. */
function logger(lines: number, end: string): ChildProcess {
  const program = `
    import { backgroundOutput, createLog } from '${LOG}';
    const log = createLog({ logLevel: 'info' }, backgroundOutput());
    let n = 0;
    const write = () => {
      for (let i = 0; i < 500 && n < ${lines}; i++) log.info({ n: n++, filler: 'x'.repeat(100) }, 'line');
      if (n < ${lines}) setImmediate(write);
      else process.send('logged');
    };
    process.once('message', () => { ${end} });
    write();
  `;
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

async function readAll(child: ChildProcess): Promise<Array<{ n?: number; msg: string; dropped?: number }>> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(child, 'close');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a full pipe does not stop the process, and nothing is lost when it ends', async () => {
  for (const end of [`log.info('last'); process.exit(0);`, `log.fatal('last'); process.exit(1);`]) {
    // Ten times what a pipe holds.
    const child = logger(4_000, end);
    assert.deepEqual(await once(child, 'message'), ['logged', undefined]);
    child.send('end');
    const lines = await readAll(child);
    const numbers = lines.flatMap(({ n }) => n ?? []).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: 4_000 }, (_, n) => n),
    );
    assert.equal(lines.filter(({ msg }) => msg === 'last').length, 1);
  }
});

test('what waits for a reader is bounded, and the log says how much was dropped', async () => {
  const lines = 40_000;
  const child = logger(lines, 'process.exit(0);');
  await once(child, 'message');
  child.send('end');
  const read = await readAll(child);
  const kept = read.filter(({ n }) => n !== undefined).length;
  const dropped = read.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
  assert.ok(dropped > 0);
  assert.equal(kept + dropped, lines);
});
