// JUnit XML of a run: the order and the attributes of the Ant task's schema, and texts that would break XML.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { junitXml } from '../../../api/test-suites/junit.ts';
import { faultsOf } from '../../support/junit-schema.ts';

const at = Date.UTC(2026, 4, 4, 9, 0, 0);
const run = { id: 'run_1', seed: 7, agentVersion: 4, businessVersion: null, failed: 1, errors: 1 };
const times = { createdAt: at, startedAt: at, endedAt: at + 2_340 };
const result = { kind: 'eval', checks: '[]', transcript: '[]', error: null, durationMs: 140 } as const;
const check = { check: { said: 'x' }, turn: 0, passed: false, expected: 'says "<b>"', found: 'a & b\u0007' };
const xml = junitXml({ name: 'Front "desk"' }, { ...run, ...times }, [
  { ...result, caseName: 'One', status: 'PASSED' },
  {
    ...{ ...result, caseName: 'Two', status: 'FAILED', checks: JSON.stringify([check]) },
    transcript: JSON.stringify([{ role: 'agent', text: 'a ]]> b \ud800', turn: 0 }]),
  },
  { ...result, caseName: 'Three', status: 'ERROR', error: 'The language model failed.' },
  { ...result, caseName: 'Four', status: 'QUEUED', durationMs: null },
]);

test('it is as the schema of the Ant task says', () => {
  assert.deepEqual(faultsOf(xml), []);
});

test('what is not as the schema says is found', () => {
  const faults = (from: string | RegExp, to: string) => faultsOf(xml.replace(from, to));
  assert.deepEqual(faults(/<system-out>.*\n/, ''), ['testsuite: properties testcase* system-err']);
  assert.deepEqual(faults(' hostname="localhost"', ''), ['testsuite: hostname is missing']);
  assert.deepEqual(faults('09:00:00"', '09:00:00Z"'), ['testsuite: timestamp is "2026-05-04T09:00:00Z"']);
  assert.deepEqual(faults('type="check"', 'kind="check"'), ['failure: type is missing', 'failure: kind is unknown']);
  assert.deepEqual(faults('<skipped/>', '<ignored/>'), ['testcase: ignored', 'ignored: is unknown']);
});

test('the suite has all attributes that the schema requires, in its forms', () => {
  const [head] = xml.match(/<testsuite [^>]*>/) ?? [''];
  assert.equal(
    head,
    '<testsuite name="Front &quot;desk&quot;" package="" id="0" timestamp="2026-05-04T09:00:00" hostname="localhost" ' +
      'tests="4" failures="1" errors="1" skipped="1" time="2.340">',
  );
  assert.match(xml, /<testcase name="One" classname="Front &quot;desk&quot;.eval" time="0.140"\/>/);
});

test('what people said cannot break it', () => {
  assert.match(xml, /<failure message="says &quot;&lt;b&gt;&quot;" type="check">turn 1: expected: says "&lt;b&gt;"/);
  assert.match(xml, /found: a &amp; b\ufffd\nagent: a \]\]&gt; b \ufffd<\/failure>/);
  assert.ok(!xml.includes('\u0007') && xml.isWellFormed());
});
