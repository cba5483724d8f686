// Decides whether a number may be called, for single calls, contacts, the dialler and transfers: by the policies of
// installation, trunk and account, and by the home countries. The texts are in db/domain.
import { runText } from '../compiled-statement.ts';
import { type DestinationPolicy, type DestinationRules, destinationFault } from '../domain/destinations.ts';
import { outboundTrunkId } from '../domain/outbound-trunk.ts';
import { readSetting } from '../queries/settings/settings.ts';
import type { Db } from '../sqlite.ts';

export const policyOf = (json: string | null | undefined): DestinationPolicy | null =>
  json == null ? null : (JSON.parse(json) as DestinationPolicy);

/** The rules for an account's calls over a trunk; `trunkId` null: no trunk is known yet. */
async function destinationRules(
  db: Db,
  { accountId, trunkId }: { accountId: string; trunkId: string | null },
): Promise<DestinationRules> {
  const [account] = await runText<{ destinations: string | null }>(
    db,
    'account-destinations',
    () => 'select destinations from accounts where id = ?',
    [accountId],
  );
  const [trunk] = await runText<{ destinations: string | null; country: string | null }>(
    db,
    'trunk-destinations',
    () => 'select destinations, country from trunks where id = ?',
    [trunkId ?? ''],
  );
  const numbers = await runText<{ country: string }>(db, 'number-countries', () => NUMBER_COUNTRIES, []);
  const countries = [trunk?.country?.toUpperCase(), ...numbers.map(({ country }) => country)];
  return {
    policies: {
      installation: policyOf(await readSetting(db, 'destinations')),
      trunk: policyOf(trunk?.destinations),
      account: policyOf(account?.destinations),
    },
    homeCountries: [...new Set(countries.filter((country) => country != null))],
  };
}

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

const NUMBER_COUNTRIES = `select country from (${countriesIn('phone_numbers', "status <> 'released' and sip_alias is null")}) as owned
  union select country from (${countriesIn('inventory', 'retired_at is null')}) as offered`;

/** Why the account may not call the number over the trunk, in words for the client; null if it may. */
export async function destinationObstacle(
  db: Db,
  call: { accountId: string; trunkId: string | null; toNumber: string },
): Promise<string | null> {
  return destinationFault(call.toNumber, await destinationRules(db, call));
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

/**
 * The rules for the contacts of a campaign, one for each outbound trunk of its numbers: a contact may be called if one
 * of them allows it.
 */
export async function campaignDestinationRules(
  db: Db,
  { accountId, campaignId }: { accountId: string; campaignId: string },
): Promise<DestinationRules[]> {
  const numbers = await db
    .selectFrom('phoneNumbers')
    .select('trunkId')
    .distinct()
    .where('campaignId', '=', campaignId)
    .where('accountId', '=', accountId)
    .where('status', '=', 'active')
    .execute();
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
