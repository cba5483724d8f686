// docker-compose.yml hands every documented variable to both containers: one that is missing there would be ignored in silence.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

interface Compose {
  services: Record<string, { command: string; environment: Record<string, string | null> }>;
}

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The names in the first column of the page's table, and Node's own below it. */
const documented = (): string[] => {
  const rows = read('docs/configuration.md').match(/^\| `[^|]+/gm) ?? [];
  return [...rows.flatMap((row) => row.match(/[A-Z][A-Z0-9_]+/g) ?? []), 'NODE_EXTRA_CA_CERTS'].sort();
};

const SET_HERE = ['APP_ENV', 'DATA_DIR', 'JWT_SECRET'];

test('both containers are given each variable of the configuration, and no default of their own', () => {
  const { services }: Compose = parse(read('docker-compose.yml'), { merge: true });
  assert.deepEqual(Object.keys(services).sort(), ['api', 'engine']);
  for (const { environment } of Object.values(services)) {
    assert.deepEqual(Object.keys(environment).sort(), documented());
    const withValue = Object.entries(environment).filter(([, value]) => value !== null);
    assert.deepEqual(withValue.map(([name]) => name).sort(), SET_HERE);
  }
});
