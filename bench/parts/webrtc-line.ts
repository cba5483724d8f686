// Words on a bad line: how many of the same sentences the built-in recogniser mishears by WebRTC and by SIP, both with
// Opus, where packets are lost and overtake each other, and where none are.
import { errorShare, wordErrors } from '../../db/domain/tests/word-errors.ts';
import { Line } from '../../engine/test-runs/caller/line.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { OPUS_RATE_HZ } from '../../media/opus.ts';
import { BUILT_IN, Caller, pause, withService } from '../rig/conversation/scenario.ts';
import { table } from '../rig/measure/statistics.ts';
import { reservePort } from '../rig/network/reserved-port.ts';
import { UdpRelay } from '../rig/network/udp-relay.ts';
import { part } from '../rig/part.ts';
import { Rest } from '../rig/service/rest.ts';
import type { Service } from '../rig/service/service.ts';
import { BrowserCaller, type Frame } from '../rig/webrtc/browser-caller.ts';
import { everyFrame, framesOf } from '../rig/webrtc/frames.ts';
import { WebRtcPhone } from '../rig/webrtc/webrtc-phone.ts';
import { SENTENCES, takeTurns } from './turn-latency.ts';

const USAGE = `usage: npm run bench -- webrtc-line [--turns N] [--loss PERCENT] [--jitter MS] [--seed N]
  N sentences (default 24) each way, with that loss (default 5) and jitter (default 80), and without`;

interface LineTo {
  lossPercent: number;
  jitterMs: number;
}

type Errors = ReturnType<typeof wordErrors>;

/** Errors of the newest call, in which the sentences were said in turn. */
async function heard(rest: Rest, turns: number): Promise<Errors> {
  const said = Array.from({ length: turns }, (_, turn) => SENTENCES[turn % SENTENCES.length]).join(' ');
  const [call] = await rest.eventually('the end of the call', async () => {
    const calls = await rest.must('GET', '/calls?limit=1');
    return calls[0]?.endedAt ? calls : null;
  });
  const { transcript } = await rest.must('GET', `/calls/${call?.id}`);
  return wordErrors(said, transcript.flatMap(({ speaker, text }) => (speaker === 'caller' ? [text] : [])).join(' '));
}

async function bySip(service: Service, turns: number, line: LineTo, seed: number): Promise<Errors> {
  const clips = await Promise.all(SENTENCES.map(async (text) => ({ samples: await renderSpeech(text, 'flite-slt') })));
  const options = { ...line, random: seededRandom(seed), background: null, echo: null };
  const caller = new Caller(service.sipAddress, 1, 'demo', { codec: 'OPUS', line: new Line(options) });
  await caller.answered();
  await takeTurns(caller, turns, clips, []);
  await caller.agentQuiet(500);
  await caller.hangUp();
  return heard(new Rest(service), turns);
}

async function byWebRtc(service: Service, turns: number, relay: UdpRelay, line: LineTo): Promise<Errors> {
  const rest = new Rest(service);
  const [campaign] = await rest.must('GET', '/campaigns');
  const clips: Frame[][] = [];
  for (const text of SENTENCES)
    clips.push(await framesOf(resampleWhole(await renderSpeech(text, 'flite-slt'), 8_000, OPUS_RATE_HZ)));
  const [silence] = await framesOf(new Int16Array(OPUS_RATE_HZ / 50));
  relay.line = line;
  const { body } = await rest.request('POST', '/calls/web', { campaignId: campaign?.id });
  const caller = await BrowserCaller.join(body.data.socketUrl, await WebRtcPhone.open(), relay.port);
  let speech: Frame[] = [];
  const stop = everyFrame(() => caller.send((speech.shift() ?? silence) as Frame));
  const listens = (): Promise<boolean> =>
    rest.eventually(
      'the agent to listen',
      async () => caller.states.at(-1) === 'listening' && caller.path === 'webrtc',
    );
  for (let turn = 0; turn < turns; turn++) {
    await listens();
    await pause(700 + ((turn * 131) % 300));
    const before = caller.states.length;
    speech = [...(clips[turn % clips.length] as Frame[])];
    await rest.eventually('an answer', async () => caller.states.slice(before).includes('speaking'), 20).catch(() => 0);
  }
  await listens();
  stop();
  caller.close();
  return heard(rest, turns);
}

const DEFAULTS = { turns: 24, loss: 5, jitter: 80, seed: 1 };

export default part(USAGE, DEFAULTS, async ({ turns, loss, jitter, seed }) => {
  const port = await reservePort();
  const relay = await UdpRelay.start(port, seed);
  const clean: LineTo = { lossPercent: 0, jitterMs: 0 };
  const bad: LineTo = { lossPercent: loss, jitterMs: jitter };
  const rows: Array<[string, string, string, number]> = [];
  await withService({ ...BUILT_IN, SIP_CODECS: 'OPUS', WEBRTC_PORT: String(port) }, async (service) => {
    for (const [name, line] of [
      ['no loss', clean],
      [`${loss} % lost, up to ${jitter} ms late`, bad],
    ] as const) {
      const [sip, webRtc] = [await bySip(service, turns, line, seed), await byWebRtc(service, turns, relay, line)];
      for (const [way, errors] of [
        ['SIP', sip],
        ['WebRTC', webRtc],
      ] as const)
        rows.push([name, way, `${(100 * errorShare([errors])).toFixed(1)} %`, errors.words]);
    }
  });
  relay.close();
  return {
    title: 'Words on a bad line, by SIP and by WebRTC',
    lines: table(['line', 'by', 'word errors', 'words'], rows),
  };
});
