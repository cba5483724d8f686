// Tells the users of an account that an order for its number has moved: a port takes days, and nobody looks each hour.
import { listUsers } from '../../db/queries/accounts/users.ts';
import type { PortOrderRow } from '../../db/queries/numbers/port-orders.ts';
import type { Db } from '../../db/schema.ts';
import type { ApiContext } from '../context.ts';
import { filled, LETTERS } from '../mail/letters.ts';
import { mailLanguage } from '../mail/mail-language.ts';

const RECIPIENTS_MAX = 10;

/** In the transaction that moves the order. */
export async function postMoved(
  { mail }: Pick<ApiContext, 'mail'>,
  tx: Db,
  order: PortOrderRow,
  reason: string | undefined,
): Promise<void> {
  const { status } = order;
  if (status === 'DRAFT') return;
  const { rows } = await listUsers(tx, order.accountId, { limit: RECIPIENTS_MAX, offset: 0 });
  for (const { email, language: stored, emailVerifiedAt } of rows) {
    if (emailVerifiedAt === null) continue;
    const language = mailLanguage(stored) ?? 'en';
    const letters = LETTERS[language];
    const details = [
      reason === undefined ? null : letters.reason.replace('{{reason}}', () => reason),
      status === 'FOC_SCHEDULED' && order.focDate !== null ? letters.date.replace('{{date}}', order.focDate) : null,
    ].flatMap((detail) => (detail === null ? [] : `\n\n${detail}`));
    const values = { number: order.phoneNumber, status: letters.statuses[status], details: details.join('') };
    await mail.post(tx, { to: email, language, ...filled(letters.port, values) });
  }
}
