// A telephone line on the stage: its far end is the scene, and what the engine asks of it is printed.
import type {
  InboundLeg,
  LegEnd,
  LegEvent,
  LegState,
  OutboundLeg,
  RingingState,
  StoredDialog,
} from '../../../engine/sip/telephony.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';

export const AUDIO = negotiatedAudio({ remoteAddress: '192.0.2.7' });

export class StageLeg implements InboundLeg, OutboundLeg {
  readonly sipCallId = 'sip-1';
  readonly direction: never;
  readonly called = '+12125550100';
  readonly caller = { number: '+14155550123', name: 'Ada' };
  readonly divertedFrom = [];
  readonly trunkId = 'trk_1';
  readonly sipAccountId = null;
  readonly remoteAddress = '192.0.2.7';
  readonly sampleRateHz = 8_000;
  readonly #name: string;
  readonly #print: (line: string) => void;
  #listener: ((event: LegEvent) => void) | null = null;
  readonly #kept: LegEvent[] = [];
  onRefer: ((target: string) => void) | null = null;
  ringing: RingingState | null = null;
  state: LegState | null = null;
  isOver = false;

  constructor(name: string, direction: 'inbound' | 'outbound', print: (line: string) => void) {
    this.#name = name;
    this.direction = direction as never;
    this.#print = print;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#kept.splice(0)) listener(event);
  }

  /** The far end does something. After `ended` nothing comes, as the port promises. */
  report(event: LegEvent): void {
    if (this.isOver) return;
    if (event.type === 'ended') this.isOver = true;
    this.#print(`< ${this.#name}: ${describeLeg(event)}`);
    if (this.#listener) this.#listener(event);
    else this.#kept.push(event);
  }

  end(change: Partial<LegEnd> = {}): void {
    const end: LegEnd = { by: 'remote', sipStatus: null, q850Cause: null, reason: '', rang: false, ...change };
    this.report({ type: 'ended', end });
  }

  hangUp(): void {
    if (this.isOver) return;
    this.#print(`> ${this.#name}: hang up`);
    this.end({ by: 'local' });
  }

  refer(target: string): void {
    this.#print(`> ${this.#name}: REFER to ${target}`);
    this.onRefer?.(target);
  }

  sendInfoDigits(digits: string): void {
    this.#print(`> ${this.#name}: INFO ${digits}`);
  }

  ring(): void {
    this.#print(`> ${this.#name}: 180`);
  }

  answer(): void {
    this.#print(`> ${this.#name}: 200`);
    this.report({ type: 'answered', audio: AUDIO });
  }

  reject(sipStatus: number): void {
    this.#print(`> ${this.#name}: ${sipStatus}`);
    this.end({ by: 'local', sipStatus });
  }
}

function describeLeg(event: LegEvent): string {
  if (event.type === 'ended') return `ended by ${event.end.by}${event.end.sipStatus ? ` ${event.end.sipStatus}` : ''}`;
  if (event.type === 'refer-progress') return `NOTIFY ${event.status}`;
  return event.type;
}

export function dialogOf(name: string): StoredDialog {
  return {
    state: 'inviting',
    role: 'uac',
    transport: 'udp',
    nextHop: '192.0.2.7:5060',
    callId: `sip-${name}`,
    localUri: 'sip:a@example.test',
    localTag: 'a',
    remoteUri: 'sip:b@example.test',
    remoteTag: null,
    remoteTarget: 'sip:b@192.0.2.7',
    routeSet: [],
    localCSeq: 1,
    inviteVia: null,
    trunkId: 'trk_1',
  };
}
