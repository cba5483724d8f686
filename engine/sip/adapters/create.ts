// Creates the telephony adapter that the operator has chosen.
import { createHash, hkdfSync } from 'node:crypto';
import { arrivalsFirst, systemClock } from '../../clock.ts';
import type { EngineConfig } from '../../config.ts';
import { type Fence, fencedClock } from '../../fence.ts';
import { fencedNetwork } from '../stack/network/fenced-network.ts';
import { createNodeNetwork } from '../stack/network/node-network.ts';
import type { RefusedInvite, SoftphoneRegistrar, Telephony } from '../telephony.ts';
import type { EmbeddedOptions } from './embedded/endpoint.ts';
import { EmbeddedTelephony } from './embedded/endpoint.ts';

interface AdapterDeps {
  /** A secret of this installation, the same at every start. */
  installation: Buffer;
  engineId: string;
  log: EmbeddedOptions['log'];
  onRefused(refused: RefusedInvite): void;
  /** Other engines may take this one for dead; null: there are none. */
  fence: Fence | null;
}

interface ChosenTelephony {
  telephony: Telephony;
  registrar: SoftphoneRegistrar;
  /** Counts of requests refused before they became a call, since the start. */
  refusedSip(): EmbeddedTelephony['counts']['refused'];
}

export async function createTelephony(config: EngineConfig, deps: AdapterDeps): Promise<ChosenTelephony> {
  const common = {
    externalIp: config.externalIp,
    edgeProxies: config.edgeProxies,
    edgeName: config.sipEdge,
    // Without a proxy in front, nobody else's challenge is ever answered here.
    nonceKey:
      config.edgeProxies.length === 0
        ? null
        : Buffer.from(hkdfSync('sha256', deps.installation, Buffer.alloc(0), 'sip digest nonces', 32)),
    inboundAllow: config.sipInboundAllow,
    codecs: config.sipCodecs,
    prefersWideband: config.sipPrefersWideband,
    log: deps.log,
    onRefused: deps.onRefused,
  };
  if (config.telephony.kind === 'embedded') {
    const { sipHost: host, sipPort: port, sipTls: tls } = config;
    const { fence } = deps;
    const fenced = fence && {
      network: fencedNetwork(createNodeNetwork(), fence),
      clock: fencedClock(arrivalsFirst(systemClock), fence),
    };
    const embedded = new EmbeddedTelephony({ ...common, host, port, tls, ...fenced });
    return { telephony: embedded, registrar: embedded.registrar, refusedSip: () => embedded.counts.refused };
  }
  const { drachtio } = config.telephony;
  // Loaded only here: its packages cost start time and memory.
  const { DrachtioTelephony } = await import('./drachtio/endpoint.ts');
  const telephony = new DrachtioTelephony({
    ...common,
    drachtio,
    allowsUncheckedTls: config.telephony.allowsUncheckedTls,
    freeswitch: config.telephony.kind === 'freeswitch' ? config.telephony.freeswitch : [],
    forks:
      config.telephony.kind === 'freeswitch' && config.telephony.media === 'fork'
        ? { publicUrl: config.mediaWsPublicUrl }
        : null,
    owner: { installation: nameOf(deps.installation), process: deps.engineId },
  });
  return { telephony, registrar: telephony.registrar, refusedSip: () => telephony.counts.refused };
}

/** A name that reveals nothing of the secret. */
function nameOf(installation: Buffer): string {
  return `voice-${createHash('sha256').update('channels').update(installation).digest('hex').slice(0, 12)}`;
}
