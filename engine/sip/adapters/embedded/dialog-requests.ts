// Sends the requests inside a dialog: numbers them, finds the next hop, answers digest challenges, acknowledges 2xx. It
// owns the current value of the dialog.

import { hostPort } from '../../../../db/shared/net/url-host.ts';
import type { Peer } from '../../dialog/dial-route.ts';
import { contactIn, type Dialog, requestIn, routeOf } from '../../dialog/dialog.ts';
import { certifiedAs } from '../../stack/network/locator.ts';
import type { Destination, Flow } from '../../stack/network/transport-layer.ts';
import type { ClientTransaction, FailureCause, IncomingResponse } from '../../stack/transaction/transaction-layer.ts';
import { DigestClient } from '../../stack/wire/digest.ts';
import { writeNameAddr } from '../../stack/wire/header.ts';
import { type Header, header, type SipRequest } from '../../stack/wire/message.ts';
import type { StoredDialog } from '../../telephony.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

export type RequestOutcome =
  | { type: 'response'; response: IncomingResponse; sent: SipRequest }
  | { type: 'failed'; cause: FailureCause };

interface OutgoingRequest {
  headers: Header[];
  body?: Buffer;
  done(outcome: RequestOutcome): void;
}

// One for the first challenge, one for a stale nonce, one for a second realm.
const MAX_CHALLENGES = 3;

/** The dialog in the form that another process ends it by. */
export function storedDialog(
  dialog: Dialog,
  destination: Destination,
  rest: Pick<StoredDialog, 'state' | 'role' | 'inviteVia' | 'trunkId'>,
): StoredDialog {
  return {
    ...rest,
    transport: destination.protocol,
    nextHop: hostPort(destination.remote.address, destination.remote.port),
    serverName: destination.serverName,
    callId: dialog.callId,
    localUri: writeNameAddr(dialog.local),
    localTag: dialog.localTag,
    remoteUri: writeNameAddr(dialog.remote),
    remoteTag: dialog.remoteTag,
    remoteTarget: dialog.remoteTarget,
    routeSet: [...dialog.routeSet],
    localCSeq: dialog.localCSeq,
  };
}

export class DialogRequests {
  readonly #core: UserAgentCore;
  readonly #owner: DialogOwner;
  readonly #peer: Peer;
  readonly #digest: DigestClient;
  readonly #changed: () => void;
  /** Our last re-INVITE. */
  #invite: ClientTransaction | null = null;
  #dialog: Dialog;
  #flow: Flow | null;
  #destination: Destination;
  /** The name on the INVITE peer's certificate: a Contact or route often has only an address. */
  readonly #serverName: string | null;
  #lastAck: { number: number; request: SipRequest; destination: Destination } | null = null;

  /** `changed` is called whenever the stored form has changed. */
  constructor(
    core: UserAgentCore,
    owner: DialogOwner,
    start: { dialog: Dialog; destination: Destination; flow: Flow | null; peer: Peer; digest?: DigestClient },
    changed: () => void,
  ) {
    this.#core = core;
    this.#owner = owner;
    this.#peer = start.peer;
    this.#digest = start.digest ?? new DigestClient(start.peer.credentials);
    this.#dialog = start.dialog;
    this.#destination = start.destination;
    this.#serverName = start.destination.serverName;
    this.#flow = start.flow;
    this.#changed = changed;
  }

  get dialog(): Dialog {
    return this.#dialog;
  }

  get destination(): Destination {
    return this.#destination;
  }

