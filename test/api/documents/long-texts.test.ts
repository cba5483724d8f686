// Long texts that are sent are read on threads, two of an account at a time: nobody's wait behind them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useTenants } from '../../support/api/use-api.ts';

const api = useTenants();
const LONG = 'We are open from nine to five. '.repeat(2_000);

test('an account has two long texts read at a time, and another account’s does not wait for them', async () => {
  const sends = async (who: typeof api.tenant) => {
    const { business } = await setUpCampaign(api, who);
    return () => who.ask('POST', `/businesses/${business.id}/documents`, { name: 'Hours', text: LONG });
  };
  const [own, others] = [await sends(api.tenant), await sends(api.other)];
  const answers = await Promise.all([own(), own(), own(), own(), others()]);
  const codes = answers.map(({ status, json }) => json.code ?? status);
  assert.equal(codes.pop(), 201);
  assert.deepEqual(codes.map(String).sort(), ['201', '201', 'ACCOUNT_BUSY', 'ACCOUNT_BUSY']);
});
