// docs/metrics.md against what `GET /metrics` serves, and the dashboard and the alert rules against both: a renamed
// metric would leave an alarm that never fires.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { exposition } from '../../api/metrics/exposition.ts';
import type { NamedTrunkState } from '../../db/queries/trunks/trunk-states.ts';
import { createEngineMetrics, createHistogram } from '../../db/shared/metrics.ts';

const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

/** Each metric with its type, its labels, and the values of labels that have a fixed set. */
function served(): Map<string, { type: string; labels: Map<string, Set<string>> }> {
  const state = { healthState: 'up', registrationState: 'registered' } as const;
  const trunk = { id: 'trk_1', name: 'main', register: 1, backupTrunkId: null, state };
  const text = exposition({
    engines: [{ name: 'one', figures: { ...createEngineMetrics(), queueDepths: { writer: 0, recordings: 0 } } }],
    engineUp: true,
    places: [{ name: 'one', maxCalls: 10 }],
    engineStates: { up: 1, starting: 0, draining: 0, away: 0, lost: 0 },
    delivery: { delivered: 0, failed: 0, inFlight: 0, leading: true, lagSeconds: createHistogram([1]) },
    queue: { depth: 0, oldestAgeSeconds: 0 },
    widgetRefusals: { origin: 0 },
    providerSignIns: { success: 0, refused: 0, invalid: 0, down: 0 },
    texts: { texts: { depth: 0, oldestAgeSeconds: 0 }, answers: { depth: 0, oldestAgeSeconds: 0 } },
    trunks: [trunk as NamedTrunkState],
    disk: { freeBytes: 1, totalBytes: 2 },
    eventLoopDelaySeconds: { p50: 0, p99: 0, max: 0 },
  });
  const families = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [
      name,
      { type, labels: new Map<string, Set<string>>() },
    ]),
  );
  for (const [, sample = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const family = families.get(sample.replace(/_(bucket|sum|count)$/, ''));
    assert.ok(family, sample);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      if (label === 'le') continue;
      family.labels.set(label, (family.labels.get(label) ?? new Set()).add(value));
    }
  }
  return families;
}

const metricNames = (text: string): string[] => text.match(/voice_[a-z_]+/g) ?? [];

test('the page has every metric that is served, with its type and its labels, and no other', () => {
  const rows = [...read('metrics.md').matchAll(/^\| `(voice_\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$/gm)];
  const families = served();
  assert.deepEqual(rows.map(([, name = '']) => name).sort(), [...families.keys()].sort());
  for (const [, name = '', type, labels = ''] of rows) {
    assert.equal(type, families.get(name)?.type, name);
    const documented = new Map(
      [...labels.matchAll(/`(\w+)`(?:: ([^;]+))?/g)].map(([, label = '', values]) => [label, values?.split(', ')]),
    );
    const actual = families.get(name)?.labels ?? new Map<string, Set<string>>();
    assert.deepEqual([...documented.keys()].sort(), [...actual.keys()].sort(), name);
    for (const [label, values] of documented) {
      if (values)
        assert.deepEqual(
          values.map((value) => value.trim()).sort(),
          [...(actual.get(label) ?? [])].sort(),
          `${name} ${label}`,
        );
    }
  }
});

test('dashboard, alert rules and pages ask for metrics that are served', () => {
  const known = new Set(
    [...served()].flatMap(([name, { type }]) =>
      type === 'histogram' ? ['', '_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
  for (const path of ['examples/grafana-dashboard.json', 'examples/alert-rules.yaml', 'metrics.md', 'operations.md']) {
    assert.deepEqual(
      metricNames(read(path)).filter((name) => !known.has(name)),
      [],
      path,
    );
  }
});

test('each panel of the dashboard has a query, each alert a severity and a summary', () => {
  const { panels } = JSON.parse(read('examples/grafana-dashboard.json'));
  const charts = panels.filter(({ type }: { type: string }) => type !== 'row');
  assert.ok(charts.length > 20);
  for (const { title, targets } of charts) assert.ok(targets.length > 0 && targets[0].expr, title);
  assert.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
  const { groups } = parse(read('examples/alert-rules.yaml'));
  for (const { alert, labels, annotations } of groups[0].rules) {
    assert.match(labels.severity, /^(page|ticket)$/, alert);
    assert.ok(annotations.summary, alert);
  }
});
