// The contract of the telephony port against drachtio and FreeSWITCH themselves, where FREESWITCH_TEST=1 and they run
// on loopback as docs/freeswitch.md describes.

import { silentLog } from '../../bench/rig/phone/sip-harness.ts';
import { DrachtioTelephony } from '../../engine/sip/adapters/drachtio/endpoint.ts';
import { haveDrachtioAlone } from '../support/sip/real-servers.ts';
import { type Adapter, telephonyContract } from '../support/sip/telephony-contract.ts';

const {
  FREESWITCH_TEST,
  DRACHTIO_PORT = '9022',
  DRACHTIO_SECRET = 'cymru',
  FREESWITCH_SECRET = 'ClueCon',
} = process.env;

async function start(isRelayed: boolean): Promise<Adapter> {
  const telephony = new DrachtioTelephony({
    drachtio: { host: '127.0.0.1', port: Number(DRACHTIO_PORT), secret: DRACHTIO_SECRET },
    freeswitch: isRelayed ? [{ host: '127.0.0.1', port: 8021, secret: FREESWITCH_SECRET }] : [],
    owner: { installation: 'contract', process: String(process.pid) },
    inboundAllow: [],
    externalIp: null,
    log: silentLog,
  });
  await telephony.start();
  while (!telephony.isReady) await new Promise((resolve) => setTimeout(resolve, 20));
  return { telephony, address: () => telephony.address, isRelayed };
}

if (FREESWITCH_TEST === '1') {
  await haveDrachtioAlone(DRACHTIO_PORT);
  telephonyContract('drachtio', () => start(false));
  telephonyContract('freeswitch', () => start(true));
}
