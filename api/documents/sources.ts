// Documents that are read from an address: when they are added, when somebody asks for it, and again after their hours.

import { HOUR_MS, MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { INDEX_VERSION } from '../../db/language/analysis.ts';
import { getBusiness } from '../../db/queries/businesses/businesses.ts';
import {
  claimRefresh,
  type DocumentRow,
  documentsDue,
  dropUnfinished,
  getDocument,
  replacePassages,
  updateDocument,
} from '../../db/queries/knowledge/documents.ts';
import { checkUrl, RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { FetchFailed, safeFetch } from '../../db/shared/net/safe-fetch.ts';
import { withVersion } from '../businesses/version.ts';
import type { ApiContext } from '../context.ts';
import { ApiError, invalid } from '../frame/errors.ts';
import { checkCharacters } from './limits.ts';
import { charsetOf, kindOfType } from './reading/kinds.ts';
import { readBytes } from './reading/read.ts';
import type { ReadTask } from './reading/read-thread.ts';
import type { DocumentRead } from './reading/text.ts';
import { Unreadable } from './reading/unreadable.ts';

const SOURCE_BYTES_MAX = 5 * 1024 * 1024;
const FETCH_WITHIN_MS = 15_000;
const REDIRECTS_MAX = 3;
/** Documents in one run of the job, and how many are read at a time; each takes a minute at most. */
const PER_RUN = 20;
const LANES = 2;
/** One account's slow addresses do not take the others' turns. */
const PER_RUN_OF_ACCOUNT = 4;
/** No document takes so long to be added. */
const UNFINISHED_MS = 10 * MINUTE_MS;
const ACCEPT =
  'text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf, ' +
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Without DNS: the connection examines every address. @throws {ApiError} 422 */
export function checkSource({ config }: ApiContext, url: string): void {
  try {
    checkUrl(url, { allowPrivate: config.webhookAllowPrivate });
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid([{ field: 'url', message: error.message }]);
    throw error;
  }
}

type SourceRead = DocumentRead & Pick<DocumentRow, 'kind'>;

/** @throws {Unreadable} */
export async function readSource(context: ApiContext, url: string): Promise<SourceRead> {
  const task = await fetched(context, url);
  return { ...(await readBytes(task)), kind: task.kind };
}

async function fetched({ config, resolve }: ApiContext, url: string): Promise<ReadTask> {
  const answer = await safeFetch(url, {
    maxBytes: SOURCE_BYTES_MAX,
    timeoutMs: FETCH_WITHIN_MS,
    maxRedirects: REDIRECTS_MAX,
    allowPrivate: config.webhookAllowPrivate,
    headers: { accept: ACCEPT },
    ...(resolve ? { resolve } : {}),
  }).catch((error: unknown) => {
    if (error instanceof RefusedAddress) throw new Unreadable(`its address ${error.message}`);
    if (error instanceof FetchFailed) throw new Unreadable(`its address ${error.message}`);
    throw error;
  });
  if (answer.status < 200 || answer.status > 299) throw new Unreadable(`its address answered ${answer.status}`);
  if (answer.truncated) throw new Unreadable(`it is larger than ${SOURCE_BYTES_MAX / 1024 / 1024} MiB`);
  const type = String(answer.headers['content-type'] ?? '');
  const kind = kindOfType(type, answer.url.pathname);
  if (kind === null) {
    const what = /^[\w.+/-]{1,100}/.exec(type)?.[0] ?? 'of no type';
    throw new Unreadable(`its address answered with ${what}, no page, text, PDF or Word document`);
  }
  return { kind, bytes: answer.body, charset: charsetOf(type) };
}

/**
 * Where it fails, what was read before stays, with the reason. `userId`: a person asks for it, which makes a version.
 * The job makes none: a page that changes each hour would take the place of what people changed.
 */
export async function refreshSource(
  context: ApiContext,
  row: DocumentRow,
  url: string,
  userId: string | null = null,
): Promise<void> {
  const nowMs = context.now();
  try {
    const read = await readSource(context, url);
    await context.db.transaction().execute(async (trx) => {
      const current = await getDocument(trx, row.accountId, row.businessId, row.id);
      if (current === undefined) return;
      const { accountId, businessId } = current;
      const { passages, names, characters, textHash, kind } = read;
      if (characters > current.characters)
        await checkCharacters(trx, accountId, businessId, characters - current.characters);
      const isSame = textHash === current.textHash && kind === current.kind;
      const replace = async (): Promise<void> => {
        if (!isSame) await replacePassages(trx, current, { passages, names });
        await updateDocument(trx, current, {
          ...(isSame ? {} : { kind, characters, textHash, passages: passages.length, indexVersion: INDEX_VERSION }),
          readAt: nowMs,
          error: null,
          refreshAt: nextRefresh(current, nowMs),
        });
      };
      const business = await getBusiness(trx, accountId, businessId);
      if (isSame || business === undefined || userId === null) await replace();
      else await withVersion(trx, userId, business, nowMs, replace);
    });
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof ApiError)) throw error;
    // Soon again: the site may be down for a moment only.
    const refreshAt = row.refreshHours === null ? null : nowMs + HOUR_MS;
    await updateDocument(context.db, row, { error: inWords(error), refreshAt });
  }
}

const inWords = ({ message }: Error): string => {
  const [first = '', ...others] = message;
  return `${first.toUpperCase()}${others.join('')}`;
};

export const nextRefresh = ({ refreshHours }: Pick<DocumentRow, 'refreshHours'>, nowMs: number): number | null =>
  refreshHours === null ? null : nowMs + refreshHours * HOUR_MS;

/** Reads what is due again, without places of its accounts. Returns their number. */
export async function refreshDocuments(context: ApiContext): Promise<number> {
  const nowMs = context.now();
  await context.db.transaction().execute((trx) => dropUnfinished(trx, nowMs - UNFINISHED_MS));
  const rows = await documentsDue(context.read, nowMs, { limit: PER_RUN, perAccount: PER_RUN_OF_ACCOUNT });
  const left = [...rows];
  const lane = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      if (row.sourceUrl === null || !(await claimRefresh(context.db, row, nowMs + HOUR_MS))) continue;
      await refreshSource(context, row, row.sourceUrl);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return rows.length;
}
