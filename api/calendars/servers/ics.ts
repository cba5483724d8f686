// A calendar that is read at an address, by GET: the secret address of Google, the published one of Outlook, or a file.
import { askCalendar, type Fetching, failureOf } from './ask.ts';

/** webcal is what calendar programs write in place of https. */
export const plainAddress = (url: string): string => url.replace(/^webcals?:\/\//i, 'https://');

/** Null: it is as `tag` has it. @throws {CalendarFailed} */
export async function readIcs(
  fetching: Fetching,
  url: string,
  tag: string | null,
): Promise<{ texts: string[]; tag: string | null } | null> {
  const answer = await askCalendar(fetching, url, {
    method: 'GET',
    headers: { accept: 'text/calendar, */*;q=0.1', ...(tag === null ? {} : { 'if-none-match': tag }) },
  });
  if (answer.status === 304) return null;
  if (answer.status !== 200) throw failureOf(answer.status);
  const { etag } = answer.headers;
  return { texts: [answer.body.toString('utf8')], tag: typeof etag === 'string' ? etag : null };
}
