// The agent whom a public key leads to, and what a page shows before anybody calls or writes.
import { type CallSetup, campaignSetup } from '../../db/rules/routing.ts';
import type { WidgetKeyTable, WidgetWay } from '../../db/schema/widget.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import type { Visit } from './door.ts';
import type { WidgetFacts } from './schema.ts';

/** Null: the campaign does not answer. */
export const setupOfKey = (db: Db, { accountId, campaignId }: WidgetKeyTable): Promise<CallSetup | null> =>
  campaignSetup(db, { accountId, campaignId, number: null });

export async function widgetFacts({ read }: ApiContext, { key }: Visit): Promise<WidgetFacts> {
  const setup = await setupOfKey(read, key);
  return {
    isOpen: setup !== null,
    allows: JSON.parse(key.allows) as WidgetWay[],
    needsCaptcha: key.captchaUrl !== null,
    agentName: setup?.agent.name ?? null,
    businessName: setup?.business.name ?? null,
    language: setup?.agent.language ?? null,
  };
}
