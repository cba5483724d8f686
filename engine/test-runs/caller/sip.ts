// The signalling of a simulated caller: each call has its own phone, which resends unanswered requests.
import { networkInterfaces } from 'node:os';
import type { VoiceCodecName } from '../../../db/domain/trunk-defaults.ts';
import { Phone } from './phone/phone.ts';
import type { PhoneCall, PhoneEvent, SipTarget } from './phone/phone-call.ts';

/** The signalling of one call, placed by either side. */
export interface CallDialog {
  /** Places the call, or has it placed. */
  invite(): Promise<void>;
  hangUp(): void;
  close(): void;
  /** The methods of the other side's requests, including repeated ones. */
  readonly requests?: readonly string[];
}

/** The offer of each codec: payload types, and their maps. */
const OFFERS: Record<VoiceCodecName, { formats: string; maps: readonly string[] }> = {
  PCMU: { formats: '0 101', maps: ['0 PCMU/8000', '101 telephone-event/8000'] },
  PCMA: { formats: '8 101', maps: ['8 PCMA/8000', '101 telephone-event/8000'] },
  G722: { formats: '9 101', maps: ['9 G722/8000', '101 telephone-event/8000'] },
  OPUS: { formats: '111 101', maps: ['111 opus/48000/2', '101 telephone-event/48000'] },
};

/** `sip:user@host:port`. @throws Error describing the problem */
export function parseTarget(text: string): SipTarget {
  const match = /^sip:([^@\s]+)@(\[[^\]]+\]|[^:;\s?]+)(?::(\d{1,5}))?(?:[;?]\S*)?$/.exec(text);
  const port = Number(match?.[3] ?? 5060);
  if (!match || port < 1 || port > 65_535)
    throw new Error(`"${text}" is no SIP address such as sip:demo@127.0.0.1:5060`);
  return { uri: text, host: (match[2] ?? '').replace(/^\[|\]$/g, ''), port };
}

/** Our address on the route to the target: loopback stays loopback. */
export function localAddress(host: string): string {
  if (host === 'localhost' || host.startsWith('127.')) return '127.0.0.1';
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((address) => address.family === 'IPv4' && !address.internal)?.address ?? '127.0.0.1';
}

interface CallerDialogOptions {
  target: SipTarget;
  localAddress: string;
  rtpPort: number;
  from: string;
  /** Accepts a REFER and reports success; otherwise rejects the method (405). */
  acceptsRefer: boolean;
  headers?: readonly string[];
  /** The only offered codec. */
  codec: VoiceCodecName;
  onEvent(event: PhoneEvent): void;
}

export function callerDialog({ localAddress, rtpPort, codec, ...call }: CallerDialogOptions): CallDialog {
  let phone: Phone | null = null;
  let placed: PhoneCall | null = null;
  return {
    async invite() {
      phone = await Phone.start({ host: localAddress });
      placed = phone.place({ ...call, offer: offerOf(localAddress, rtpPort, codec), resends: true });
    },
    hangUp: () => placed?.hangUp(),
    close: () => phone?.stop(),
    get requests() {
      return phone?.requests ?? [];
    },
  };
}

function offerOf(address: string, rtpPort: number, codec: VoiceCodecName): string {
  const { formats, maps } = OFFERS[codec];
  return [
    'v=0',
    `o=- ${Date.now()} 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${rtpPort} RTP/AVP ${formats}`,
    ...maps.map((map) => `a=rtpmap:${map}`),
    'a=fmtp:101 0-16',
    'a=ptime:20',
    'a=sendrecv',
    '',
  ].join('\r\n');
}
