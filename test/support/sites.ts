// Saved web sites in the manner of small businesses: one file each, with what must be found on its pages and nothing
// else, and a server of their own on loopback.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const FOLDER = new URL('../fixtures/sites/', import.meta.url);

/** Whatever is not named is not on the pages. */
export interface ExpectedSite {
  language: string;
  country: string;
  /** Of the reader; that of its country where it is not named. */
  timezone?: string;
  /** Of its prices. */
  currency?: string;
  name?: string;
  description?: string;
  phone?: string;
  email?: string;
  address?: string;
  industry?: string;
  /** "tu-fr 09:00-12:00 14:00-18:00, sa 09:00-12:00". */
  hours?: string;
  /** "Haircut 30 25": its minutes, 0 for none, and its price, - for none. */
  services?: string[];
  /** The questions. */
  faqs?: string[];
  /** Fields of which the pages say two things. */
  doubts?: string[];
  /** Lines that are seen and not understood. */
  unread?: string[];
  /** Facts that are there and that we do not find. */
  missed?: string[];
}

export interface SavedSite {
  name: string;
  expected: ExpectedSite;
  pages: ReadonlyMap<string, string>;
}

export function savedSites(): SavedSite[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.site'))
    .sort()
    .map((file) => {
      const parts = readFileSync(new URL(file, FOLDER), 'utf8').split(/^=== /m).slice(1);
      const [expected = '{}', ...pages] = parts.map((part) => part.slice(part.indexOf('\n') + 1));
      const paths = parts.slice(1).map((part) => part.slice(0, part.indexOf('\n')).trim());
      return {
        name: file.replace('.site', ''),
        expected: JSON.parse(expected) as ExpectedSite,
        pages: new Map(paths.map((path, index) => [path, pages[index] ?? ''])),
      };
    });
}

export async function serveSite({ pages }: SavedSite): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
