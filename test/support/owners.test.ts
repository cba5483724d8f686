import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';

/** The output of a file of tests that runs by itself, as every process of the tests does. */
function reported(file: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [
    ...['--no-warnings', '--import', new URL('owners.ts', import.meta.url).href, '--test-reporter=tap'],
    ...['--input-type=module', '--eval', file],
  ];
  return new Promise((resolve) => execFile(process.execPath, args, { env }, (_failed, stdout) => resolve(stdout)));
}

test('an error that nobody catches fails the test that caused it, and no other', async () => {
  const said = await reported(`
    import { describe, it } from 'node:test';
    import { createServer, get } from 'node:http';
    const ended = [];
    /** Nothing but the failure ends these. */
    const failing = (name, cause) => {
      const failed = Promise.withResolvers();
      ended.push(failed.promise);
      it(name, async ({ signal }) => {
        signal.addEventListener('abort', failed.resolve);
        await cause();
        await new Promise(() => {});
      });
    };
    describe('side by side', { concurrency: true }, () => {
      failing('throws in a timer', () => { setTimeout(() => { throw new Error('late'); }); });
      failing('rejects', async () => { await null; Promise.resolve().then(() => { throw new Error('lost'); }); });
      failing('throws in a request', () => {
        const server = createServer(() => { server.close(); server.closeAllConnections(); throw new Error('within'); });
        server.listen(0, '127.0.0.1', () => get(server.address()).on('error', () => {}));
      });
      it('is beside them until all have failed', () => Promise.all(ended));
    });
    it('comes after them', () => {});
  `);
  const outcomes = [...said.matchAll(/^ *((?:not )?ok) \d+ - (.*)$/gm)].map(
    ([, outcome, name]) => `${outcome}: ${name}`,
  );
  assert.deepEqual(outcomes, [
    'not ok: throws in a timer',
    'not ok: rejects',
    'not ok: throws in a request',
    'ok: is beside them until all have failed',
    'not ok: side by side',
    'ok: comes after them',
  ]);
});
