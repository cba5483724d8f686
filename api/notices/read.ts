// Reads a message that is to be sent: its rule as the business has it now, and what it tells. Null where the rule is
// gone, or every call was erased.
import {
  ALERT_KIND,
  isOpenAddress,
  type NoticeKind,
  type NoticeRule,
  noticeRules,
  noticeTarget,
} from '../../db/domain/notices/rules.ts';
import { findTeller, noticesOf } from '../../db/queries/notices/notices.ts';
import type { NoticeMessageTable } from '../../db/schema/notices.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { LINES_MAX, type Subject } from './compose.ts';
import { exampleFacts } from './example.ts';
import { factsOf, languageOf, type Told, withoutWords } from './facts.ts';
import { noticeAddresses } from './rules.ts';

export type NoticeContext = Pick<ApiContext, 'db' | 'read' | 'now' | 'secretKey' | 'publicUrl'>;

export interface ReadMessage {
  rule: NoticeRule;
  /** Null for a mail and for a text. */
  address: { url: string; secretDigest: string | null } | null;
  of: Subject;
}

export async function readMessage(context: NoticeContext, row: NoticeMessageTable): Promise<ReadMessage | null> {
  const { read } = context;
  const teller = await findTeller(read, row.accountId, row.businessId);
  const kinds = JSON.parse(row.kinds) as NoticeKind[];
  const rules = noticeRules(teller?.notify ?? '[]').filter((each) => noticeTarget(each) === row.target);
  const [rule] = rules;
  if (!teller || !rule) return null;
  const isExample = row.isTest === 1;
  const { told, more } = isExample
    ? { told: exampleFacts(kinds[0] ?? rule.on, context.now()), more: 0 }
    : await toldIn(read, row);
  if (told.length === 0) return null;
  const language = await languageOf(read, teller, rule.by === 'mail' ? rule.to : null);
  const address = isOpenAddress(rule.by) ? null : noticeAddresses(context, teller.id, teller)[rule.to];
  if (address === undefined) return null;
  const { businessId: id, name, timezone } = teller;
  const isAlert = kinds.includes(ALERT_KIND);
  // Of several rules for one recipient the strictest.
  const isBare = rules.some(({ on, detail }) => detail === 'link' && kinds.includes(on));
  const of = {
    business: { id, name, timezone },
    settingsAt: isAlert ? `/alerts/${teller.id}` : `/businesses/${teller.id}?tab=notices`,
    language,
    publicUrl: context.publicUrl(),
    told: isBare ? told.map(withoutWords) : told,
    more,
    isExample,
  };
  return { rule, address, of };
}

/** Notices that are read at a time: a flood may have a hundred thousand. */
const NOTICES_AT_ONCE = 500;

/** As many as a message shows, and how many more it has. */
async function toldIn(db: Db, { id, accountId, notices }: NoticeMessageTable): Promise<{ told: Told[]; more: number }> {
  const told: Told[] = [];
  let looked = 0;
  for (let offset = 0; told.length < LINES_MAX; offset += NOTICES_AT_ONCE) {
    const page = await noticesOf(db, id, { limit: NOTICES_AT_ONCE, offset });
    told.push(...(await factsOf(db, accountId, page)));
    looked += new Set(page.map(({ callId, subjectId }) => callId ?? subjectId)).size;
    if (page.length < NOTICES_AT_ONCE) break;
  }
  return { told: told.slice(0, LINES_MAX), more: Math.max(0, told.length - LINES_MAX) + Math.max(0, notices - looked) };
}
