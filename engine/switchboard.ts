// All calls of this engine: takes INVITEs to the business they are for, carries out what the API asks (dial, end, browser
// call, voice preview), and ends everything in order when the process must stop.

import type { ClaimedRequest } from '../db/queries/engine-claims.ts';
import { readOpenCall, routeInbound } from '../db/queries/routing.ts';
import { newId } from '../db/shared/id.ts';
import type { Db } from '../db/sqlite.ts';
import type { Admission } from './admission.ts';
import type { CallInfo, CallMedium, ConductorDeps } from './call/call-context.ts';
import { Conductor } from './call/conductor.ts';
import { type EndedCall, failClaimed } from './campaign/dialler.ts';
import type { Metrics } from './metrics.ts';
import type { InboundLeg } from './sip/telephony.ts';

/** Requests taken at a time; what remains is taken at once afterwards. */
const CLAIM_LIMIT = 50;
const RETRY_AFTER_SECONDS = 10;
const RING_TIMEOUT_MS = 45_000;

export interface SwitchboardOptions extends ConductorDeps {
  engineId: string;
  admission: Admission;
  metrics: Metrics;
  renderPreview(payload: { voiceId: string; path: string }): Promise<void>;
  /** Tokens of the trunks' calls per second, which single calls and campaigns share. */
  paceOf(trunkId: string): number;
  /** Told when a call has ended and its place is free again. */
  onCallEnded(ended: EndedCall): void;
}

