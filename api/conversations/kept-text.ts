// The words of a message as they are kept: without what the business has taken out of them; and all of them, sealed,
// until who answers has read them.
import { type RedactionRules, redact } from '../../db/domain/redaction/find.ts';
import { messageContext } from '../../db/rules/texting.ts';
import type { MessageTable } from '../../db/schema/conversations.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';

/** PostgreSQL stores no NUL. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** `rules`: null: nothing is taken out. */
export function keptText(
  text: string,
  rules: RedactionRules | null,
  conversationId: string,
  secretKey: Buffer,
): Pick<MessageTable, 'text' | 'sealed'> {
  const kept = rules === null ? text : redact(text, rules);
  return { text: kept, sealed: kept === text ? null : seal(secretKey, messageContext(conversationId), text) };
}
