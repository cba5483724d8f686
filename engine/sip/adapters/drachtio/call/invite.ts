// One INVITE to one destination. drachtio answers digest challenges and sends the ACK; this file handles early media
// and the race of CANCEL with the answer.

import { messageOf } from '../../../../../db/domain/unexpected.ts';
import { hostPort } from '../../../../../db/shared/net/url-host.ts';
import type { AttemptFailure, AttemptRoute } from '../../../dialog/dial-route.ts';
import { offerTimer } from '../../../dialog/session-timer.ts';
import { newTag } from '../../../stack/transaction/transaction-layer.ts';
import { parseNameAddr, tagOf, writeNameAddr } from '../../../stack/wire/header.ts';
import { type Header, headerValues } from '../../../stack/wire/message.ts';
import { ALLOW_HEADER, readReason, SUPPORTED_HEADER } from '../../../stack/wire/responses.ts';
import type { NegotiatedAudio, StoredDialog } from '../../../telephony.ts';
import type { LegMedia } from '../media/leg-media.ts';
import {
  type DrachtioDialog,
  type DrachtioRequest,
  type DrachtioResponse,
  refusalOf,
  type UacProgress,
} from '../signalling/drachtio.ts';
import { flowOf, madeUp, readResponse, writeHeaders } from '../signalling/raw-message.ts';
import { proxyUri } from '../signalling/request-layer.ts';
import { answerEarlyUpdate, type EarlyUpdate, tagsOf } from './early-updates.ts';
import type { LegDeps } from './leg-deps.ts';
import { type OpenDialog, openDialog } from './peer-requests.ts';
import { confirmedDialog } from './stored-dialog.ts';

interface InviteUser {
  /** Awaited before the INVITE leaves. */
  durable(dialog: StoredDialog): Promise<void>;
  /** The INVITE was sent, or sent again with a digest. */
  stored(dialog: StoredDialog): void;
  ringing(status: number, early: NegotiatedAudio | null): void;
  answered(open: OpenDialog, audio: NegotiatedAudio): void;
  failed(failure: AttemptFailure): void;
  /** Our own media failed: no other trunk would help, and none is to blame. */
  mediaFailed(reason: string): void;
}

