// Inbound calls on a virtual clock: a caller who sends what a test says, and the legs that the endpoint reports.
import assert from 'node:assert/strict';
import { type RecordedLeg, recordLeg } from '../../../../../bench/rig/phone/sip-harness.ts';
import type { InboundLeg } from '../../../../../engine/sip/telephony.ts';
import { inviteLines, type ScriptedPeer, SipLab, sdpOf, tagIn } from '../../../../support/sip/sip-lab.ts';

export const service = { address: '10.0.0.1', port: 5060 };
export const target = 'sip:+15559990000@10.0.0.1:5060';
export const audio = { address: '10.0.0.1', port: 20_000 };

export interface Scene {
  lab: SipLab;
  endpoint: Awaited<ReturnType<SipLab['endpoint']>>;
  peer: ScriptedPeer;
  legs: RecordedLeg<InboundLeg>[];
}

export async function scene(
  onLeg: (leg: InboundLeg) => void = (leg) => leg.answer(audio),
  options: Parameters<SipLab['endpoint']>[1] = {},
): Promise<Scene> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('10.0.0.1', options);
  const legs: RecordedLeg<InboundLeg>[] = [];
  endpoint.onInvite((leg) => {
    legs.push(recordLeg(leg));
    onLeg(leg);
  });
  return { lab, endpoint, peer: lab.peer('10.0.0.9'), legs };
}

export function typesOf({ legs }: Scene): string[] {
  return (legs[0]?.events ?? []).map(({ type }) => type).filter((type) => type !== 'dialog-stored');
}

export function endOf({ legs }: Scene) {
  const last = legs[0]?.events.at(-1);
  return last?.type === 'ended' ? last.end : null;
}

/** INVITE, 200, ACK; returns the service's tag. */
export async function establish(
  { lab, peer }: Scene,
  options: { headers?: string[]; sdp?: string } = {},
): Promise<string> {
  peer.send(service, inviteLines(peer, target, { headers: options.headers ?? [] }), options.sdp ?? sdpOf('10.0.0.9'));
  await lab.run(50);
  const ok = peer.responses('INVITE').find(({ status }) => status === 200);
  assert.ok(ok, `no 200 among ${peer.statuses()}`);
  const tag = tagIn(ok, 'to');
  peer.send(service, inviteLines(peer, target, { method: 'ACK', branch: 'z9hG4bKack1', toTag: tag, sdp: false }));
  await lab.run(50);
  return tag;
}
