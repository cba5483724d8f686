// The pages for operators, which remedies name, are served as text.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

test('a page is read without a token, and nothing else of the machine is', async () => {
  const page = await api.inject({ url: '/docs/trunks.md' });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-type']), /^text\/plain; charset=utf-8/);
  assert.match(page.text, /^# /);
  for (const path of ['nothing.md', '..%2fREADME.md', '%2e%2e%2fpackage.json', 'openapi.json', 'inside%2fapi.md'])
    assert.ok([404, 422].includes((await api.inject({ url: `/docs/${path}` })).status), path);
});

test('each page that a remedy names exists', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const named = globSync('api/status/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(/docs\/[a-z-]+\.md/g)].map(([page]) => page),
  );
  assert.ok(named.length > 3);
  for (const page of named) assert.ok(existsSync(`${root}${page}`), page);
});