export class Invite {
  readonly #deps: LegDeps;
  readonly #route: AttemptRoute;
  readonly #callId: string;
  readonly #media: LegMedia;
  readonly #user: InviteUser;
  readonly #tag = newTag();
  #request: DrachtioRequest | null = null;
  #provisional = false;
  #cancelled: readonly Header[] | null = null;
  /** The callee has picked up. Until `answered` hands it over, every way out of here ends it. */
  #dialog: DrachtioDialog | null = null;
  #isHungUp = false;
  #transactionId: string | undefined;
  /** Tags of those who have answered our offer while they ring. */
  readonly #toned = new Set<string>();
  /** Of those, who has moved its audio since: a copy of its first answer is no news. */
  readonly #moved = new Map<string, NegotiatedAudio>();
  /** Responses are handled one after the other, since a 200 may arrive while its 183 is still being handled. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(deps: LegDeps, route: AttemptRoute, callId: string, media: LegMedia, user: InviteUser) {
    this.#deps = deps;
    this.#route = route;
    this.#callId = callId;
    this.#media = media;
    this.#user = user;
  }

  start(): void {
    this.#run().catch((error: unknown) => this.#fail(error));
  }

  /** No callback follows. */
  cancel(headers: readonly Header[]): void {
    this.#cancelled = headers;
    if (this.#dialog === null) this.#request?.cancel({ headers: writeHeaders(headers) }, () => {});
    else this.#hangUp(this.#dialog, headers);
  }

  /** The dialog that is left to end once the connection to drachtio is back; null if no INVITE has left. */
  get pending(): StoredDialog | null {
    const dialog = this.#dialog;
    if (dialog !== null) return this.#confirmed(dialog);
    const transactionId = this.#transactionId;
    return transactionId === undefined ? null : { ...this.#stored(), transactionId };
  }

  async #run(): Promise<void> {
    try {
      await this.#user.durable(this.#stored());
    } catch (error) {
      return this.#failed({ cause: 'not-stored', reason: messageOf(error) });
    }
    if (this.#cancelled) return;
    let localSdp: string;
    try {
      localSdp = await this.#media.offer();
    } catch (error) {
      return this.#mediaFailed(error);
    }
    if (this.#cancelled) return;
    const { peer, requestUri, destination } = this.#route;
    const options = {
      localSdp,
      headers: this.#headers(),
      proxy: proxyUri(destination),
      ...(peer.credentials === null ? {} : { auth: peer.credentials }),
    };
    const progress: UacProgress = {
      cbRequest: (error, request) => {
        if (!error) this.#sent(request);
      },
      cbProvisional: (response) => this.#progress(response),
    };
    const open = await openDialog((done) => this.#deps.drachtio.createUAC(requestUri, options, progress, done));
    this.#dialog = open.dialog;
    try {
      await this.#take(open);
    } catch (error) {
      this.#hangUp(open.dialog);
      this.#mediaFailed(error);
    }
  }

  async #take(open: OpenDialog): Promise<void> {
    const { dialog } = open;
    await this.#order;
    if (this.#cancelled) return this.#hangUp(dialog, this.#cancelled);
    // Not `remote.sdp`: an offer may have replaced it.
    const audio = this.#moved.get(dialog.sip.remoteTag) ?? (await this.#media.accept(dialog.res.body));
    if (this.#cancelled) return;
    if (audio !== null) return this.#user.answered(open, audio);
    this.#hangUp(dialog);
    this.#failed({ cause: 'refused', status: 488, reason: 'no common codec' });
  }

  #hangUp(dialog: DrachtioDialog, headers: readonly Header[] = []): void {
    if (this.#isHungUp || !dialog.connected) return;
    this.#isHungUp = true;
    dialog.destroy({ headers: writeHeaders(headers) }).catch(() => {});
  }

  #confirmed(dialog: DrachtioDialog): StoredDialog {
    const { trunkId } = this.#route.peer;
    return confirmedDialog(dialog, 'uac', readResponse(dialog.res), flowOf(dialog.res), trunkId);
  }

  #headers() {
    const { from, to, headers, routes } = this.#route;
    return writeHeaders([
      { name: 'From', value: `${writeNameAddr({ ...from, params: [] })};tag=${this.#tag}` },
      { name: 'To', value: writeNameAddr(to) },
      { name: 'Call-ID', value: this.#callId },
      ...routes.map((value) => ({ name: 'Route', value })),
      ...headers,
      ...offerTimer(null, 0),
      ALLOW_HEADER,
      SUPPORTED_HEADER,
    ]);
  }

  #sent(request: DrachtioRequest): void {
    this.#request = request;
    this.#transactionId = request.stackTxnId;
    // drachtio-srf sets a listener of its own next, which repeats the offer of the INVITE.
    queueMicrotask(() => {
      request.removeAllListeners('update');
      request.on('update', (update, response) => this.#update({ request: update, response }));
    });
    if (this.#cancelled) return this.cancel(this.#cancelled);
    this.#user.stored({ ...this.#stored(), transactionId: request.stackTxnId });
  }

  #progress(response: DrachtioResponse): void {
    this.#provisional = true;
    const { status, body } = response;
    if (status < 180) return;
    this.#order = this.#order.then(async () => {
      const tag = toTagOf(response);
      const early = body === '' || this.#moved.has(tag) ? null : await this.#media.accept(body).catch(() => null);
      if (early !== null) this.#toned.add(tag);
      if (!this.#cancelled) this.#user.ringing(status, early);
    });
  }

  /** The callee moves its audio while it rings: from a tone to the telephone that the call is forwarded to. */
  #update(update: EarlyUpdate): void {
    const { from, to } = tagsOf(update);
    if (to !== this.#tag || this.#dialog !== null) return update.response.send(481);
    const contact = this.#request?.get('contact') ?? '';
    this.#order = this.#order
      .then(async () => {
        const media = this.#toned.has(from) ? this.#media : null;
        const audio = await answerEarlyUpdate(update, { media, pending: 491, contact });
        if (audio === null || this.#cancelled) return;
        this.#moved.set(from, audio);
        this.#user.ringing(183, audio);
      })
      .catch((error: unknown) => {
        this.#deps.log.warn({ sipCallId: this.#callId, error: messageOf(error) }, 'could not answer an UPDATE');
        if (!update.response.finalResponseSent) update.response.send(500);
      });
  }

  #fail(error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal === null) return this.#failed({ cause: 'transport', reason: messageOf(error) });
    const { status, response } = refusal;
    const message = response && readResponse(response);
    const { cause: q850Cause, text } = readReason(message ? headerValues(message, 'reason') : []);
    const ofPeer = message !== null && headerValues(message, 'via').length > 0;
    const { cause, reason } = ofPeer ? { cause: 'refused' as const, reason: message.reason } : madeUp(status);
    this.#failed({
      cause,
      status: ofPeer ? status : null,
      q850Cause,
      reason: text ?? reason,
      response: message,
    });
  }

  #mediaFailed(error: unknown): void {
    if (!this.#cancelled) this.#user.mediaFailed(messageOf(error));
  }

  #failed(failure: Pick<AttemptFailure, 'cause' | 'reason'> & Partial<AttemptFailure>): void {
    if (this.#cancelled) return;
    const rest = { status: null, q850Cause: null, response: null, provisional: this.#provisional, lastCSeq: 0 };
    this.#user.failed({ ...rest, ...failure });
  }

  /** The dialog as far as it is known before the INVITE leaves. */
  #stored(): StoredDialog {
    const { from, to, requestUri, destination, peer, routes } = this.#route;
    const { address, port } = destination.remote;
    return {
      state: 'inviting',
      role: 'uac',
      transport: destination.protocol,
      nextHop: hostPort(address, port),
      callId: this.#callId,
      localUri: writeNameAddr({ ...from, params: [] }),
      localTag: this.#tag,
      remoteUri: writeNameAddr(to),
      remoteTag: null,
      remoteTarget: requestUri,
      routeSet: [...routes],
      localCSeq: 1,
      inviteVia: null,
      trunkId: peer.trunkId,
    };
  }
}

function toTagOf(response: DrachtioResponse): string {
  const to = parseNameAddr(response.get('to') ?? '');
  return (to && tagOf(to)) ?? '';
}
