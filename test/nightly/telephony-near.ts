// The engine's adapter in front of real servers, for telephony-servers.ts: it answers and places calls with audio of
// its own, and counts how they end. Beside it a callee that is only a socket.

import { createSocket, type RemoteInfo } from 'node:dgram';
import { isTone, tone } from '../../bench/rig/conversation/tones.ts';
import { systemClock } from '../../engine/clock.ts';
import { DrachtioTelephony } from '../../engine/sip/adapters/drachtio/endpoint.ts';
import { EventSocket } from '../../engine/sip/adapters/drachtio/media/event-socket.ts';
import type { InboundLeg, Leg, LegEvent } from '../../engine/sip/telephony.ts';
import { PhoneAudio } from '../../engine/test-runs/caller/phone/audio.ts';
import { headerValue } from '../../engine/test-runs/caller/phone/sip-text.ts';

import { waitFor } from '../support/sip/baresip-phone.ts';

import { saw } from './trial.ts';

const {
  TELEPHONY = 'freeswitch',
  DRACHTIO_PORT = '9022',
  DRACHTIO_SECRET = 'cymru',
  FREESWITCH_PORTS = '8021',
  FREESWITCH_SECRET = 'ClueCon',
} = process.env;
export const isRelayed = TELEPHONY === 'freeswitch';
export const switches = isRelayed ? FREESWITCH_PORTS.split(',').map(Number) : [];
export const ENGINE_HZ = 700;
export const PEER_HZ = 1_250;

const print = (fields: object, text: string): void => saw(`engine: ${text} ${JSON.stringify(fields)}`);

/** The answer and the end of a leg. */
interface Seen {
  events: LegEvent[];
}

/** The engine's end: every call is answered with audio of its own. */
export class Near {
  readonly telephony: DrachtioTelephony;
  readonly legs: Seen[] = [];
  answers: (leg: InboundLeg) => void = () => {};
  readonly audio: PhoneAudio;

  constructor(audio: PhoneAudio) {
    this.audio = audio;
    this.telephony = new DrachtioTelephony({
      drachtio: { host: '127.0.0.1', port: Number(DRACHTIO_PORT), secret: DRACHTIO_SECRET },
      freeswitch: switches.map((port) => ({ host: '127.0.0.1', port, secret: FREESWITCH_SECRET })),
      owner: { installation: 'trial', process: String(process.pid) },
      inboundAllow: [],
      externalIp: null,
      log: { debug() {}, info: print, warn: print, error: print },
    });
    this.telephony.onInvite((leg) => {
      this.#follow(leg);
      this.answers(leg);
    });
  }

  /** Keeps what happened, and not the leg: a long row shows then what the engine keeps. */
  #follow(leg: Leg): void {
    const seen: Seen = { events: [] };
    this.legs.push(seen);
    leg.onEvent((event) => {
      if ('audio' in event) this.audio.talkTo({ address: event.audio.remoteAddress, port: event.audio.remotePort });
      if (event.type === 'ended') this.audio.hush();
      if (event.type === 'ended' || event.type === 'answered') seen.events.push(event);
    });
  }

  get local() {
    return { address: '127.0.0.1', port: this.audio.port };
  }

  /** Answers all calls at once. */
  async start(): Promise<void> {
    this.answers = (leg) => leg.answer(this.local);
    await this.telephony.start();
    await waitFor('the engine is ready', () => this.telephony.isReady);
    this.audio.speak(tone([ENGINE_HZ], 2_000, 6_000), 16_000);
  }

  dial(to: string) {
    const leg = this.telephony.dial({
      ...{ to, trunkIds: [], from: '+15550001111', fromName: null, audio: this.local, ringTimeoutMs: 15_000 },
    });
    this.#follow(leg);
    return leg;
  }

  /** How the legs ended, with how often. */
  ends(): string {
    const counts = new Map<string, number>();
    for (const { events } of this.legs) {
      const end = events.flatMap((event) => (event.type === 'ended' ? [event.end] : []))[0];
      const wasUp = events.some(({ type }) => type === 'answered') ? 'answered, ' : '';
      const text = end === undefined ? 'still up' : `${wasUp}${end.by} ${end.sipStatus ?? ''} ${end.reason}`;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts].map(([text, count]) => `${count} × ${text}`).join('; ');
  }

  get allEnded(): boolean {
    return this.legs.every(({ events }) => events.some(({ type }) => type === 'ended'));
  }
}

/** A callee that is only a socket: a script says what it sends. */
export async function socketCallee(takes: (text: string, send: (text: string) => void) => void) {
  const socket = createSocket('udp4');
  const received: string[] = [];
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.on('message', (data, from: RemoteInfo) => {
    const text = data.toString('latin1');
    received.push(`${text.split('\r\n')[0]} ${headerValue(text, 'To').replace(/.*tag=/, 'tag=')}`);
    takes(text, (reply) => socket.send(reply, from.port, from.address));
  });
  const { port } = socket.address();
  return { port, received, contact: `sip:callee@127.0.0.1:${port}`, close: () => socket.close() };
}

export async function channels(): Promise<number> {
  const counts = switches.map(
    (port) =>
      new Promise<number>((resolve, reject) => {
        new EventSocket({
          ...{ host: '127.0.0.1', port, secret: FREESWITCH_SECRET, clock: systemClock },
          opened: (socket) => {
            socket.api('show channels count').then((answer) => {
              resolve(Number(/(\d+) total/.exec(answer)?.[1] ?? 0));
              socket.close('done');
            }, reject);
          },
          closed: (reason) => reject(new Error(reason)),
        });
      }),
  );
  return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
}

export async function noChannels(): Promise<void> {
  if (!isRelayed) return;
  await waitFor('no channel is left', async () => (await channels()) === 0, 30_000);
  saw('no channel is left');
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const hears = (audio: PhoneAudio, hz: number): boolean =>
  audio.heard.slice(-25).filter(({ samples }) => isTone(hz, samples)).length > 15;

export function target(near: Near) {
  const [host = '', port = ''] = near.telephony.address.split(':');
  return { uri: `sip:demo@${host}`, host, port: Number(port) };
}

export async function withNear(run: (near: Near) => Promise<void>): Promise<void> {
  const near = new Near(await PhoneAudio.open('127.0.0.1', true));
  await near.start();
  try {
    await run(near);
  } finally {
    await near.telephony.stop();
    near.audio.close();
  }
}
