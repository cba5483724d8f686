// The first start: creates an ADMIN, and a demo that answers calls, in one transaction that first checks for an ADMIN,
// so a second start, or a parallel process, changes nothing.

import { insertAccount } from '../../db/queries/accounts/accounts.ts';
import { hasAdmin, insertUser } from '../../db/queries/accounts/users.ts';
import { insertAgent } from '../../db/queries/businesses/agents.ts';
import { insertBusiness } from '../../db/queries/businesses/businesses.ts';
import { insertCampaign, newCampaign } from '../../db/queries/campaigns/campaigns.ts';
import { insertDemoNumber } from '../../db/queries/numbers/phone-numbers.ts';
import { DEMO_ALIAS } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { knownVoices } from '../../models/install/catalogue.ts';
import { generatePassword } from '../auth/generated-password.ts';
import { newAccountRow, newUserRow } from '../auth/registration.ts';
import { BUSINESS_DEFAULTS } from '../businesses/record.ts';
import type { ApiContext } from '../context.ts';
import { DEMO_NUMBER, demoAgent, demoBusiness } from './demo-business.ts';

/** The result of a first start: the ADMIN's address, and a generated password. Null: nothing to do. */
interface FirstRun {
  adminEmail: string;
  generatedPassword: string | null;
}

export async function firstRun(context: ApiContext): Promise<FirstRun | null> {
  if (await hasAdmin(context.db)) return null;
  const { adminEmail, adminPassword, demo } = context.config;
  const password = adminPassword ?? generatePassword();
  const passwordHash = await context.passwords.hash(password);
  const nowMs = context.now();
  return context.db.transaction().execute(async (tx) => {
    if (await hasAdmin(tx)) return null;
    // The operator pays for the machine: the operator's own account has no limit of minutes.
    const account = newAccountRow('Administration', nowMs, 'ENTERPRISE');
    await insertAccount(tx, account);
    await insertUser(
      tx,
      newUserRow(account.id, { email: adminEmail, passwordHash, role: 'ADMIN', verified: true }, nowMs),
    );
    if (demo) await insertDemo(tx, account.id, nowMs);
    return { adminEmail, generatedPassword: adminPassword === null ? password : null };
  });
}

async function insertDemo(tx: Db, accountId: string, nowMs: number): Promise<void> {
  const agentId = newId('agt');
  const businessId = newId('biz');
  const campaignId = newId('cmp');
  await insertAgent(tx, accountId, {
    ...demoAgent,
    id: agentId,
    voiceId: knownVoices(process.env)[0]?.id ?? '',
    additionalLanguages: '[]',
    languages: '[]',
    conversation: '{}',
    toolIds: '[]',
    isActive: 1,
    createdAt: nowMs,
    deletedAt: null,
    version: 1,
  });
  const { hours, services, faqs, policies, ...business } = demoBusiness;
  await insertBusiness(tx, accountId, {
    ...BUSINESS_DEFAULTS,
    ...business,
    id: businessId,
    phone: DEMO_NUMBER.phoneNumber,
    hours: JSON.stringify(hours),
    services: JSON.stringify(services),
    faqs: JSON.stringify(faqs),
    policies: JSON.stringify(policies),
    createdAt: nowMs,
    version: 1,
    deletedAt: null,
  });
  await insertDemoCampaign(tx, { accountId, agentId, businessId, campaignId, nowMs });
}

interface DemoIds {
  accountId: string;
  agentId: string;
  businessId: string;
  campaignId: string;
  nowMs: number;
}

async function insertDemoCampaign(tx: Db, demo: DemoIds): Promise<void> {
  const { accountId, agentId, businessId, campaignId, nowMs } = demo;
  const demoCampaign = newCampaign({
    id: campaignId,
    accountId,
    name: 'Demo reception',
    description: `Answers calls to sip:${DEMO_ALIAS}@ this host`,
    agentId,
    businessId,
    status: 'RUNNING',
    startedAt: nowMs,
    createdAt: nowMs,
  });
  await insertCampaign(tx, accountId, demoCampaign);
  await insertDemoNumber(tx, {
    ...DEMO_NUMBER,
    id: newId('pn'),
    accountId,
    type: 'local',
    capabilities: JSON.stringify(['voice']),
    monthlyCost: 0,
    campaignId,
    isActive: 1,
    status: 'active',
    trunkId: null,
    sipAlias: DEMO_ALIAS,
    createdAt: nowMs,
    releasedAt: null,
  });
}
