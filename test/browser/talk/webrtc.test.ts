// A call by WebRTC in a real browser, over a way that loses packets, then none at all, then comes back; and one whose
// network lets no UDP through.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { UdpRelay } from '../../../bench/rig/network/udp-relay.ts';
import { nightly } from '../../support/nightly.ts';
import { useService } from '../../support/use-service.ts';
import { openBrowser, signIn, skip, type Window } from '../browser.ts';
import { questions } from './microphone.ts';
import { keepConnections, receivedPackets } from './received-packets.ts';

const QUESTIONS = 12;
const EVERY_S = 14;
const UNDERSTOOD_S = 120;

const port = skip === false ? await reservePort() : 0;
const { service, rest } = useService({ WEBRTC_PORT: String(port) }, { skip });
const relay = await UdpRelay.start(port);
after(() => relay.close());

const microphone = questions(Array.from({ length: QUESTIONS }, (_, n) => 8 + n * EVERY_S));

interface Followed {
  window: Window;
  page: Page;
  callId: () => string;
  /** Path of the audio, as the page was told. */
  paths: string[];
  /** PCM that the page has sent. */
  pcm: () => number;
  /** Packets of audio that the newest connection has received. */
  packets: () => Promise<number>;
}

/** Talks to the demo; the port that the engine names becomes the relay’s. */
async function talk(): Promise<Followed> {
  const window = await openBrowser(service.apiUrl, { microphone });
  const { page } = window;
  await keepConnections(page, `{ ...answer, sdp: answer.sdp.replaceAll(' ${port} ', ' ${relay.port} ') }`);
  const paths: string[] = [];
  let [pcm, callId] = [0, ''];
  page.on('websocket', (socket) => {
    callId = /calls\/([^?/]+)/.exec(socket.url())?.[1] ?? callId;
    socket.on('framesent', ({ payload }) => {
      if (typeof payload !== 'string') pcm++;
    });
    socket.on('framereceived', ({ payload }) => {
      const audio = /"audio":"(\w+)"/.exec(payload.toString())?.[1];
      if (audio !== undefined && audio !== paths.at(-1)) paths.push(audio);
    });
  });
  await signIn(window, service.apiUrl);
  await page.goto(`${service.apiUrl}/#/talk`);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await page.getByText(/Thank you for/).waitFor();
  return { window, page, callId: () => callId, paths, pcm: () => pcm, packets: () => receivedPackets(page) };
}

/** How often the question was understood, as the transcript has it. */
const understood = (page: Page): Promise<number> => page.getByText(/what are your opening hours/i).count();

async function nextUnderstood({ page }: Followed): Promise<void> {
  const before = await understood(page);
  await rest.eventually('the next question', async () => (await understood(page)) > before, UNDERSTOOD_S);
}

// A cut on its way is heard without a browser in test/service/webrtc.test.ts.
test('a bad line is understood, a dead one goes on by the socket, and WebRTC comes back', {
  skip: skip || nightly,
  timeout: 400_000,
}, async () => {
  relay.line = { lossPercent: 5, jitterMs: 80 };
  const talking = await talk();
  const { window, page, paths, pcm, packets } = talking;
  await rest.eventually('WebRTC', async () => paths.at(-1) === 'webrtc');
  const [sentBefore, gotBefore] = [pcm(), await packets()];
  await nextUnderstood(talking);
  assert.equal(paths.at(-1), 'webrtc', 'loss and jitter are no reason to leave it');
  assert.ok((await packets()) > gotBefore);
  assert.ok(pcm() - sentBefore < 50, 'the microphone goes by WebRTC alone');

  relay.isDown = true;
  await rest.eventually('the socket', async () => paths.at(-1) === 'socket');
  await nextUnderstood(talking);

  relay.isDown = false;
  await rest.eventually('WebRTC again', async () => paths.at(-1) === 'webrtc', 60);
  await nextUnderstood(talking);

  // The engine hears every packet, so only the page can notice.
  relay.isOneWay = true;
  await rest.eventually('the socket, because the page says so', async () => paths.at(-1) === 'socket');
  await nextUnderstood(talking);
  relay.isOneWay = false;
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByText('The call has ended.').waitFor();
  await window.close();
});

test('where no UDP gets through, the call goes by the socket as it always did', {
  skip,
  timeout: 200_000,
}, async () => {
  relay.line = { lossPercent: 0, jitterMs: 0 };
  relay.isDown = true;
  const talking = await talk();
  await nextUnderstood(talking);
  assert.deepEqual(talking.paths, ['socket']);
  await talking.page.getByRole('button', { name: 'Hang up' }).click();
  await talking.window.close();
});
