// The widget and the dashboard in Firefox, with a microphone and a loudspeaker of PulseAudio: a call by WebRTC from a
// web site under a strict policy, a second one in the same page, and one where nothing can be played; then the pages
// that an operator uses. Prints what it saw, and with PICTURES=FOLDER keeps pictures; not part of `npm test`.
//
//   node supervise.mjs run test/nightly/strangers/firefox.ts [PART]
import type { Locator, Page } from 'playwright-core';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../../bench/rig/service/service.ts';
import { renderSpeech, resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { openBrowser, signIn, type Window } from '../../browser/browser.ts';
import { keepConnections } from '../../browser/talk/received-packets.ts';
import { foreignSite } from '../../browser/widget/foreign-site.ts';
import { expect, runTrial, saw, type TrialPart } from '../trial.ts';
import { launchFirefox, missingFirefox } from './firefox-launch.ts';
import { missingRoom, Room } from './room.ts';

const PICTURES = process.env.PICTURES;

/**
 * For a picture Playwright adds a style `body {}` for a moment, which the policy of a page refuses in Firefox; and
 * Firefox tells it of the opening of a WebSocket as of a request.
 */
const OF_DRIVER = /sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=|^outside host: \S+\/calls\/call_\w+\?token=/;

interface House {
  service: Service;
  rest: Rest;
}

const missing = missingFirefox || missingRoom;
const parts: Array<TrialPart<House>> = [
  { name: 'widget', missing, run: widget },
  { name: 'without-sound', missing: missingFirefox, run: withoutSound },
  { name: 'dashboard', missing, run: dashboard },
];

const question = async (words: string): Promise<Int16Array> =>
  resampleWhole(await renderSpeech(words, 'flite-slt'), 8_000, 48_000);

interface Visit {
  otherOrigin?: string;
  theme?: 'light' | 'dark';
  /** Null: a machine that can neither hear nor play. */
  room: Room | null;
}

/** Errors of a page, and refusals by its policy, fail the part as in Chromium, after what failed in it. */
async function inFirefox(
  { service }: House,
  { otherOrigin = service.apiUrl, theme = 'light', room }: Visit,
  use: (window: Window) => Promise<void>,
): Promise<void> {
  const environment = room?.environment ?? { PULSE_SERVER: 'unix:/nowhere' };
  const preferences = { 'media.navigator.streams.fake': room === null };
  const window = await openBrowser(service.apiUrl, {
    ...{ theme, otherOrigin, ofDriver: OF_DRIVER },
    launch: (profile, options) => launchFirefox(profile, options, environment, preferences),
  });
  try {
    await use(window);
  } catch (error) {
    await picture(window.page, 'failed');
    await window.close().catch(({ message }) => saw(message));
    throw error;
  }
  await window.close();
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${PICTURES}/firefox-${name}-${width}.png`, caret: 'initial' });
  }
}

interface Carried {
  codec: string;
  cipher: string;
  received: number;
  sent: number;
}

/** By the newest connection, so far. */
const carried = (page: Page): Promise<Carried> =>
  page.evaluate(`window.peers.at(-1).getStats().then((stats) => {
    const of = (wanted) => [...stats.values()].find(({ type }) => type === wanted);
    const heard = of('inbound-rtp');
    return {
      codec: stats.get(heard?.codecId)?.mimeType ?? '', cipher: of('transport')?.srtpCipher ?? '',
      received: heard?.packetsReceived ?? 0, sent: of('outbound-rtp')?.packetsSent ?? 0,
    };
  })`);

/** A page of somebody else with the widget on it. */
async function shop({ service, rest }: House, name: string): Promise<ReturnType<typeof foreignSite>> {
  const site = foreignSite(service);
  await site.start();
  const [demo] = await rest.must('GET', '/campaigns?status=RUNNING');
  const { key } = await rest.must('POST', '/widget-keys', { campaignId: demo?.id, name, origins: [site.origin] });
  site.show('/', { scripts: [`<script src="${service.apiUrl}/widget.js" data-key="${key}" async></script>`] });
  return site;
}

async function begin(page: Page, origin: string): Promise<Locator> {
  await page.goto(`${origin}/`);
  await page.getByRole('button', { name: 'Talk to us' }).click();
  const panel = page.getByRole('dialog', { name: 'Talk to us' });
  await panel.getByRole('button', { name: 'Start the call' }).click();
  await panel.getByText(/Thank you for/).waitFor();
  return panel;
}

async function end(panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'End' }).click();
  await panel.locator('strong').filter({ hasText: 'The call has ended.' }).waitFor();
}

async function widget(house: House): Promise<void> {
  const { rest } = house;
  const [site, room] = [await shop(house, 'Firefox'), Room.open()];
  const hours = await question('What are your opening hours?');
  const use = async ({ page }: Window): Promise<void> => {
    saw(await page.evaluate<string>('navigator.userAgent'));
    await keepConnections(page);
    const panel = await begin(page, site.origin);
    await rest.eventually('its voice by WebRTC', async () => (await carried(page)).received > 100, 20);
    await rest.eventually('the greeting in the room', async () => room.heardS > 0.5, 20);
    await picture(page, 'widget-call');
    const asked = panel.getByText(/what are your opening hours/i);
    for (let tries = 0; tries < 4 && (await asked.count()) === 0; tries++) {
      await panel.getByText('Listening').waitFor();
      await room.say(hours);
      await asked
        .first()
        .waitFor({ timeout: 4_000 })
        .catch(() => undefined);
    }
    expect((await asked.count()) > 0, 'a question was not understood');
    await panel
      .getByText(/Monday|every day/)
      .first()
      .waitFor();
    const { codec, cipher, received, sent } = await carried(page);
    saw(`${codec}, ${cipher}, ${received} packets received, ${sent} sent, ${room.heardS} s of sound in the room`);
    expect(codec === 'audio/opus' && cipher !== '' && sent > 100, 'no Opus over DTLS-SRTP both ways');

    await panel.getByRole('button', { name: 'Mute' }).click();
    await panel.getByRole('button', { name: 'Mute', pressed: true }).waitFor();
    const before = await asked.count();
    await room.say(hours);
    await panel.getByRole('button', { name: 'Keypad' }).click();
    await panel.getByRole('group', { name: 'Keypad' }).getByRole('button', { name: '3', exact: true }).click();
    await panel
      .getByText(/\bpress\b/i)
      .first()
      .waitFor();
    expect((await asked.count()) === before, 'a muted microphone was heard');
    await picture(page, 'widget-keys');
    await end(panel);

    const heardS = room.heardS;
    await panel.getByRole('button', { name: 'Call again' }).click();
    await panel.getByText(/Thank you for/).waitFor();
    await rest.eventually('the greeting of a second call', async () => room.heardS > heardS + 0.5, 20);
    await end(panel);
    const calls = await rest.must('GET', '/calls');
    saw(calls.map(({ outcome, durationSeconds }) => `${outcome} after ${durationSeconds} s`).join(', '));
    expect(calls.length === 2, 'not two calls');
  };
  try {
    await inFirefox(house, { otherOrigin: site.origin, room }, use);
  } finally {
    room.close();
    site.close();
  }
}

/** Firefox never starts its audio thread there; the call is read, and is heard by the agent. */
async function withoutSound(house: House): Promise<void> {
  const site = await shop(house, 'Silent');
  await inFirefox(house, { otherOrigin: site.origin, room: null, theme: 'dark' }, async ({ page }) => {
    const panel = await begin(page, site.origin);
    await picture(page, 'widget-silent');
    await end(panel);
    saw('a call began, was read and ended');
  }).finally(site.close);
}

async function dashboard(house: House): Promise<void> {
  const { service, rest } = house;
  const room = Room.open();
  const use = async (window: Window, theme: string): Promise<void> => {
    const { page } = window;
    await signIn(window, service.apiUrl);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await picture(page, `overview-${theme}`);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: /A page, an agent/ });
    await palette.fill('webhooks');
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor();
    await picture(page, `palette-${theme}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /webhooks/i }).waitFor();

    await page.goto(`${service.apiUrl}/#/talk`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await page.getByText(/Thank you for/).waitFor();
    await rest.eventually('the greeting in the room', async () => room.heardS > 0.5, 20);
    await picture(page, `talk-${theme}`);
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByText('The call has ended.').waitFor();

    const [call] = await rest.must('GET', '/calls');
    await rest.eventually(
      'its recording',
      async () => (await rest.bytes(`/calls/${call?.id}/audio`)).status === 200,
      20,
    );
    const heardS = room.heardS;
    await page.goto(`${service.apiUrl}/#/calls/${call?.id}`);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await rest.eventually('the recording in the room', async () => room.heardS > heardS + 0.5, 20);
    await page.getByRole('button', { name: 'Pause' }).click();
    await picture(page, `call-${theme}`);
    saw(`signed in, found a page, talked, and heard ${(room.heardS - heardS).toFixed(1)} s of the recording`);
  };
  try {
    for (const theme of ['light', 'dark'] as const)
      await inFirefox(house, { room, theme }, (window) => use(window, theme));
  } finally {
    room.close();
  }
}

const service = await startService();
const rest = await new Rest(service).login();
try {
  process.exitCode = (await runTrial(parts, { service, rest }, process.argv[2])) === 0 ? 0 : 1;
} finally {
  await service.stop();
}
