// The pages for operators, which remedies name, are served as text, and to a browser as it shows them.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageHtml } from '../../../api/frame/docs-page.ts';
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

test('a browser gets the page as it shows it, without scripts', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const page = await api.inject({ url: '/docs/capacity.md', headers: { accept } });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  assert.equal(page.headers.vary, 'Accept');
  assert.match(page.text, /<h1 id="[a-z-]+">/);
  assert.match(page.text, /<table><thead><tr><th>/);
  assert.doesNotMatch(page.text, /\n## |\n\| |<script/);
});

test('headings, lists, tables, code and links become HTML, and nothing in them does', () => {
  const html = (text: string): string => /<body>(.*)<\/body>/s.exec(pageHtml(text))?.[1] ?? '';
  for (const [text, expected] of [
    ['# A & B\n\none\ntwo', '<h1 id="a--b">A &amp; B</h1><p>one two</p>'],
    [
      '- a\n  b\n- **c**: `x | <y>`\n\n1. d',
      '<ul><li>a b</li><li><strong>c</strong>: <code>x | &lt;y&gt;</code></li></ul><ol><li>d</li></ol>',
    ],
    ['1. a\n\n   ```sh\n   b <c>\n   ```\n2. d', '<ol><li>a<pre><code>b &lt;c&gt;</code></pre></li><li>d</li></ol>'],
    [
      '| a | b |\n|---|---|\n| `x\\|y` | [c](d.md#e) |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td><a href="d.md#e">c</a></td></tr></tbody></table>',
    ],
    [
      '[a](javascript:alert(1)) [b](../x.md) [c](https://d.example/e)',
      '<p>a) b <a href="https://d.example/e">c</a></p>',
    ],
    ['2 * 3 * 4 <b> *e* `f', '<p>2 * 3 * 4 &lt;b&gt; <em>e</em> `f</p>'],
  ] as const)
    assert.equal(html(text), expected, text);
});

test('each link to a part of a page finds it', () => {
  const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));
  const pages = new Map(
    globSync('*.md', { cwd: folder }).map((name) => [name, pageHtml(readFileSync(`${folder}${name}`, 'utf8'))]),
  );
  for (const [name, page] of pages)
    for (const [, target = '', part = ''] of page.matchAll(/<a href="([a-z-]*\.md|)#([^"]+)"/g))
      assert.ok(pages.get(target || name)?.includes(` id="${part}"`), `${name}: ${target}#${part}`);
});

test('each page that a remedy names exists', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const named = globSync('api/status/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(/docs\/[a-z-]+\.md/g)].map(([page]) => page),
  );
  assert.ok(named.length > 3);
  for (const page of named) assert.ok(existsSync(`${root}${page}`), page);
});
