// FreeSWITCH servers and a callee behind a scripted drachtio: the channels that each server holds are counted, and a
// test says what a server does with an INVITE or a command.

import { eventually } from '../../../bench/rig/eventually.ts';
import type { SipLog } from '../../../engine/sip/telephony.ts';
import { startNear } from '../../engine/sip/adapters/drachtio/near-side.ts';
import { type FakeEventSocket, fakeEventSocket } from './fake-event-socket.ts';
import { type SentRequest, startScriptedDrachtio } from './scripted-drachtio.ts';

interface ScriptedSwitch {
  events: FakeEventSocket;
  /** Call ids of its channels. */
  channels: Set<string>;
  /** INVITEs that began a channel, and those that failed to. */
  invites: number;
  /** Answers an INVITE itself and returns true, or leaves it to the usual answer. */
  takes: ((request: SentRequest) => boolean) | null;
}

interface StageOptions {
  servers?: number;
  /** Answers the INVITE to the callee. */
  callee?: (request: SentRequest) => void;
  /** Sees the callee's other requests. */
  other?: (request: SentRequest) => void;
  log?: SipLog;
}

export const sdpWith = (format: string, port = 40_000): string =>
  [
    ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
    `m=audio ${port} RTP/AVP ${format} 101`,
    ...['a=rtpmap:101 telephone-event/8000', 'a=sendrecv', ''],
  ].join('\r\n');

/** For `takes`: the request is answered so. */
export function refused(request: SentRequest, status: number): true {
  request.respond(status);
  return true;
}

const firstFormat = (sdp: string): string => /^m=audio \d+ \S+ (\d+)/m.exec(sdp)?.[1] ?? '0';

export async function startSwitches({
  servers = 1,
  callee = (request) => request.respond(200, sdpWith('0')),
  other,
  log,
}: StageOptions) {
  const switches = await Promise.all(
    Array.from({ length: servers }, async (_, index): Promise<ScriptedSwitch> => {
      const events = await fakeEventSocket(0, 5081 + index);
      return { events, channels: new Set(), invites: 0, takes: null };
    }),
  );
  /** Methods that the callee has received, in order. */
  const atCallee: string[] = [];
  /** By call id: where its INVITE went. Later requests of a dialog do not name the server by its port. */
  const homes = new Map<string, ScriptedSwitch>();
  const drachtio = await startScriptedDrachtio((request) => {
    const port = Number(/^sip:engine@127\.0\.0\.1:(\d+)/.exec(request.uri)?.[1] ?? 0);
    const home = switches[port - 5081] ?? homes.get(request.callId);
    if (home === undefined) return toCallee(request);
    if (request.method === 'INVITE' && !homes.has(request.callId)) home.invites += 1;
    homes.set(request.callId, home);
    if (home.takes?.(request)) return;
    if (request.method === 'BYE') {
      home.channels.delete(request.callId);
      request.respond(200);
    } else if (request.method === 'INVITE') {
      const isNew = !home.channels.has(request.callId);
      home.channels.add(request.callId);
      request.respond(200, sdpWith(firstFormat(request.body), 20_000));
      if (isNew) home.events.connectChannel(request.text);
    }
  });
  const toCallee = (request: SentRequest): void => {
    atCallee.push(request.method);
    if (request.method === 'INVITE') return callee(request);
    other?.(request);
    if (request.method !== 'ACK' && request.method !== 'CANCEL') request.respond(200);
  };
  const near = await startNear(
    drachtio.port,
    switches.map(({ events }) => events.port),
    log === undefined ? {} : { log },
  );
  await eventually(() => switches.every(({ events }) => events.commands.includes('show channels count')));
  // Its answer is on its way.
  await new Promise((resolve) => setImmediate(resolve));
  const [first] = switches;
  if (first === undefined) throw new Error('no server');
  return {
    ...{ switches, first, atCallee, drachtio, near },
    /** Channels of all servers. */
    channels: (): number => switches.reduce((sum, { channels }) => sum + channels.size, 0),
    dial: () =>
      near.dial({
        ...{ to: 'sip:callee@127.0.0.1:5070', trunkIds: [], from: '+15550001111', fromName: null },
        ...{ audio: { address: '127.0.0.1', port: 42_000 }, ringTimeoutMs: 10_000 },
      }),
    stop: async (): Promise<void> => {
      await near.stop();
      drachtio.close();
      for (const { events } of switches) events.close();
    },
  };
}
