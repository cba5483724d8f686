// npm's warnings during an installation. The service always runs on Node 22.18 or newer (supervise.mjs ensures this),
// so a warning about npm's own Node would only mislead the reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import semver from 'semver';

interface LockedPackage {
  optional?: boolean;
  engines?: { node?: string };
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

for (const node of ['20.20.0', '22.22.0', '24.18.0']) {
  test(`npm on Node ${node} has no package to warn of`, () => {
    const refused = Object.entries(lock.packages)
      .filter(([, { optional }]) => !optional)
      .filter(([, { engines }]) => engines?.node !== undefined && !semver.satisfies(node, engines.node))
      .map(([path, { engines }]) => `${path} wants Node ${engines?.node}`);
    assert.deepEqual(refused, [], 'see docs/decisions/0006-no-engine-warnings.md');
  });
}
