// The cases of SIP and RTP that `npm run caller -- conformance` tries on anybody's agent: this service passes them, and
// an agent that does as little as it can fails them.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startCarelessAgent } from '../../../bench/conformance/careless-agent.ts';
import { CASES, openBench, runCases } from '../../../bench/conformance/run.ts';
import { INSTANT, withService } from '../../../bench/rig/conversation/scenario.ts';
import { openTlsDoor } from '../../../bench/rig/network/tls-door.ts';
import { nightly } from '../../support/nightly.ts';

/** It lasts 45 s; test/engine/sip has it in virtual time. */
const SLOW = ['session-timer-agent'];
/** The demo ends no call upon a word of a scripted model, and puts nobody through. */
const NEED_WORDS = ['bye-lost', 'refer-lost'];
const cases = CASES.filter(({ name }) => !SLOW.includes(name));

suite('the cases of conformance', { concurrency: true }, () => {
  test('this service passes each case or refuses it as it may', { timeout: 180_000 }, async () => {
    const tls = await openTlsDoor();
    const environment = { ...INSTANT, ...tls.environment, SIP_INBOUND_ALLOW: '127.0.0.1/32' };
    await withService(environment, async ({ sipUri }) => {
      const bench = await openBench(`sip:demo@${sipUri.replace('sip:', '')}`, {
        tlsPort: Number(tls.address.split(':')[1]),
      });
      const results = await runCases(bench, cases, 5);
      const other = results.filter(({ verdict }) => verdict !== 'passed');
      const expected = [
        { name: 'refer', verdict: 'unsupported', words: 'refused with 603' },
        ...NEED_WORDS.map((name) => ({ name, verdict: 'inconclusive' })),
      ];
      assert.deepEqual(
        other.map(({ name, verdict, words }) =>
          NEED_WORDS.includes(name) ? { name, verdict } : { name, verdict, words },
        ),
        cases.flatMap(({ name }) => expected.find((each) => each.name === name) ?? []),
      );
    }).finally(tls.close);
  });

  test('a careless agent passes none but the greeting', { skip: nightly, timeout: 180_000 }, async () => {
    const agent = await startCarelessAgent();
    try {
      const words = { goodbye: 'Goodbye.', transfer: 'A person, please.' };
      const bench = await openBench(`sip:anybody@127.0.0.1:${agent.port}`, words);
      const results = await runCases(bench, cases, 8);
      assert.deepEqual(
        results.flatMap(({ name, verdict }) => (verdict === 'passed' ? [name] : [])),
        ['greeting'],
      );
    } finally {
      await agent.stop();
    }
  });
});
