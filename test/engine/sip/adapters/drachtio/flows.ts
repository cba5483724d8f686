// Calls that are recorded from the real servers, and replayed without them.
import type { InboundLeg, Leg, LegEvent, Telephony } from '../../../../../engine/sip/telephony.ts';
import { trunkConfig } from '../../../../support/sip/sip-lab.ts';

export interface Flow {
  /** Also the name of its recording. */
  name: string;
  /** FreeSWITCH carries the audio. */
  isRelayed?: true;
  /** The part of the far side, which only exists while recording, in our call, or in its own. */
  far: { takes?: (leg: InboundLeg) => void; calls?: (leg: Leg, event: LegEvent) => void };
  /** We dial; left out, the far side does. */
  dials?: (telephony: Telephony, farPort: number) => Leg;
  /** Our part at each event of our leg, and when a call comes in. */
  near: (leg: Leg, event: LegEvent | null) => void;
  /** The events of our leg, without `dialog-stored`. */
  events: string[];
}

const NEAR = { address: '127.0.0.1', port: 42_000 };
const FAR = { address: '127.0.0.1', port: 43_000 };

const answers = (leg: Leg, event: LegEvent | null): void => {
  if (event === null) (leg as InboundLeg).answer(NEAR);
};
const endsAfterAnswer = (leg: Leg, event: LegEvent): void => {
  if (event.type === 'answered') leg.hangUp();
};
const request = { from: '+15550001111', fromName: null, audio: NEAR, ringTimeoutMs: 10_000 };
const dialsFar = (telephony: Telephony, farPort: number): Leg =>
  telephony.dial({ ...request, to: `sip:far@127.0.0.1:${farPort}`, trunkIds: [] });
const rings = (leg: InboundLeg): void => {
  leg.ring();
  leg.answer(FAR);
};
const hangsUp = (leg: Leg, event: LegEvent | null): void => {
  if (event?.type === 'answered') leg.hangUp();
};

export const FLOWS: Flow[] = [
  { name: 'inbound', far: { calls: endsAfterAnswer }, near: answers, events: ['answered', 'ended remote'] },
  {
    name: 'inbound-cancelled',
    far: { calls: (leg, event) => event.type === 'ringing' && leg.hangUp() },
    near: (leg, event) => event === null && (leg as InboundLeg).ring(),
    events: ['ended remote 487'],
  },
  {
    name: 'inbound-early-media',
    far: { calls: (leg, event) => event.type === 'ringing' && leg.hangUp() },
    near: (leg, event) => event === null && (leg as InboundLeg).ring(NEAR),
    events: ['audio-changed', 'ended remote 487'],
  },
  {
    name: 'inbound-refused',
    far: { calls: () => {} },
    near: (leg, event) => event === null && (leg as InboundLeg).reject(486),
    events: ['ended local 486'],
  },
  {
    name: 'inbound-digits',
    far: {
      calls: (leg, event) => {
        if (event.type === 'answered') leg.sendInfoDigits('1#');
      },
    },
    near: (leg, event) => {
      answers(leg, event);
      if (event?.type === 'digit' && event.digit === '#') leg.hangUp();
    },
    events: ['answered', 'digit 1', 'digit #', 'ended local'],
  },
  {
    name: 'inbound-transfer-refused',
    far: { calls: () => {} },
    near: (leg, event) => {
      answers(leg, event);
      if (event?.type === 'answered') leg.refer('+15553334444');
      if (event?.type === 'refer-progress') leg.hangUp();
    },
    events: ['answered', 'refer-progress 405', 'ended local'],
  },
  {
    name: 'outbound',
    far: { takes: rings },
    dials: dialsFar,
    near: hangsUp,
    events: ['ringing 180', 'answered', 'ended local'],
  },
  {
    name: 'outbound-early-media',
    far: {
      takes: (leg) => {
        leg.ring(FAR);
        leg.answer(FAR);
      },
    },
    dials: dialsFar,
    near: hangsUp,
    events: ['ringing 183 audio', 'answered', 'ended local'],
  },
  {
    name: 'outbound-busy',
    far: { takes: (leg) => leg.reject(486) },
    dials: dialsFar,
    near: () => {},
    events: ['ended remote 486'],
  },
  {
    name: 'outbound-given-up',
    far: { takes: (leg) => leg.ring() },
    dials: dialsFar,
    near: (leg, event) => event?.type === 'ringing' && leg.hangUp(),
    events: ['ringing 180', 'ended local 487'],
  },
  {
    name: 'outbound-digest',
    far: { takes: rings },
    dials: (telephony, farPort) => {
      const trunk = trunkConfig('trunk', '127.0.0.1', { port: farPort, username: 'ann', callerIdHeader: 'pai' });
      telephony.setTrunks([{ ...trunk, password: 'secret-1' }]);
      return telephony.dial({ ...request, to: '+15551112222', trunkIds: ['trunk'] });
    },
    near: hangsUp,
    events: ['ringing 180', 'answered', 'ended local'],
  },
  {
    name: 'inbound-by-freeswitch',
    isRelayed: true,
    far: { calls: endsAfterAnswer },
    near: answers,
    events: ['answered', 'ended remote'],
  },
  {
    name: 'outbound-by-freeswitch',
    isRelayed: true,
    far: { takes: rings },
    dials: dialsFar,
    near: hangsUp,
    events: ['ringing 180', 'answered', 'ended local'],
  },
];

/** An event in a few words. */
export function shown(event: LegEvent): string {
  switch (event.type) {
    case 'ringing':
      return `ringing ${event.status}${event.earlyAudio === null ? '' : ' audio'}`;
    case 'digit':
      return `digit ${event.digit}`;
    case 'refer-progress':
      return `refer-progress ${event.status}`;
    case 'ended':
      return ['ended', event.end.by, event.end.sipStatus].filter((part) => part !== null).join(' ');
    default:
      return event.type;
  }
}
