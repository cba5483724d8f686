// Chromium for the dashboard's tests: the machine's own, nothing is downloaded. A page that logs an error, throws, asks
// an outside host or an address that the OpenAPI document does not have, fails its test.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type BrowserContext, type BrowserType, chromium, type Page } from 'playwright-core';
import type { Rest } from '../../bench/rig/service/rest.ts';
import { ADMIN, type Service } from '../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { useService } from '../support/use-service.ts';

/** The shell has the same engine without a window, and takes three quarters of the processor. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const CHROMIUM = NAMES.map((name) => `/usr/bin/${name}`).find(existsSync);
/** Why tests in a browser are skipped. */
export const skip = CHROMIUM === undefined && 'Chromium is not installed';

/** Without these it looks up its maker's hosts. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

/** A page without network, and a service that is not there at the moment. */
const NO_LINE = /net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET)/;

/** A WebSocket whose upgrade was answered with 401. */
const NOT_ADMITTED = /^WebSocket connection .* HTTP Authentication failed/;

interface BrowserOptions {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** A WAV file that the microphone hears, once. */
  microphone?: string;
  /** Another origin that a window of it opens, or on which its page is, and a test answers for. */
  otherOrigin?: string;
  /** Another browser than Chromium. */
  launch?: (profile: string, options: LaunchOptions) => Promise<BrowserContext>;
  /** Faults that are its driver's, not the page's. */
  ofDriver?: RegExp;
}

export type LaunchOptions = NonNullable<Parameters<BrowserType['launchPersistentContext']>[1]>;

export interface Window {
  page: Page;
  context: BrowserContext;
  /** Requests to the API so far, as "METHOD /path/{id}" of the document. */
  requests: ReadonlySet<string>;
  /**
   * Expected statuses, whose lines in the console are no fault; 0: no answer, because the line is down; NaN: all lines
   * without a status.
   */
  expectStatus(...statuses: number[]): void;
  /** @throws {AssertionError} with all faults that the pages have shown */
  close(): Promise<void>;
}

export async function openBrowser(base: string, options: BrowserOptions = {}): Promise<Window> {
  const profile = temporaryFolder('voice-chromium');
  const { width = 1280, height = 900, theme = 'light', microphone, otherOrigin = base, launch, ofDriver } = options;
  const common: LaunchOptions = {
    headless: true,
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    acceptDownloads: true,
  };
  const context = await (launch?.(profile, common) ?? launchChromium(profile, common, microphone));
  const faults: string[] = [];
  const requests = new Set<string>();
  const expected = new Set<number>();
  const watch = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      const text = message.text();
      const status = NO_LINE.test(text) ? 0 : NOT_ADMITTED.test(text) ? 401 : Number(/status of (\d+)/.exec(text)?.[1]);
      if (!expected.has(status)) faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => faults.push(`thrown: ${error.message}\n${error.stack}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol === 'blob:' || url.protocol === 'data:') return;
      if (url.origin !== base && url.origin !== otherOrigin) faults.push(`outside host: ${request.url()}`);
      if (!url.pathname.startsWith('/api/')) return;
      const operation = operationOf(request.method(), url.pathname);
      if (operation === null) faults.push(`not in the OpenAPI document: ${request.method()} ${url.pathname}`);
      else requests.add(operation);
    });
  };
  for (const page of context.pages()) watch(page);
  context.on('page', watch);
  return {
    context,
    page: context.pages()[0] ?? (await context.newPage()),
    requests,
    expectStatus: (...statuses) => {
      for (const status of statuses) expected.add(status);
    },
    async close() {
      await context.close();
      assert.deepEqual(
        faults.filter((fault) => ofDriver?.test(fault) !== true),
        [],
      );
    },
  };
}

const launchChromium = (
  profile: string,
  common: LaunchOptions,
  microphone: string | undefined,
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    ...common,
    executablePath: CHROMIUM ?? '',
    permissions: microphone === undefined ? [] : ['microphone'],
    args: [
      ...QUIET,
      ...(microphone === undefined
        ? []
        : [
            '--use-fake-device-for-media-stream',
            '--use-fake-ui-for-media-stream',
            `--use-file-for-fake-audio-capture=${microphone}%noloop`,
          ]),
    ],
  });

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

/** The document's path for an address: one without parameters before one with them. */
function operationOf(method: string, path: string): string | null {
  const templates = Object.keys(document.paths).filter((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const found = templates
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((template) => document.paths[template]?.[method.toLowerCase()] !== undefined);
  return found === undefined ? null : `${method} ${found}`;
}

/** A service and a window of the signed-in admin, for all tests of the file. */
export function useWindow(
  environment: Record<string, string> = {},
  prepare: () => Promise<void> = async () => {},
): { service: Service; rest: Rest; window: Window } {
  const window = {} as Window;
  const { service, rest } = useService(environment, {
    skip,
    prepare: async () => {
      await prepare();
      Object.assign(window, await openBrowser(service.apiUrl));
      await signIn(window, service.apiUrl);
    },
    close: async () => window.close?.(),
  });
  return { service, rest, window };
}

/** Signs in through the page, as a person does. */
export async function signIn(
  { page }: Window,
  base: string,
  user: { email: string; password: string } = ADMIN,
): Promise<void> {
  await page.goto(`${base}/`);
  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('main.main h1').waitFor();
}
