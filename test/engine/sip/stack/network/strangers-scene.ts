// The service between a trunk and a stranger, on a virtual clock.
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { EmbeddedTelephony } from '../../../../../engine/sip/adapters/embedded/endpoint.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import {
  given,
  inviteLines,
  type ScriptedPeer,
  SipLab,
  sdpOf,
  tagIn,
  trunkConfig,
  value,
} from '../../../../support/sip/sip-lab.ts';

export const service = { address: '10.0.0.1', port: 5060 };
const target = 'sip:+15559990000@10.0.0.1:5060';
const audio = { address: '10.0.0.1', port: 20_000 };

interface Scene {
  lab: SipLab;
  endpoint: EmbeddedTelephony;
  legs: RecordedLeg<InboundLeg>[];
  trunk: ScriptedPeer;
  stranger: ScriptedPeer;
  logged: object[];
}

export async function scene(options: { allowed?: string[] } = {}): Promise<Scene> {
  const lab = new SipLab();
  const logged: object[] = [];
  lab.network.hosts.set('trunk.example', ['10.0.0.9']);
  const endpoint = await lab.endpoint('10.0.0.1', {
    inboundAllow: options.allowed ?? ['10.0.0.200/32'],
    log: { debug() {}, info: (fields) => logged.push(fields), warn() {}, error: (fields) => lab.errors.push(fields) },
  });
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    leg.answer(audio);
  });
  endpoint.setTrunks([trunkConfig('t', 'trunk.example')]);
  const trunk = lab.peer('10.0.0.9');
  trunk.onMessage = (message, from) => {
    if (message.kind === 'request' && message.method === 'OPTIONS') trunk.respond(message, from, 200, { tag: 'o' });
  };
  await lab.run(50);
  return { lab, endpoint, legs, trunk, stranger: lab.peer('192.0.2.7'), logged };
}

export function requestLines(peer: ScriptedPeer, method: string, id: string): string[] {
  return inviteLines(peer, target, { method, branch: `z9hG4bK${id}`, callId: `call-${id}`, sdp: false });
}

/** INVITE, 200, ACK; returns the tag of the service. */
export async function establish({ lab }: Scene, peer: ScriptedPeer, callId: string): Promise<string> {
  peer.send(service, inviteLines(peer, target, { callId, branch: `z9hG4bK${callId}` }), sdpOf(peer.at.address));
  await lab.run(50);
  const ok = peer.responses('INVITE').find((each) => each.status === 200 && value(each, 'call-id') === callId);
  const toTag = tagIn(given(ok, `200 of ${callId}`), 'to');
  const ack = { method: 'ACK', branch: `z9hG4bKack${callId}`, callId, toTag, sdp: false };
  peer.send(service, inviteLines(peer, target, ack));
  await lab.run(20);
  return toTag;
}

export async function hangUp({ lab }: Scene, peer: ScriptedPeer, callId: string, toTag: string): Promise<number[]> {
  const bye = { method: 'BYE', branch: `z9hG4bKbye${callId}`, cseq: 2, callId, toTag, sdp: false };
  peer.send(service, inviteLines(peer, target, bye));
  await lab.run(20);
  return peer.statuses('BYE');
}
