// Decides whether a number may be called, for single calls, contacts, the dialler and transfers: by the policies of
// installation, trunk and account, and by the home countries. The texts are in db/domain.

import {
  countriesOf,
  type DestinationPolicy,
  type DestinationRules,
  destinationFault,
  destinationOf,
} from '../domain/numbers/destinations.ts';
import { outboundTrunkId } from '../domain/outbound-trunk.ts';
import type { Db } from '../schema.ts';
import { compiledStatement, runText } from '../statements/compiled-statement.ts';

export const policyOf = (json: string | null | undefined): DestinationPolicy | null =>
  json == null ? null : (JSON.parse(json) as DestinationPolicy);

/** Whose rules: an account's calls over a trunk; `trunkId` null: no trunk is known yet. */
interface RulesFor {
  accountId: string;
  trunkId: string | null;
}

/** The texts from which policies are read, in JSON. */
interface PolicyTexts {
  installation: string | null;
  account: string | null;
  trunk: string | null;
}

async function destinationRules(db: Db, { accountId, trunkId }: RulesFor): Promise<DestinationRules> {
  const [row] = await runText<PolicyTexts & { trunkCountry: string | null }>(
    db,
    'destination-policies',
    () => `select ${POLICY_TEXTS}, upper(trunks.country) as "trunkCountry" ${OF_ACCOUNT_AND_TRUNK}`,
    [accountId, trunkId ?? '', null, null],
  );
  const numbers = await runText<{ country: string }>(db, 'number-countries', () => NUMBER_COUNTRIES, []);
  const countries = [row?.trunkCountry, ...numbers.map(({ country }) => country)];
  return {
    policies: policiesIn(row),
    homeCountries: [...new Set(countries.filter((country) => country != null))],
  };
}

const policiesIn = (texts: PolicyTexts | undefined): DestinationRules['policies'] => ({
  installation: policyOf(texts?.installation),
  trunk: policyOf(texts?.trunk),
  account: policyOf(texts?.account),
});

const POLICY_TEXTS = `(select value from settings where name = 'destinations') as installation,
  accounts.destinations as account, trunks.destinations as trunk`;

const OF_ACCOUNT_AND_TRUNK = `from (select ? as account_id, ? as trunk_id, ? as one, ? as other) as asked
  left join accounts on accounts.id = asked.account_id
  left join trunks on trunks.id = asked.trunk_id`;

const OWNED = "status <> 'released' and sip_alias is null";
/** Offers of carriers with an API are no numbers of the installation: a search would else open a country. */
const OFFERED = 'retired_at is null and carrier_id is null';

/**
 * The countries of the installation's numbers, including the account's own, without the demo's fictitious number. Jumps
 * from one entry of each index to the next: there may be a hundred thousand numbers of one country.
 */
const countriesIn = (table: string, condition: string): string =>
  `with recursive found (country) as (
     select min(country) from ${table} where ${condition}
     union all
     select (select min(country) from ${table} where ${condition} and country > found.country)
     from found where found.country is not null
   )
   select country from found where country is not null`;

const NUMBER_COUNTRIES = `select country from (${countriesIn('phone_numbers', OWNED)}) as owned
  union select country from (${countriesIn('inventory', OFFERED)}) as offered`;

/** Whether one of two countries is a home country: two steps in an index, in place of the list of all. */
const HAS_HOME = `upper(trunks.country) in (asked.one, asked.other)
  or exists (select 1 from phone_numbers where country in (asked.one, asked.other) and ${OWNED})
  or exists (select 1 from inventory where country in (asked.one, asked.other) and ${OFFERED})`;

/** Why the account may not call the number over the trunk, in words for the client; null if it may. */
export async function destinationObstacle(
  db: Db,
  { toNumber, ...whose }: RulesFor & { toNumber: string },
): Promise<string | null> {
  const destination = destinationOf(toNumber);
  const [country = null, sharing = null] = countriesOf(destination);
  const [row] = await runText<PolicyTexts & { isHome: 0 | 1 | null }>(
    db,
    'destination-obstacle',
    () => `select ${POLICY_TEXTS}, ${HAS_HOME} as "isHome" ${OF_ACCOUNT_AND_TRUNK}`,
    [whose.accountId, whose.trunkId ?? '', country, sharing],
  );
  const rules =
    row?.isHome === 1 && country !== null
      ? { policies: policiesIn(row), homeCountries: [country] }
      : await destinationRules(db, whose);
  return destinationFault(toNumber, rules, destination);
}

/** The outbound trunk of a number, in any state; null if none is configured. */
export async function trunkOfNumber(db: Db, numberTrunkId: string | null): Promise<string | null> {
  const trunks = await runText<{ id: string }>(
    db,
    'trunks-oldest-first',
    () => 'select id from trunks where deleted_at is null order by created_at, id',
    [],
  );
  return outboundTrunkId(
    numberTrunkId,
    trunks.map(({ id }) => id),
  );
}

const trunksOfCampaign = compiledStatement((db, { accountId, campaignId }: { accountId: string; campaignId: string }) =>
  db
    .selectFrom('phoneNumbers')
    .select('trunkId')
    .distinct()
    .where('campaignId', '=', campaignId)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active'),
);

/**
 * The rules for the contacts of a campaign, one for each outbound trunk of its numbers: a contact may be called if one
 * of them allows it.
 */
export async function campaignDestinationRules(
  db: Db,
  { accountId, campaignId }: { accountId: string; campaignId: string },
): Promise<DestinationRules[]> {
  const numbers = await trunksOfCampaign(db, { accountId, campaignId });
  const own = numbers.length > 0 ? numbers.map(({ trunkId }) => trunkId) : [null];
  const trunkIds = new Set<string | null>();
  for (const trunkId of own) trunkIds.add(await trunkOfNumber(db, trunkId));
  const rules: DestinationRules[] = [];
  for (const trunkId of trunkIds) rules.push(await destinationRules(db, { accountId, trunkId }));
  return rules;
}

/** Why no trunk of a campaign may call the number; null if one may. */
export function contactFault(phoneNumber: string, rules: readonly DestinationRules[]): string | null {
  let fault: string | null = null;
  for (const each of rules) {
    fault = destinationFault(phoneNumber, each);
    if (fault === null) return null;
  }
  return fault;
}
