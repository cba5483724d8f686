// The table of limits in docs/security.md: each row says by what it is changed, and what it names is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

const table = page('security.md')
  .split('\n## ')
  .find((section) => section.startsWith('Limits, and why'))
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));

test('every limit has a value, what it is against, and by what it is changed', () => {
  assert.ok(table !== undefined && table.length > 50);
  for (const row of table.filter(([limit]) => !limit?.startsWith('**'))) {
    assert.equal(row.length, 4, row.join(' | '));
    assert.ok(
      row.every((cell) => cell.trim() !== ''),
      row.join(' | '),
    );
  }
});

test('variables that change a limit are in docs/configuration.md, and fields in the API’s document', () => {
  const configuration = page('configuration.md');
  const openapi = page('openapi.json');
  let named = 0;
  for (const [limit, , , by = ''] of (table ?? []).slice(1)) {
    for (const [, name = ''] of by.matchAll(/`(\w+)`/g)) {
      if (name === 'invite') continue;
      named++;
      if (/^[A-Z]/.test(name)) assert.ok(configuration.includes(`\`${name}\``), `${limit}: ${name}`);
      else assert.ok(openapi.includes(`"${name}"`), `${limit}: ${name}`);
    }
    if (!/`/.test(by) && !limit?.startsWith('**')) assert.equal(by, 'fixed', limit);
  }
  assert.ok(named > 15);
});
