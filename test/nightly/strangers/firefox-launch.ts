// The machine's own Firefox for the browser tests' driver, by WebDriver BiDi; and, started with --door, a door between
// both.
//
// Playwright asks each page for its colour scheme by a command that Firefox 153 does not have yet, and gives up where
// it is refused. The door answers that command; the colour scheme is a preference of the profile instead.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, firefox } from 'playwright-core';
import { WebSocket, WebSocketServer } from 'ws';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import type { LaunchOptions } from '../../browser/browser.ts';

const FIREFOX = ['/usr/bin/firefox', '/usr/bin/firefox-esr'].find(existsSync);
/** Why it is skipped. */
export const missingFirefox = FIREFOX === undefined && 'Firefox is not installed';

/**
 * A microphone that nobody is asked for, and ICE over loopback: of a page that hears a real microphone Firefox tells
 * all addresses, of another one that of the default route.
 */
const PREFERENCES = {
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
  'media.autoplay.default': 0,
  'app.normandy.enabled': false,
  'services.settings.server': 'data:,',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

/** `launch` of openBrowser. */
export function launchFirefox(
  profile: string,
  options: LaunchOptions,
  environment: Record<string, string> = {},
  preferences: LaunchOptions['firefoxUserPrefs'] = {},
): Promise<BrowserContext> {
  const door = join(temporaryFolder('voice-firefox'), 'firefox');
  const program = fileURLToPath(import.meta.url);
  writeFileSync(door, `#!/bin/sh\nexec '${process.execPath}' '${program}' --door "$@"\n`, { mode: 0o755 });
  return firefox.launchPersistentContext(profile, {
    ...options,
    channel: 'moz-firefox',
    executablePath: door,
    env: { ...process.env, ...environment },
    firefoxUserPrefs: {
      ...PREFERENCES,
      'layout.css.prefers-color-scheme.content-override': options.colorScheme === 'dark' ? 0 : 1,
      ...preferences,
    },
  });
}

async function openDoor(options: string[]): Promise<void> {
  const browser = spawn(FIREFOX ?? '', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  browser.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => browser.kill(signal));
  for await (const line of createInterface({ input: browser.stderr })) {
    const address = /listening on (ws:\/\/.*)$/.exec(line)?.[1];
    if (address === undefined) continue;
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (driver) => passOn(driver, new WebSocket(`${address}/session`)));
    server.on('listening', () => {
      const { port } = server.address() as AddressInfo;
      process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
    });
  }
}

function passOn(driver: WebSocket, browser: WebSocket): void {
  const opened = new Promise((resolve) => browser.once('open', resolve));
  driver.on('message', async (data) => {
    const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
    if (method === 'emulation.setMediaFeaturesOverride')
      return driver.send(JSON.stringify({ type: 'success', id, result: {} }));
    await opened;
    browser.send(data.toString());
  });
  browser.on('message', (data) => driver.send(data.toString()));
  browser.on('close', () => driver.close());
  driver.on('close', () => browser.close());
}

if (process.argv[2] === '--door') await openDoor(process.argv.slice(3));
