// Outbound calls on a virtual clock: trunks that answer by the rules of a test, and what a leg was told.
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { SipMessage, SipRequest } from '../../../../../engine/sip/stack/wire/message.ts';
import type { DialRequest, OutboundLeg, TrunkConfig } from '../../../../../engine/sip/telephony.ts';
import { dialRequest, type ScriptedPeer, SipLab, trunkConfig } from '../../../../support/sip/sip-lab.ts';

export const service = { address: '10.0.0.1', port: 5060 };

export type Rule = (request: SipRequest, peer: ScriptedPeer) => void;

interface Scene {
  lab: SipLab;
  endpoint: EmbeddedTelephony;
  peers: ScriptedPeer[];
  dial(more?: Partial<DialRequest>): RecordedLeg<OutboundLeg>;
}

/** A trunk that answers OPTIONS and BYE automatically; INVITE, CANCEL and the rest follow the test's rule. */
export async function scene(rules: Rule[], trunks?: TrunkConfig[]): Promise<Scene> {
  const lab = new SipLab();
  const peers = rules.map((rule, index) => {
    const peer = lab.peer(`10.0.1.${index + 1}`);
    peer.onMessage = (message: SipMessage) => {
      if (message.kind !== 'request') return;
      if (message.method === 'OPTIONS' || message.method === 'BYE') peer.respond(message, service, 200, { tag: 'x' });
      else rule(message, peer);
    };
    return peer;
  });
  const endpoint = await lab.endpoint('10.0.0.1');
  const configs = trunks ?? peers.map((peer, index) => trunkConfig(`trk_${index}`, peer.at.address));
  endpoint.setTrunks(configs);
  await lab.run(50);
  return {
    lab,
    endpoint,
    peers,
    dial: (more = {}) =>
      recordLeg(
        endpoint.dial(
          dialRequest(
            configs.map(({ id }) => id),
            more,
          ),
        ),
      ),
  };
}

export function endOf(leg: RecordedLeg<OutboundLeg>) {
  const last = leg.events.at(-1);
  return last?.type === 'ended' ? last.end : null;
}

export function seen(leg: RecordedLeg<OutboundLeg>) {
  return leg.events.map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

export function answering(body: string, headers: string[] = []): Rule {
  return (request, peer) => {
    if (request.method !== 'INVITE') return;
    peer.respond(request, service, 180, { tag: 'callee' });
    peer.respond(request, service, 200, { tag: 'callee', headers: [peer.contact, ...headers], body });
  };
}