export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #calls = new Map<string, Conductor>();
  #isDraining = false;
  #claiming: Promise<void> | null = null;
  #claimAgain = false;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    options.telephony.setAdmission(() => !this.#isDraining && options.admission.active < options.admission.maxCalls);
    options.telephony.onInvite((leg) => {
      this.#takeInvite(leg).catch((error: unknown) => {
        options.log.error({ error: messageOf(error) }, 'INVITE not routed');
        leg.reject(500);
      });
    });
  }

  get activeCalls(): number {
    return this.#calls.size;
  }

  activeByDirection(): { inbound: number; outbound: number; browser: number } {
    const active = { inbound: 0, outbound: 0, browser: 0 };
    for (const { kind } of this.#calls.values()) active[kind === 'web' ? 'browser' : kind]++;
    return active;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Looks for requests of the API; cheap when there are none. Called at each change of the database. */
  async takeRequests(): Promise<void> {
    if (this.#claiming) {
      this.#claimAgain = true;
      return this.#claiming;
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  /** No new calls from here on; resolves when the last one has ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#options.telephony.drain();
    while (this.#calls.size > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** Ends every call now (`endReason: shutdown`). */
  shutdown(): void {
    for (const conductor of this.#calls.values()) conductor.shutdown();
  }

  async #takeInvite(leg: InboundLeg): Promise<void> {
    const { admission, read, log, engineId } = this.#options;
    if (this.#isDraining || !admission.admit('inbound')) {
      this.#options.metrics.refused();
      return leg.reject(503, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    let isTaken = false;
    try {
      const route = await routeInbound(read, leg.called);
      if (!route.found) {
        log.info({ sipCallId: leg.sipCallId, reason: route.reason }, 'INVITE refused');
        return leg.reject(route.reason === 'unknown-number' ? 404 : 480);
      }
      const call: CallInfo = {
        id: newId('call'),
        accountId: route.number.accountId,
        phoneNumberId: route.number.id,
        contactId: null,
        fromNumber: leg.caller.number,
        toNumber: route.number.phoneNumber,
        callerName: leg.caller.name,
        trunkId: leg.trunkId,
      };
      log.info({ callId: call.id, sipCallId: leg.sipCallId, campaignId: route.setup.campaign.id }, 'call comes in');
      isTaken = true;
      this.#conduct(call, route.setup, { kind: 'inbound', leg }, engineId);
    } finally {
      if (!isTaken) admission.release();
    }
  }

  async #claim(): Promise<void> {
    const { writer, read, engineId, now } = this.#options;
    do {
      this.#claimAgain = false;
      const waiting = await countOpenRequests(read);
      if (waiting === 0) continue;
      // A draining engine carries out the ends that are asked for; what it must not dial expires, or is taken by the next.
      const requests = await writer.run('claimRequests', {
        engineId,
        nowMs: now(),
        limit: CLAIM_LIMIT,
        ...(this.#isDraining ? { kinds: ['end-call'] } : {}),
      });
      for (const request of requests) await this.#carryOut(request);
      if (requests.length === CLAIM_LIMIT) this.#claimAgain = true;
    } while (this.#claimAgain);
  }

  async #carryOut(request: ClaimedRequest): Promise<void> {
    const { log } = this.#options;
    try {
      await this.#perform(request);
    } catch (error) {
      log.error(
        { request: request.id, kind: request.kind, callId: request.callId, error: messageOf(error) },
        'request failed',
      );
      await this.#finish(request, { error: messageOf(error) });
    }
  }

  async #perform(request: ClaimedRequest): Promise<void> {
    const payload = JSON.parse(request.payload) as Record<string, unknown>;
    switch (request.kind) {
      case 'end-call': {
        this.#calls.get(request.callId ?? '')?.requestEnd();
        return this.#finish(request, { ok: true });
      }
      case 'voice-preview': {
        await this.#options.renderPreview({ voiceId: String(payload.voiceId), path: String(payload.path) });
        return this.#finish(request, { ok: true });
      }
      case 'dial':
      case 'web-call': {
        const taken = await this.#beginRequested(request, payload);
        return this.#finish(request, taken ? { ok: true } : { error: 'call has ended' });
      }
      case 'model-download':
        return this.#finish(request, { error: 'there is nothing to download in this release' });
    }
  }

  /** A call whose row the API wrote: dialled, or waiting for its browser. */
  async #beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean> {
    const { read, admission, engineId, trunksFor, paceOf } = this.#options;
    const open = await readOpenCall(read, request.callId ?? '');
    if (!open) return false;
    const { call, setup } = open;
    if (!admission.admit(call.contactId === null ? 'api' : 'campaign')) {
      await this.#refuse(call.id, 'capacity');
      return true;
    }
    if (request.kind === 'web-call') {
      // The API answers its client once the door is open: a browser that joins at once finds it so.
      await new Promise<void>((opened) => {
        this.#conduct(call, setup, { kind: 'web', token: String(payload.tokenHash ?? '') }, engineId, opened);
      });
      return true;
    }
    const trunkIds = await trunksFor(call.phoneNumberId);
    if (trunkIds.length === 0) {
      admission.release();
      await this.#refuse(call.id, 'no_trunk');
      return true;
    }
    const detectMachines = payload.detectMachines !== false;
    const pacedMs = paceOf(trunkIds[0] ?? '');
    this.#conduct(
      call,
      setup,
      { kind: 'outbound', trunkIds, ringTimeoutMs: RING_TIMEOUT_MS, detectMachines },
      engineId,
      undefined,
      pacedMs,
    );
    return true;
  }

  /** Dials a campaign's call, whose attempt is claimed and whose place is taken. False: it was closed undialled. */
  async dialClaimed(callId: string): Promise<boolean> {
    const { read, admission, engineId, trunksFor, now } = this.#options;
    const open = await readOpenCall(read, callId);
    const trunkIds = open === null ? [] : await trunksFor(open.call.phoneNumberId);
    if (open === null || trunkIds.length === 0 || this.#isDraining) {
      admission.release();
      const contactId = open?.call.contactId ?? null;
      const endReason = this.#isDraining ? 'shutdown' : 'no_trunk';
      if (contactId !== null) await failClaimed(this.#options, { callId, contactId, endReason, nowMs: now() });
      return false;
    }
    const medium: CallMedium = { kind: 'outbound', trunkIds, ringTimeoutMs: RING_TIMEOUT_MS, detectMachines: true };
    this.#conduct(open.call, open.setup, medium, engineId);
    return true;
  }

  #conduct(
    call: CallInfo,
    setup: ConstructorParameters<typeof Conductor>[1]['setup'],
    medium: CallMedium,
    engineId: string,
    opened?: () => void,
    delayMs = 0,
  ): void {
    const conductor = new Conductor(this.#options, {
      call,
      setup,
      medium,
      engineId,
      ...(opened ? { onOpened: opened } : {}),
      onEnded: (terminal) => {
        opened?.();
        this.#calls.delete(call.id);
        this.#options.admission.release();
        this.#options.onCallEnded({
          callId: call.id,
          trunkId: call.trunkId,
          isOutbound: medium.kind === 'outbound',
          terminal,
        });
      },
    });
    this.#calls.set(call.id, conductor);
    // One that has ended meanwhile is past its start.
    if (delayMs > 0) setTimeout(() => conductor.start(), delayMs);
    else conductor.start();
  }

  async #refuse(callId: string, endReason: string): Promise<void> {
    await this.#options.writer.runDurably('endUndialledCall', { callId, endReason, nowMs: this.#options.now() });
  }

  #finish(request: ClaimedRequest, result: unknown): Promise<void> {
    return this.#options.writer.run('finishRequest', { id: request.id, result, nowMs: this.#options.now() });
  }
}

async function countOpenRequests(read: Db): Promise<number> {
  const row = await read
    .selectFrom('engineRequests')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .executeTakeFirst();
  return row?.open ?? 0;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
