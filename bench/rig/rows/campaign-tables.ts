// Rows for the dialler (accounts, trunks, numbers, campaigns, contacts), written like the API's.

import { insertContacts } from '../../../db/queries/campaigns/contacts.ts';
import type { AccountTable } from '../../../db/schema/accounts.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import type { Db } from '../../../db/schema.ts';
import { newId } from '../../../db/shared/id.ts';
import { campaignRow, trunkRow } from './table-rows.ts';

export interface TrunkLimits {
  maxConcurrentCalls: number;
  callsPerSecond: number;
}

export interface StageTables {
  trunks: Map<string, TrunkLimits>;
  accountOf(campaignId: string): string;
  account(changes?: Partial<AccountTable>): Promise<string>;
  trunk(limits: TrunkLimits): Promise<string>;
  /** A RUNNING campaign with one number per entry of `trunkIds` (null: a number without a trunk of its own). */
  campaign(
    accountId: string,
    changes?: Partial<CampaignTable>,
    trunkIds?: ReadonlyArray<string | null>,
  ): Promise<CampaignTable>;
  contacts(campaign: CampaignTable, numbers: readonly string[]): Promise<string[]>;
  list(accountId: string, numbers: readonly string[]): Promise<void>;
}

export function addTables(db: Db, startMs: number): StageTables {
  const trunks = new Map<string, TrunkLimits>();
  const accounts = new Map<string, string>();
  let numbers = 0;
  return {
    trunks,
    accountOf: (campaignId) => accounts.get(campaignId) ?? '',
    async account(changes = {}) {
      const id = newId('acc');
      await db
        .insertInto('accounts')
        .values({
          id,
          name: 'Account',
          plan: 'ENTERPRISE',
          timezone: 'UTC',
          defaultCampaignId: null,
          overageEnabled: 0,
          billingCustomerId: null,
          retentionDays: null,
          setup: null,
          createdAt: startMs,
          ...changes,
        })
        .execute();
      return id;
    },
    async trunk(limits) {
      const id = newId('trk');
      const row = trunkRow({ id, host: '127.0.0.1', ...limits, createdAt: startMs });
      await db.insertInto('trunks').values(row).execute();
      trunks.set(id, limits);
      return id;
    },
    async campaign(accountId, changes = {}, trunkIds = [null]) {
      const started = { startedAt: startMs, createdAt: startMs };
      const row = campaignRow({ accountId, ...started, ...changes });
      await db.insertInto('campaigns').values(row).execute();
      accounts.set(row.id, accountId);
      for (const trunkId of trunkIds) {
        await db
          .insertInto('phoneNumbers')
          .values({
            id: newId('pn'),
            accountId,
            phoneNumber: `+1646555${String(1_000 + numbers++)}`,
            country: 'US',
            areaCode: '646',
            type: 'local',
            capabilities: '["voice"]',
            monthlyCost: 0,
            campaignId: row.id,
            isActive: 1,
            status: 'active',
            trunkId,
            sipAlias: null,
            createdAt: startMs,
            releasedAt: null,
            releaseAskedAt: null,
            suspendedAt: null,
          })
          .execute();
      }
      return row;
    },
    async contacts(campaign, phoneNumbers) {
      const rows = phoneNumbers.map((phoneNumber) => ({
        id: newId('cnt'),
        campaignId: campaign.id,
        phoneNumber,
        name: null,
        email: null,
        status: 'PENDING' as const,
        attempts: 0,
        lastCallId: null,
        nextAttemptAt: null,
        variables: '{}',
        metadata: '{}',
        createdAt: startMs,
      }));
      await insertContacts(db, campaign.accountId, rows);
      return rows.map((row) => row.id);
    },
    async list(accountId, phoneNumbers) {
      for (const phoneNumber of phoneNumbers) {
        await db
          .insertInto('doNotCall')
          .values({ id: newId('dnc'), accountId, phoneNumber, reason: null, source: 'api', createdAt: startMs })
          .execute();
      }
    },
  };
}
