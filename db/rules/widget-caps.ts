// Whether one more call or message may come by the public key of a widget. Ask it in the transaction that adds it, with
// the account in its scope: so two requests never take the last place both.
import { messagesToday, widgetUses } from '../queries/widget/uses.ts';
import type { WidgetKeyTable, WidgetRefusal, WidgetWay } from '../schema/widget.ts';
import type { Db } from '../schema.ts';

/** Null: it may. */
export async function widgetObstacle(
  tx: Db,
  key: WidgetKeyTable,
  way: WidgetWay,
  nowMs: number,
): Promise<WidgetRefusal | null> {
  if (way === 'text') return (await messagesToday(tx, key, nowMs)) >= key.messagesPerDay ? 'messages_per_day' : null;
  const uses = (await widgetUses(tx, key.accountId, [key.id], nowMs)).get(key.id);
  if (uses === undefined) return null;
  if (uses.calls >= key.callsPerDay) return 'calls_per_day';
  if (uses.callsNow >= key.callsAtOnce) return 'calls_at_once';
  return uses.seconds >= key.minutesPerDay * 60 ? 'minutes_per_day' : null;
}
