// Refused requests by public keys: strangers make as many as they like, so they are counted in memory, written together
// every few seconds, and told in one line of the log for each key.
import type { Logger } from 'pino';
import { addWidgetRefusals, type Refusals } from '../../db/queries/widget/uses.ts';
import { WIDGET_REFUSALS, type WidgetKeyTable, type WidgetRefusal } from '../../db/schema/widget.ts';
import type { Db } from '../../db/schema.ts';

/** Keys and reasons that wait to be written; beyond it they count in the metrics alone. */
const WAITING_MAX = 2_000;
const ORIGIN_CHARS = 200;

export class WidgetRefusals {
  #waiting = new Map<string, Refusals>();
  /** Since the start, by reason. */
  readonly totals = Object.fromEntries(WIDGET_REFUSALS.map((reason) => [reason, 0])) as Record<WidgetRefusal, number>;

  note(
    { id, accountId }: Pick<WidgetKeyTable, 'id' | 'accountId'>,
    reason: WidgetRefusal,
    origin: string | null,
    atMs: number,
  ): void {
    this.totals[reason]++;
    const name = `${id} ${reason}`;
    const known = this.#waiting.get(name);
    if (known === undefined && this.#waiting.size >= WAITING_MAX) return;
    const requests = (known?.requests ?? 0) + 1;
    this.#waiting.set(name, { id, accountId, reason, requests, origin: origin?.slice(0, ORIGIN_CHARS) ?? null, atMs });
  }

  /** Returns what was written. */
  async write(db: Db): Promise<Refusals[]> {
    const all = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (const each of all) await addWidgetRefusals(db, each);
    return all;
  }
}

interface Waiting {
  db: Db;
  log: Pick<Logger, 'info'>;
  widgetRefusals: WidgetRefusals;
}

/** Lines of one round; the rest are as many of the same. */
const LINES_MAX = 20;

export async function writeWidgetRefusals({ db, log, widgetRefusals }: Waiting): Promise<void> {
  const written = await widgetRefusals.write(db);
  for (const { id, accountId, reason, requests, origin } of written.slice(0, LINES_MAX))
    log.info({ widgetKeyId: id, accountId, reason, requests, origin }, 'requests of a widget were refused');
}
