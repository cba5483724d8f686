// Where calls may go, by the policies of installation, trunk and account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DestinationPolicy,
  type DestinationRules,
  destinationFault,
  destinationOf,
} from '../../../db/domain/numbers/destinations.ts';

const policy = (more: Partial<DestinationPolicy>): DestinationPolicy => ({
  countries: [],
  prefixes: { allow: [], deny: [] },
  types: [],
  ...more,
});
const rules = (homeCountries: string[], policies: Partial<DestinationRules['policies']> = {}): DestinationRules => ({
  homeCountries,
  policies: { installation: null, trunk: null, account: null, ...policies },
});
const US = '+12025550143';
const GERMANY = '+4915112345678';
const PREMIUM = '+19002345678';

test('the kind of a number: of a country by its plan, of a network by its code', () => {
  for (const [number, country, type] of [
    [US, 'US', 'fixed_line_or_mobile'],
    [PREMIUM, 'US', 'premium_rate'],
    ['+449098790000', 'GB', 'premium_rate'],
    ['+447012345678', 'GB', 'personal_number'],
    ['+491801234567', 'DE', 'shared_cost'],
    ['+881612345678', null, 'satellite'],
    ['+882161234567', null, 'satellite'],
    ['+870773111111', null, 'satellite'],
    ['+80012345678', null, 'toll_free'],
  ] as const)
    assert.deepEqual(destinationOf(number), { country, type }, number);
});

test('without a policy the home countries may be called, and never what costs more than a call', () => {
  assert.equal(destinationFault(US, rules(['US'])), null);
  assert.match(destinationFault(GERMANY, rules(['US', 'CA'])) ?? '', /only CA, US may be called, not DE/);
  for (const number of [PREMIUM, '+881612345678', '+447012345678', '+491801234567'])
    assert.match(destinationFault(number, rules([])) ?? '', /not called unless destinations name them/, number);
  assert.equal(destinationFault(GERMANY, rules([])), null, 'where no country is known, any');
  assert.equal(destinationFault('+447911123456', rules(['GB'])), null, 'Guernsey is called as a part of Britain');
  assert.notEqual(destinationFault('+18765551234', rules(['US'])), null, 'Jamaica shares only the calling code');
});

test('one policy decides in place of the default, and each that states something must allow', () => {
  const german = policy({ countries: ['DE'] });
  assert.equal(destinationFault(GERMANY, rules(['US'], { account: german })), null);
  assert.match(destinationFault(US, rules(['US'], { account: german })) ?? '', /the account's .* do not include US/);
  const both = { installation: policy({ countries: ['DE', 'US'] }), trunk: policy({ countries: ['US'] }) };
  assert.match(destinationFault(GERMANY, rules([], both)) ?? '', /the trunk's .* do not include DE/);
  assert.equal(destinationFault(US, rules([], both)), null);
  const nothing = { installation: policy({}) };
  assert.equal(destinationFault(US, rules(['US'], nothing)), null, 'empty lists state nothing');
});

test('a policy of countries leaves the kinds of number as they were', () => {
  const american = { installation: policy({ countries: ['US'] }) };
  assert.notEqual(destinationFault(PREMIUM, rules([], american)), null);
  const priced = { installation: policy({ types: ['premium_rate', 'fixed_line_or_mobile'] }) };
  assert.equal(destinationFault(PREMIUM, rules(['US'], priced)), null);
  assert.match(destinationFault('+18005550199', rules(['US'], priced)) ?? '', /do not include toll free numbers/);
});

test('the longest prefix decides before countries and kinds, and a tie denies', () => {
  const prefixes = (allow: string[], deny: string[]) => ({ account: policy({ prefixes: { allow, deny } }) });
  assert.equal(destinationFault(PREMIUM, rules(['US'], prefixes(['+1900'], []))), null);
  assert.match(destinationFault(US, rules(['US'], prefixes([], ['+1202']))) ?? '', /the account's .* deny \+1202/);
  assert.equal(destinationFault(US, rules(['DE'], prefixes(['+12025'], ['+1202']))), null);
  assert.notEqual(destinationFault(US, rules(['US'], prefixes(['+1202'], ['+1202']))), null);
  assert.equal(destinationFault(GERMANY, rules(['DE'], prefixes(['+1900'], []))), null, 'others stay as they were');
});

test('a number in any other spelling than E.164 is not called: no rule would know it', () => {
  const denied = { account: policy({ prefixes: { allow: [], deny: ['+1202555'] } }) };
  for (const number of [
    `${US}@evil.example`,
    `${US} ext 5`,
    '+1 202 555 0143',
    '2025550143',
    'sip:demo@127.0.0.1',
    '+',
  ])
    for (const by of [rules(['US']), rules(['US'], denied)])
      assert.match(destinationFault(number, by) ?? '', /no phone number in E\.164/, number);
});
