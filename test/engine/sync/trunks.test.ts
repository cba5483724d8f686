// The log's words about trunks: changes, and nothing between them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import type { TrunkState } from '../../../engine/sip/telephony.ts';
import { TrunkSync } from '../../../engine/sync/trunks.ts';

test('the state of a trunk is logged when it changes, as a warning when it is down', () => {
  const lines: Array<{ level: number; health: string; error: string | null }> = [];
  let report: (state: TrunkState) => void = () => undefined;
  let written = 0;
  new TrunkSync({
    read: {} as never,
    writer: { run: async () => void written++ } as never,
    telephony: {
      onTrunkState: (listener: typeof report) => {
        report = listener;
      },
    } as never,
    leads: () => true,
    edge: null,
    secretKey: randomBytes(32),
    now: () => 0,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  const state = (health: TrunkState['health']['state'], checkedAtMs: number, lastError: string | null = null) =>
    report({
      trunkId: 'trk_1',
      registration: { state: 'off', expiresAtMs: null },
      health: { state: health, checkedAtMs },
      lastError,
      lastErrorAtMs: null,
    });
  for (let minute = 0; minute < 60; minute++) state('up', minute * 60_000);
  state('down', 3_600_000, 'timeout');
  state('down', 3_660_000, 'timeout');
  state('up', 3_720_000);
  assert.deepEqual(
    lines.map(({ level, health, error }) => [level, health, error]),
    [
      [30, 'up', null],
      [40, 'down', 'timeout'],
      [30, 'up', null],
    ],
  );
  assert.equal(written, 63, 'the API shows every check');
});
