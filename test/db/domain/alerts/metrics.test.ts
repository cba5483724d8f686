// Figures of alert rules: what each is of, when it fires, and when it is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlertCounts, alertFigure, isMet, isOver, MICRO } from '../../../../db/domain/alerts/metrics.ts';

const COUNTS: AlertCounts = {
  ...{ calls: 50, ended: 40, answered: 30, failed: 10, transferred: 6, earlyHangups: 3, agentFailures: 2 },
  ...{ carrierRefusals: 4, outboundSeconds: 90, gapP95Ms: 1_400, gapCalls: 20, cost: 1_234_567 },
};

test('each figure is of what it says', () => {
  const value = (metric: Parameters<typeof alertFigure>[0]) => alertFigure(metric, COUNTS, 10).value;
  assert.equal(value('calls'), 50 * MICRO);
  assert.equal(value('failed_share'), 250_000);
  assert.equal(value('transferred_share'), 200_000);
  assert.equal(value('early_hangup_share'), 100_000);
  assert.equal(value('answer_gap_p95_ms'), 1_400 * MICRO);
  assert.equal(value('cost'), 1_234_567);
  assert.equal(value('outbound_minutes'), 1_500_000);
  assert.equal(value('agent_failures'), 2 * MICRO);
  assert.equal(value('carrier_refusals'), 4 * MICRO);
});

test('a share of too few calls says nothing, a count always does', () => {
  assert.equal(alertFigure('failed_share', COUNTS, 41).value, null);
  assert.equal(alertFigure('failed_share', { ...COUNTS, ended: 0, failed: 0 }, 1).value, null);
  assert.equal(alertFigure('answer_gap_p95_ms', { ...COUNTS, gapP95Ms: null, gapCalls: 0 }, 1).value, null);
  assert.equal(alertFigure('calls', { ...COUNTS, calls: 0 }, 41).value, 0);
});

test('it is over when it is back by a tenth, so that trembling around the limit is told of once', () => {
  const above = { metric: 'failed_share', comparison: 'above', threshold: 200_000 } as const;
  assert.deepEqual([isMet(above, 200_000), isMet(above, 200_001)], [false, true]);
  assert.deepEqual([isOver(above, 180_001), isOver(above, 180_000), isOver(above, null)], [false, true, true]);
  const below = { metric: 'calls', comparison: 'below', threshold: 1 * MICRO } as const;
  assert.deepEqual([isMet(below, 0), isMet(below, MICRO)], [true, false]);
  assert.deepEqual([isOver(below, 0), isOver(below, MICRO)], [false, true]);
  const many = { ...below, threshold: 20 * MICRO };
  assert.deepEqual([isOver(many, 21 * MICRO), isOver(many, 22 * MICRO)], [false, true]);
});
