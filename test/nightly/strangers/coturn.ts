// A browser whose network lets nothing but its relay through, with a coturn set up as docs/browser-calls.md says: the
// call goes by the relay in Chromium and in Firefox, a password that is old or of another secret opens none, and one
// that is good reaches nothing but the engine. Prints what it saw; not part of `npm test`.
//
//   node supervise.mjs run test/nightly/strangers/coturn.ts [PART]
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { reservePort } from '../../../bench/rig/network/reserved-port.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../../bench/rig/service/service.ts';
import { openBrowser, signIn, skip } from '../../browser/browser.ts';
import { questions } from '../../browser/talk/microphone.ts';
import { keepConnections, receivedPackets } from '../../browser/talk/received-packets.ts';
import { expect, runTrial, saw, type TrialPart } from '../trial.ts';
import { launchFirefox, missingFirefox } from './firefox-launch.ts';
import { missingRoom, Room } from './room.ts';
import { askForPeers } from './turn-client.ts';

const SECRET = 'shared with coturn';
const REALM = 'voice.example.com';
const missing = !existsSync('/usr/bin/turnserver') && 'coturn is not installed (apt-get install coturn)';

interface House {
  service: Service;
  rest: Rest;
  urls: string[];
}

const parts: Array<TrialPart<House>> = [
  { name: 'chromium', missing: missing || skip, run: inChromium },
  { name: 'firefox', missing: missing || missingFirefox || missingRoom, run: inFirefox },
  { name: 'passwords', missing: missing || skip, run: passwords },
  { name: 'peers', missing, run: peers },
];

