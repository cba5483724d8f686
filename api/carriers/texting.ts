// Texts of a connected account's numbers: what the account needs for them is made once, and each number is told where
// its texts go when it is bought or bound. Without an address of ours (PUBLIC_URL) a carrier cannot tell us of any.
import type { Logger } from 'pino';
import { type CarrierRow, updateCarrier } from '../../db/queries/numbers/carriers.ts';
import type { TextParts } from '../../db/schema/conversations.ts';
import type { Db } from '../../db/schema.ts';
import { type CarrierKeys, openCarrier } from './api/open.ts';
import { CarrierError } from './carrier.ts';

interface TextingTools extends CarrierKeys {
  db: Db;
  /** PUBLIC_URL; null: it is not set. */
  publicUrl: string | null;
}

/** Where the carrier tells of texts. */
export const textsUrl = (publicUrl: string, carrierId: string): string =>
  `${publicUrl}/api/v1/carriers/${carrierId}/texts`;

/** Has texts to the number come here; false: nobody could tell us of them. @throws {CarrierError} */
export async function listenTo(tools: TextingTools, row: CarrierRow, phoneNumber: string): Promise<boolean> {
  const { publicUrl } = tools;
  if (publicUrl === null) return false;
  const { texts } = openCarrier(row, tools);
  const url = textsUrl(publicUrl, row.id);
  const parts = await partsOf(tools, row, url);
  await texts.listen(phoneNumber, parts, url);
  return true;
}

async function partsOf(tools: TextingTools, row: CarrierRow, url: string): Promise<TextParts> {
  if (row.textParts !== null) {
    const { url: there, ...parts } = JSON.parse(row.textParts) as TextParts & { url?: string };
    if (there === url) return parts;
  }
  const parts = await openCarrier(row, tools).texts.prepare(`voice ${row.id}`, url);
  await updateCarrier(tools.db, row.id, { textParts: JSON.stringify({ ...parts, url }) });
  return parts;
}

/** As `listenTo`; a carrier that refuses it keeps nobody from having the number. */
export async function listenIfCan(
  tools: TextingTools & { log: Pick<Logger, 'warn'> },
  row: CarrierRow,
  phoneNumber: string,
): Promise<void> {
  await listenTo(tools, row, phoneNumber).catch((error: unknown) => {
    if (!(error instanceof CarrierError)) throw error;
    tools.log.warn({ carrierId: row.id, code: error.code, err: error }, 'texts to a number do not come here');
  });
}