  /** Ours, as this peer reaches it. */
  get contact(): Header {
    return { name: 'contact', value: contactIn(this.#dialog, this.#core.contact(this.#destination)) };
  }

  get flow(): Flow | null {
    return this.#flow;
  }

  get peerAddresses(): readonly string[] {
    const { address } = this.#destination.remote;
    return this.#flow === null ? [address] : [address, this.#flow.remote.address];
  }

  get isOverUdp(): boolean {
    return (this.#flow ?? this.#destination).protocol === 'udp';
  }

  get connectionId(): number | null {
    return this.#flow?.connectionId ?? null;
  }

  /** The peer has opened another connection and closed or lost the earlier one. */
  heardOn(flow: Flow): void {
    const before = this.#flow;
    if (before && before.protocol === flow.protocol && before.remote.address === flow.remote.address) this.#flow = flow;
  }

  get peer(): Peer {
    return this.#peer;
  }

  update(dialog: Dialog): void {
    this.#dialog = dialog;
    this.#changed();
  }

  /**
   * Sends in a client transaction. `done` is called once, with the final response or the failure; a repeated 2xx is
   * only acknowledged.
   */
  send(method: string, { headers, body, done }: OutgoingRequest): void {
    this.#attempt(method, headers, body, done, 0);
  }

  #attempt(
    method: string,
    headers: Header[],
    body: Buffer | undefined,
    done: (outcome: RequestOutcome) => void,
    tries: number,
  ): void {
    const made = requestIn(this.#dialog, method, headers, body);
    this.#dialog = made.dialog;
    this.#changed();
    const request = { ...made.request, headers: [...made.request.headers, ...this.#digest.authorize(made.request)] };
    const guarded = (outcome: RequestOutcome) => this.#core.guard(this.#owner, () => done(outcome));
    this.#at(made.nextHop, (destination) => {
      if (!destination) {
        guarded({ type: 'failed', cause: 'transport' });
        return;
      }
      let finished = false;
      const transaction = this.#core.layer.request(
        request,
        destination,
        {
          response: (response) => {
            const { status } = response.message;
            if (status < 200) return;
            if (finished) {
              this.reacknowledge(response);
              return;
            }
            finished = true;
            const challenged = (status === 401 || status === 407) && tries < MAX_CHALLENGES;
            if (challenged && this.#digest.challenged(response.message, tries === 0, tries === 1)) {
              this.#core.guard(this.#owner, () => this.#attempt(method, headers, body, done, tries + 1));
            } else guarded({ type: 'response', response, sent: request });
          },
          failed: (cause) => {
            if (!finished) guarded({ type: 'failed', cause });
            finished = true;
          },
        },
        { allowTcp: this.#peer.allowTcp },
      );
      if (method === 'INVITE') this.#invite = transaction;
    });
  }

  /** The call is ending: a re-INVITE that the peer never answers must not stay. */
  giveUpInvite(): void {
    this.#invite?.giveUp();
    this.#invite = null;
  }

  /** ACK of a 2xx (RFC 3261 13.2.2.4), with the credentials of its INVITE. */
  acknowledge(invite: SipRequest): void {
    const number = Number.parseInt(header(invite, 'cseq') ?? '0', 10);
    const credentials = invite.headers.filter(({ name }) => name === 'authorization' || name === 'proxy-authorization');
    const made = requestIn(this.#dialog, 'ACK', credentials, Buffer.alloc(0), number);
    this.#at(made.nextHop, (destination) => {
      if (!destination) return;
      this.#lastAck = { number, request: this.#core.layer.sendAck(made.request, destination), destination };
    });
  }

  /** Repeats the ACK when its 2xx is repeated. */
  reacknowledge(response: IncomingResponse): void {
    const ack = this.#lastAck;
    if (ack && ack.number === response.parts.cseq.number && response.message.status < 300) {
      this.#core.layer.sendRaw(ack.request, ack.destination);
    }
  }

  /** Resolves the next hop, synchronously if it is an address. */
  #at(nextHop: string, go: (destination: Destination | null) => void): void {
    const found = this.#core.locate(nextHop, this.#flow, this.#peer.viaFlow);
    const take = (destinations: Destination[]) => {
      const [first] = destinations;
      if (first) this.#destination = certifiedAs(first, this.#serverName);
      go(first ? this.#destination : null);
    };
    if (!(found instanceof Promise)) {
      take(found);
      return;
    }
    found.then(
      (destinations) => this.#core.guard(this.#owner, () => take(destinations)),
      () => this.#core.guard(this.#owner, () => take([])),
    );
  }

  /** Resolves the next hop early, so that the stored dialog contains it. */
  locateNextHop(): void {
    this.#at(routeOf(this.#dialog.routeSet, this.#dialog.remoteTarget).nextHop, () => this.#changed());
  }
}
