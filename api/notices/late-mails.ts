// Notices by mail: the outbox of mails holds the id of a message, and asks here for its words when it sends it.
import { closeMessage, getMessage, noteMailFailure } from '../../db/queries/notices/messages.ts';
import { NOTICES, transact } from '../../db/scope.ts';
import type { LateMails } from '../mail/mail-outbox.ts';
import { composeMessage, mailText } from './compose.ts';
import { type NoticeContext, readMessage } from './read.ts';

export function noticeMails(context: NoticeContext): LateMails {
  const close = (id: string, status: 'sent' | 'failed' | 'dropped', error: string | null) =>
    transact(context.db, NOTICES, (tx) => closeMessage(tx, id, { status, error, nowMs: context.now() }));
  return {
    async written(id) {
      const row = await getMessage(context.read, id);
      const message = row && (await readMessage(context, row));
      if (!message) {
        await close(id, 'dropped', null);
        return null;
      }
      const { subject, ...written } = composeMessage(message.of);
      const { language } = message.of;
      return { to: message.rule.to, language, subject, text: mailText({ subject, ...written }) };
    },
    sent: (id) => close(id, 'sent', null),
    failed: (id, error, isLost) => (isLost ? close(id, 'failed', error) : noteMailFailure(context.db, id, error)),
  };
}
