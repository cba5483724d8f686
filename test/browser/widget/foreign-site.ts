// A web site of somebody else, whose pages have the strictest policy that docs/widget.md allows: another port of this
// machine is another origin.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Service } from '../../../bench/rig/service/service.ts';

interface ForeignSite {
  origin: string;
  start: () => Promise<void>;
  close: () => void;
  /** Of the page at an address: its language, and its scripts. */
  show: (path: string, page: { lang?: string; scripts: readonly string[] }) => void;
}

/** Closed with the file's tests; `start` is for the hook that starts the service. */
export function useForeignSite(service: Service): ForeignSite {
  const site = foreignSite(service);
  after(site.close);
  return site;
}

export function foreignSite(service: Service): ForeignSite {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    if (page === undefined) return response.writeHead(404).end();
    const { host } = new URL(service.apiUrl);
    const policy = [
      "default-src 'none'",
      'img-src data:',
      `script-src ${service.apiUrl} 'nonce-ofThePage'`,
      `connect-src ${service.apiUrl} ws://${host.split(':')[0]}:*`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ];
    response.setHeader('content-security-policy', policy.join('; '));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(page);
  });
  const site: ForeignSite = {
    origin: '',
    start: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    show: (path, { lang = 'en', scripts }) =>
      void pages.set(
        path,
        `<!doctype html><html lang="${lang}"><head><title>Shop</title><link rel="icon" href="data:,">${scripts.join('')}</head>
         <body><main><h1>Our shop</h1><p><a href="#goods">Goods</a></p></main></body></html>`,
      ),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}
