// Reads a message that is to be sent: its rule as the business has it now, and what it tells. Null where the rule is
// gone, or every call was erased.
import { type NoticeRule, noticeRules, noticeTarget } from '../../db/domain/notices/rules.ts';
import { noticesOf, tellingBusiness } from '../../db/queries/notices/notices.ts';
import type { NoticeMessageTable } from '../../db/schema/notices.ts';
import type { ApiContext } from '../context.ts';
import type { Subject } from './compose.ts';
import { exampleFacts } from './example.ts';
import { factsOf, languageOf } from './facts.ts';
import { noticeAddresses } from './rules.ts';

export type NoticeContext = Pick<ApiContext, 'db' | 'read' | 'now' | 'secretKey' | 'publicUrl'>;

export interface ReadMessage {
  rule: NoticeRule;
  /** Null for a mail. */
  address: { url: string; secretDigest: string | null } | null;
  of: Subject;
}

export async function readMessage(context: NoticeContext, row: NoticeMessageTable): Promise<ReadMessage | null> {
  const { read } = context;
  const business = await tellingBusiness(read, row.accountId, row.businessId);
  const rule = business && noticeRules(business.notify).find((each) => noticeTarget(each) === row.target);
  if (!rule) return null;
  const isExample = row.isTest === 1;
  const told = isExample
    ? exampleFacts(rule.on, context.now())
    : await factsOf(read, row.accountId, await noticesOf(read, row.id));
  if (told.length === 0) return null;
  const language = await languageOf(read, business, rule.by === 'mail' ? rule.to : null);
  const address = rule.by === 'mail' ? null : noticeAddresses(context, business.id, business)[rule.to];
  if (address === undefined) return null;
  const { id, name, timezone } = business;
  const of = { business: { id, name, timezone }, language, publicUrl: context.publicUrl(), told, isExample };
  return { rule, address, of };
}
