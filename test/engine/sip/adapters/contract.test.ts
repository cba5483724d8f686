// Runs the telephony port's contract against the embedded adapter.

import { silentLog } from '../../../../bench/rig/phone/sip-harness.ts';
import { EmbeddedTelephony } from '../../../../engine/sip/adapters/embedded/endpoint.ts';
import { telephonyContract } from '../../../support/sip/telephony-contract.ts';

telephonyContract('embedded', async () => {
  const telephony = new EmbeddedTelephony({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    inboundAllow: [],
    externalIp: null,
    log: silentLog,
  });
  await telephony.start();
  return { telephony, address: () => `127.0.0.1:${telephony.port('udp')}` };
});
