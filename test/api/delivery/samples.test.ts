// Sample events speak the words of real ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleData } from '../../../api/delivery/samples.ts';
import { CALL_OUTCOMES, END_REASONS } from '../../../db/domain/calls/ends.ts';
import { EVENT_TYPES } from '../../../db/outbox.ts';

test('the ends of sample calls are ends that calls have', () => {
  const words: readonly (string | null)[] = [...CALL_OUTCOMES, ...END_REASONS, null];
  for (const type of EVENT_TYPES) {
    const sample = sampleData(type, Date.UTC(2026, 10, 18));
    if (!('endReason' in sample)) continue;
    assert.ok(words.includes(sample.outcome), `${type}: ${sample.outcome}`);
    assert.ok(words.includes(sample.endReason), `${type}: ${sample.endReason}`);
  }
});
