// With what one outbound INVITE begins, and what another process needs to go on with it.
import { type AttemptRoute, farSideOf } from '../../dialog/dial-route.ts';
import type { Dialog } from '../../dialog/dialog.ts';
import { type AudioSession, newAudioSession } from '../../dialog/offer-answer.ts';
import type { Destination } from '../../stack/network/transport-layer.ts';
import { DigestClient, type DigestState } from '../../stack/wire/digest.ts';
import type { Via } from '../../stack/wire/header.ts';
import type { SipRequest } from '../../stack/wire/message.ts';
import type { LocalAudio } from '../../telephony.ts';
import type { EarlyDialog } from './reliable-provisionals.ts';
import type { UserAgentCore } from './user-agent-core.ts';

interface AttemptIdentity {
  callId: string;
  localTag: string;
  firstCSeq: number;
}

/** The state from which another process goes on with an INVITE that is out and unanswered, as JSON. */
export interface AttemptState {
  route: AttemptRoute;
  dialog: Dialog;
  session: AudioSession;
  invite: { request: Omit<SipRequest, 'body'>; body: string; destination: Destination; via: Via };
  /** Time since it was sent for the first time. */
  sinceMs: number;
  provisional: boolean;
  challenges: number;
  intervalRetries: number;
  minSeconds: number;
  early: Array<[tag: string, session: AudioSession]>;
  /** Missing in states of an earlier release. */
  earlyDialogs?: EarlyDialog[];
  /** Tags of callees that have changed their early audio. Missing in states of an earlier release. */
  updated?: string[];
  digest: DigestState;
}

/** With what the INVITEs of one attempt begin. */
export interface AttemptStart {
  dialog: Dialog;
  session: AudioSession;
  digest: DigestClient;
}

/** The first INVITE of a call on a route. */
export function newAttempt(
  core: UserAgentCore,
  route: AttemptRoute,
  identity: AttemptIdentity,
  audio: LocalAudio,
): AttemptStart {
  const { address, isSecure: secure } = farSideOf(route);
  const shown = core.advertise(audio, address);
  const session = newAudioSession(shown, route.codecs, {
    secure,
    demandSrtp: route.srtp && secure,
    sources: [address, ...route.peer.mediaFrom],
  });
  const dialog: Dialog = {
    callId: identity.callId,
    local: route.from,
    remote: route.to,
    localTag: identity.localTag,
    remoteTag: null,
    remoteTarget: route.requestUri,
    routeSet: route.routes,
    localCSeq: identity.firstCSeq - 1,
    remoteCSeq: null,
  };
  return { dialog, session, digest: new DigestClient(route.peer.credentials) };
}

export const resumedAttempt = ({ dialog, session, digest, route }: AttemptState): AttemptStart => ({
  dialog,
  session,
  digest: new DigestClient(route.peer.credentials, digest),
});
