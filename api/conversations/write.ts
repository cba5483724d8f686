// Words of a conversation: of a user to its person, or, where no carrier stands between, of the person to the agent.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { plainText, segmentsOf } from '../../db/domain/texts/segments.ts';
import { getConversation, updateConversation } from '../../db/queries/conversations/conversations.ts';
import { addMessage, markRead } from '../../db/queries/conversations/messages.ts';
import { type CallSetup, campaignSetup } from '../../db/rules/routing.ts';
import { readTestSetup } from '../../db/rules/test-setup.ts';
import { keptText, queueText, storable, textObstacle, textRules } from '../../db/rules/texting.ts';
import type { ConversationTable, MessageTable } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { CONVERSATIONS, transact } from '../../db/scope.ts';
import type { Remember } from '../calls/place/place.ts';
import type { ApiContext } from '../context.ts';
import type { Auth } from '../frame/app.ts';
import { refused, retryLater } from '../frame/errors.ts';
import { messageRecord } from './record.ts';
import type { MessageCreate, MessageRecord } from './schema.ts';
import { missing } from './service.ts';
import { checkMayWrite, takeOver } from './take-over.ts';

const LIMIT = () =>
  retryLater('TEXT_LIMIT', 'The account has reached its limit of texts or of spending', HOUR_MS / 1_000);
const OBSTACLES = {
  opted_out: () => refused('TEXT_OPTED_OUT', 'This person wants no texts from this number'),
  not_allowed: () => refused('TEXT_NOT_ALLOWED', 'No texts may be sent to this number, or from yours'),
  limit: LIMIT,
  loop: LIMIT,
} as const;

/** In a chat the person's words, which the agent answers; else a user's, who has taken it over. @throws {ApiError} */
export async function writeMessage(
  context: ApiContext,
  auth: Auth,
  id: string,
  body: MessageCreate,
  remember: Remember<MessageRecord>,
): Promise<MessageRecord> {
  const { db, now, secretKey } = context;
  const { accountId, userId } = auth;
  return transact(db, CONVERSATIONS, async (tx) => {
    const row = await getConversation(tx, accountId, id);
    if (row === undefined) throw missing();
    checkMayWrite(auth, row);
    const nowMs = now();
    const written = storable(body.text).trim();
    const remembered = async (message: MessageTable): Promise<MessageRecord> => {
      const record = messageRecord(message, row);
      await remember(tx, record);
      return record;
    };
    if (row.kind === 'chat') return remembered(await hearPerson(context, tx, row, written, userId));
    const { text, sealed } = await kept(tx, row, written, secretKey);
    const obstacle = await textObstacle(tx, row, 'user', nowMs);
    if (obstacle !== null) throw OBSTACLES[obstacle]();
    if (row.answeredBy !== 'person' || row.takenBy !== userId) await takeOver(tx, row, userId);
    await markRead(tx, row);
    const ours = {
      author: 'user',
      userId,
      text,
      sealed,
      segments: segmentsOf(plainText(written)),
    } as const;
    return remembered(await queueText(tx, row, ours, nowMs));
  });
}

/** Words of the person on the other side of one without a carrier, which the agent answers unless it is taken over. */
export async function hearPerson(
  { now, secretKey }: ApiContext,
  tx: Db,
  row: ConversationTable,
  written: string,
  userId: string | null,
): Promise<MessageTable> {
  const nowMs = now();
  const words = await kept(tx, row, storable(written).trim(), secretKey);
  const said = { author: 'person', userId, ...words, segments: 0, status: 'received' } as const;
  const message = await addMessage(tx, row, said, nowMs);
  if (message === null) throw missing();
  if (row.answeredBy === 'agent')
    await updateConversation(tx, row.accountId, row.id, { dueAt: row.dueAt ?? nowMs, note: null });
  return message;
}

async function kept(tx: Db, row: ConversationTable, written: string, secretKey: Buffer) {
  const setup = await setupOf(tx, row);
  const rules = setup === null ? null : textRules(setup.business, setup.agent, row.ownNumber);
  return keptText(row.kind === 'sms' ? plainText(written) : written, rules, row.id, secretKey);
}

/** A visitor's words are kept by the rules that are published. */
async function setupOf(tx: Db, row: ConversationTable): Promise<CallSetup | null> {
  const { accountId, campaignId } = row;
  if (row.kind === 'web') return campaignSetup(tx, { accountId, campaignId, number: row.id });
  const found = await readTestSetup(tx, row);
  return 'setup' in found ? found.setup : null;
}