/** As documented, for an engine on the loopback, which coturn refuses by itself; no other address is a peer. */
function startCoturn(port: number): ChildProcess {
  const options = [
    ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--allow-loopback-peers', '--log-file=stdout', '--simple-log'],
    ...['--pidfile=/dev/null', '--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', `--listening-port=${port}`],
    ...['--no-tcp-relay', '--user-quota=4', '--total-quota=400', '--allowed-peer-ip=127.0.0.1'],
    ...['--denied-peer-ip=0.0.0.0-255.255.255.255', '--denied-peer-ip=::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ...[`--realm=${REALM}`, '--use-auth-secret', `--static-auth-secret=${SECRET}`],
  ];
  return spawn('turnserver', options, { stdio: 'ignore' });
}

/** Its pages reach nothing but their relays. */
const relayOnly = (page: Page): Promise<unknown> =>
  page.addInitScript(`{
    const Peer = RTCPeerConnection;
    window.RTCPeerConnection = class extends Peer {
      constructor(options) { super({ ...options, iceTransportPolicy: 'relay' }); }
    };
  }`);

/** How the newest connection goes: the kind of our candidate, and what leads to the relay. */
const way = (page: Page): Promise<string> =>
  page.evaluate(`window.peers.at(-1).getStats().then((stats) => {
    const all = [...stats.values()];
    const pair = all.find(({ type, state, nominated }) => type === 'candidate-pair' && state === 'succeeded' && nominated);
    const { candidateType, relayProtocol } = stats.get(pair?.localCandidateId) ?? {};
    return candidateType + ' by ' + relayProtocol;
  })`);

async function talk({ service, rest }: House, page: Page): Promise<void> {
  await page.goto(`${service.apiUrl}/#/talk`);
  await page.getByRole('button', { name: 'Start talking' }).click();
  await page.getByText(/Thank you for/).waitFor();
  await rest.eventually('its voice by WebRTC', async () => (await receivedPackets(page)) > 100, 30);
  saw(`${await receivedPackets(page)} packets, ${await way(page)}`);
  expect(/^relay by (udp|tcp)$/.test(await way(page)), 'not by the relay');
}

async function inChromium(house: House): Promise<void> {
  const window = await openBrowser(house.service.apiUrl, { microphone: questions([8, 20]) });
  await keepConnections(window.page);
  await relayOnly(window.page);
  await signIn(window, house.service.apiUrl);
  await talk(house, window.page);
  await window.page
    .getByText(/what are your opening hours/i)
    .first()
    .waitFor({ timeout: 60_000 });
  saw('a question was understood through the relay');
  await window.page.getByRole('button', { name: 'Hang up' }).click();
  await window.page.getByText('The call has ended.').waitFor();
  await window.close();
}

async function inFirefox(house: House): Promise<void> {
  const room = Room.open();
  try {
    const window = await openBrowser(house.service.apiUrl, {
      launch: (profile, options) => launchFirefox(profile, options, room.environment),
      ofDriver: /^outside host: \S+\/calls\/call_\w+\?token=/,
    });
    await keepConnections(window.page);
    await relayOnly(window.page);
    await signIn(window, house.service.apiUrl);
    await talk(house, window.page);
    await window.page.getByRole('button', { name: 'Hang up' }).click();
    await window.close();
    expect(room.heardS > 0.3, `${room.heardS} s of sound`);
  } finally {
    room.close();
  }
}

/** Candidates of relays that a browser gets with a name and a password. */
const relays = (page: Page, urls: string[], username: string, secret: string): Promise<number> =>
  page.evaluate(`(async (iceServers) => {
    const peer = new RTCPeerConnection({ iceServers });
    peer.createDataChannel('any');
    let relays = 0;
    const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => {
      if (candidate === null) resolve();
      else if (/ typ relay /.test(candidate.candidate)) relays++;
    }; });
    await peer.setLocalDescription();
    await gathered;
    peer.close();
    return relays;
  })(${JSON.stringify([
    { urls, username, credential: createHmac('sha1', secret).update(username).digest('base64') },
  ])})`);

async function passwords({ service, rest, urls }: House): Promise<void> {
  const window = await openBrowser(service.apiUrl);
  const { page } = window;
  await page.goto(`${service.apiUrl}/`);
  const [demo] = await rest.must('GET', '/campaigns?status=RUNNING');
  const { iceServers } = await rest.must('POST', '/calls/web', { campaignId: demo?.id });
  const [{ username = '', credential = '' } = {}] = iceServers;
  const lastsS = Number(username.split(':')[0]) - Date.now() / 1_000;
  saw(`a password of ${Math.round(lastsS / 60)} minutes`);
  expect(
    createHmac('sha1', SECRET).update(username).digest('base64') === credential,
    'another password than documented',
  );
  const expired = `${Math.floor(Date.now() / 1_000) - 5}:${username.split(':')[1]}`;
  const got = {
    good: await relays(page, urls, username, SECRET),
    expired: await relays(page, urls, expired, SECRET),
    foreign: await relays(page, urls, username, 'another secret'),
  };
  saw(`relays: ${JSON.stringify(got)}`);
  expect(
    got.good > 0 && got.expired === 0 && got.foreign === 0,
    'a wrong password opens the relay, or a good one does not',
  );
  await window.close();
}

/** A visitor of a web site has a password too: by the relay they reach no other address of the operator's network. */
async function peers({ rest, urls }: House): Promise<void> {
  const [demo] = await rest.must('GET', '/campaigns?status=RUNNING');
  const { iceServers } = await rest.must('POST', '/calls/web', { campaignId: demo?.id });
  const [{ username = '', credential = '' } = {}] = iceServers;
  const asked = ['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '198.51.100.7', '127.0.0.2'];
  const port = Number(/:(\d+)\?/.exec(urls[0] ?? '')?.[1]);
  const codes = await askForPeers({ port, realm: REALM, username, credential }, asked);
  saw(`peers: ${asked.map((address, index) => `${address} ${codes[index]}`).join(', ')}`);
  expect(codes.join() === '200,403,403,403,403,403', 'a stranger reaches more than the engine, or not the engine');
}

const port = await reservePort();
const urls = [`turn:127.0.0.1:${port}?transport=udp`, `turn:127.0.0.1:${port}?transport=tcp`];
const coturn = missing ? null : startCoturn(port);
if (!missing) saw(execFileSync('turnserver', ['--version'], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '');
const service = await startService({ TURN_URLS: urls.join(), TURN_SECRET: SECRET });
const rest = await new Rest(service).login();
try {
  process.exitCode = (await runTrial(parts, { service, rest, urls }, process.argv[2])) === 0 ? 0 : 1;
} finally {
  coturn?.kill();
  await service.stop();
}
