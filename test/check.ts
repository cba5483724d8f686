// `npm run check`: types, lint and format, import directions, queries for PostgreSQL and more, all in parallel.
import { spawn } from 'node:child_process';

const bin = (path: string) => `node_modules/${path}`;
const checks: Array<[name: string, args: string[]]> = [
  ['types', [bin('typescript/bin/tsc'), '-p', '.']],
  ['types of the dashboard', [bin('typescript/bin/tsc'), '-p', 'test/dashboard']],
  ['width of comments', ['test/comment-width.ts']],
  ['openings of comments', ['test/comment-openings.ts']],
  ['headers of files', ['test/file-headers.ts']],
  ['exports that nobody uses', ['test/unused-exports.ts']],
  ['files a folder', ['test/folder-sizes.ts']],
  ['no real time in the loop', ['test/real-time.ts']],
  ['time of regular expressions', ['test/regular-expressions.ts']],
  ['lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  [
    'import directions',
    [
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      ...['engine', 'api', 'media', 'models', 'db', 'bench', 'test'],
    ],
  ],
  ['queries for PostgreSQL', ['--test', '--test-reporter=dot', 'test/db/postgres.test.ts']],
];

const results = await Promise.all(
  checks.map(
    ([name, args]) =>
      new Promise<{ name: string; ok: boolean; output: string }>((resolve) => {
        const child = spawn(process.execPath, ['--no-warnings', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        let output = '';
        child.stdout.on('data', (data) => {
          output += data;
        });
        child.stderr.on('data', (data) => {
          output += data;
        });
        child.on('close', (code) => resolve({ name, ok: code === 0, output }));
      }),
  ),
);
for (const { name, ok, output } of results) {
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (!ok) process.stdout.write(`${output}\n`);
}
process.exit(results.every((result) => result.ok) ? 0 : 1);
