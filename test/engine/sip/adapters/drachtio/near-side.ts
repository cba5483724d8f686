// The adapter as the tests of this folder start it.

import { eventually } from '../../../../../bench/rig/eventually.ts';
import { silentLog } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { Clock } from '../../../../../engine/clock.ts';
import { DrachtioTelephony } from '../../../../../engine/sip/adapters/drachtio/endpoint.ts';
import type { SipLog } from '../../../../../engine/sip/telephony.ts';

export const fileOf = (name: string): URL => new URL(`recordings/${name}.txt`, import.meta.url);

export async function startNear(
  port: number,
  eventSocketPorts: readonly number[],
  more: { allowsUncheckedTls?: boolean; clock?: Clock; log?: SipLog; edgeProxies?: readonly string[] } = {},
): Promise<DrachtioTelephony> {
  const telephony = new DrachtioTelephony({
    drachtio: { host: '127.0.0.1', port, secret: 'cymru' },
    freeswitch: eventSocketPorts.map((each) => ({ host: '127.0.0.1', port: each, secret: 'ClueCon' })),
    owner: { installation: 'voice-0', process: 'engine-0' },
    inboundAllow: [],
    externalIp: null,
    log: silentLog,
    ...more,
  });
  await telephony.start();
  await eventually(() => telephony.isReady);
  return telephony;
}
