import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { messageBody } from '../../../api/delivery/message.ts';
import { nextAttemptAt, parseRetryAfter, RETRY_DELAYS_MS } from '../../../api/delivery/schedule.ts';
import { createSecret, digestSecret, signedHeaders } from '../../../api/delivery/signature.ts';

/** The first attempt, and one after each delay. */
const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

test('retries follow the schedule within a fifth, and end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: ATTEMPTS_MAX }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (failed, random) => {
        const at = nextAttemptAt(failed, 1_000_000, null, random);
        const delay = RETRY_DELAYS_MS[failed - 1];
        if (delay === undefined) return at === null && failed === ATTEMPTS_MAX;
        return at !== null && at - 1_000_000 >= delay * 0.8 - 1 && at - 1_000_000 <= delay * 1.2 + 1;
      },
    ),
  );
});

test('Retry-After lengthens a wait up to a day and never shortens it', () => {
  assert.equal(nextAttemptAt(1, 0, 60_000, 0.5), 60_000);
  assert.equal(nextAttemptAt(1, 0, 1_000, 0.5), 5_000);
  assert.equal(nextAttemptAt(1, 0, 10 ** 12, 0.5), 86_400_000);
  assert.equal(nextAttemptAt(ATTEMPTS_MAX, 0, 60_000, 0.5), null);
});

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-11-18T12:00:00Z');
  assert.equal(parseRetryAfter('120', now), 120_000);
  assert.equal(parseRetryAfter(' 0 ', now), 0);
  assert.equal(parseRetryAfter('Wed, 18 Nov 2026 12:01:00 GMT', now), 60_000);
  assert.equal(parseRetryAfter('Wed, 18 Nov 2026 11:00:00 GMT', now), 0);
  for (const junk of [undefined, '', 'soon', '-5', '1.5', '12345678901'])
    assert.equal(parseRetryAfter(junk, now), null);
  assert.equal(parseRetryAfter(['7', '9'], now), 7_000);
});

test('every body and secret verifies with a Standard Webhooks library', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (data, type) => {
      const secret = createSecret();
      const nowMs = Date.now();
      const body = messageBody({ id: 'evt_1', type, createdAtMs: nowMs, data });
      const digest = digestSecret(secret);
      const headers = signedHeaders(digest, 'evt_1', body, nowMs);
      const message = new Webhook(`whsec_${digest}`).verify(body, headers) as { data: unknown; type: string };
      assert.deepEqual(message.data, JSON.parse(data));
      assert.equal(message.type, type);
      assert.throws(() => new Webhook(`whsec_${digestSecret(createSecret())}`).verify(body, headers));
    }),
  );
});
