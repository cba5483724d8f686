// All calls of this engine: gives each INVITE, API request and claimed campaign attempt a conductor, and ends
// everything in order when the process must stop.

import type { CallControl, ControlAnswer } from '../db/domain/call-control.ts';
import type { EndReason } from '../db/domain/call-ends.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { isPassingFault } from '../db/faults/faults.ts';
import { isEndAsked } from '../db/queries/engine/engine-requests.ts';
import { type ClaimedRequest, GIVEN_EXPIRES_MS } from '../db/rules/engine-claims.ts';
import { type DialObstacle, dialObstacle } from '../db/rules/may-call.ts';
import { type CallSetup, readOpenCall } from '../db/rules/routing.ts';
import type { Db } from '../db/schema.ts';
import { newId } from '../db/shared/id.ts';
import type { RequestTaker } from './api-requests.ts';
import { Conductor } from './call/conductor.ts';
import type { CallInfo, CallMedium, ConductorDeps } from './call/context.ts';
import type { Continuation, HandOverMoment, TakenCall } from './call/going-on/continuation.ts';
import { type MovedAudio, type MovedPerson, openMovedAudio } from './call/going-on/moved.ts';
import { isRinging, type TakenRinging } from './call/going-on/ringing.ts';
import { type LookedUp, lookUp } from './call/look-up.ts';
import { openMovedPerson } from './call/persons/moved-person.ts';
import { failClaimed } from './campaign/dialler.ts';
import { sleep } from './clock.ts';
import type { Place, Places } from './cluster/places.ts';
import type { ToolRun } from './dialogue/tool-runs.ts';
import { inboundRouteOf } from './inbound-route.ts';
import type { Admission } from './load/admission.ts';
import type { RunningCalls } from './running-calls.ts';
import type { Shards } from './shard/shards.ts';
import type { InboundLeg, InviteRefusal, Obstacle, RefusedInvite } from './sip/telephony.ts';
import type { Metrics } from './sync/metrics.ts';
import type { ReadInvite } from './sync/read-invites.ts';

const RETRY_AFTER_SECONDS = 10;
/** A placed call waits so long for a place, and looks so often. */
const PLACE_AWAITED_MS = 10_000;
const PLACE_EVERY_MS = 250;

/** Status by refusal; others get 480. */
const NOT_FOUND_STATUS: Partial<Record<InviteRefusal, number>> = { unknown_number: 404, softphone_may_not_call: 403 };

type DialogueOfCall = 'dialogue' | 'breakers' | 'speechToSpeech';

export interface SwitchboardOptions extends Omit<ConductorDeps, DialogueOfCall> {
  /** The models that answer a call that begins now, which the call keeps. */
  dialogueOfCall(): Pick<ConductorDeps, DialogueOfCall>;
  read: Db;
  engineId: string;
  /** The calls to which it gives their conductors. */
  running: RunningCalls;
  admission: Admission;
  /** It has not answered for some seconds. */
  isDatabaseAway(): boolean;
  /** Of all engines: a call that has no engine yet may be given to another one. */
  places: Pick<Places, 'take'>;
  metrics: Metrics;
  /** The trunk a call was placed on, then its backup; empty once the trunk is gone. */
  routeOf(trunkId: string | null): string[];
  /** Takes a token from the trunk's calls-per-second budget, shared with campaigns. Returns the wait for it, in ms. */
  paceOf(trunkId: string): number;
  /** An INVITE of a trunk was read. */
  onRead(read: ReadInvite): void;
  /** Calls of tests, which take nobody's place; absent: there are none. */
  tests?: { takes(leg: InboundLeg): boolean };
  /** An INVITE did not become a call. */
  onRefused(refused: RefusedInvite): void;
}

const NO_SHARDS: Shards = { open: () => undefined, send: () => false };
/** Nothing that is asked of it is done, or answered. */
const NO_WRITER: ConductorDeps['writer'] = {
  run: () => new Promise(() => undefined),
  runDurably: () => new Promise(() => undefined),
  runWithin: () => new Promise(() => undefined),
  keepsOrder: true,
};

/** A call that is about to begin and has its place. */
interface NewCall {
  call: CallInfo;
  setup: CallSetup;
  medium: CallMedium;
  /** The question to its business's own system. */
  run?: ToolRun | null;
  /** The audio is open, or will never be. */
  onOpened?: () => void;
  /** Wait imposed by the trunk's pace. */
  delayMs?: number;
}

export class Switchboard implements RequestTaker {
  readonly #options: SwitchboardOptions;
  readonly #running: RunningCalls;
  /** Calls waiting for their trunk's pace, not dialled yet: no other process can go on with them. */
  readonly #delayed = new Map<string, { conductor: Conductor; cancel: () => void }>();
  #isDraining = false;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#running = options.running;
    options.telephony.setAdmission(() => this.#barrier() ?? (options.admission.isOpen('inbound') ? null : 'capacity'));
    options.telephony.onInvite((leg) => {
      this.#takeInvite(leg).catch((error: unknown) => {
        options.log.error({ error: messageOf(error) }, 'could not route an INVITE');
        if (isPassingFault(error)) leg.reject(503, { retryAfterSeconds: RETRY_AFTER_SECONDS });
        else leg.reject(500);
      });
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The ports of a call that begins now, for a test's call beside them. */
  depsOfCall(): ConductorDeps {
    return this.#deps();
  }

  control(callId: string, control: CallControl): Promise<ControlAnswer> {
    const conductor = this.#running.get(callId);
    return conductor?.controls.apply(control) ?? Promise.resolve({ refused: 'CALL_ENDED' });
  }

  endCall(callId: string): void {
    this.#running.get(callId)?.requestEnd();
  }

  /** Accepts no new calls; resolves when the last one has ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#options.telephony.drain();
    for (const { conductor, cancel } of [...this.#delayed.values()]) {
      cancel();
      conductor.shutdown();
    }
    await this.#running.allEnded();
  }

  /** How many calls are at which moment. */
  handOverMoments(): Record<HandOverMoment, number> {
    const moments = { good: 0, hearing: 0, busy: 0, never: this.#delayed.size };
    for (const conductor of this.#running.conductors) moments[conductor.handOverMoment]++;
    return moments;
  }

  /** Another process has the calls. */
  leave(): void {
    this.#isDraining = true;
    for (const conductor of this.#running.conductors) conductor.leave();
  }

  /** Ends every call now (`endReason: shutdown`). */
  shutdown(): void {
    for (const conductor of this.#running.conductors) conductor.shutdown();
  }

  /** Without the database nobody knows whose number is called: the caller's side tries elsewhere at once. */
  #barrier(): Obstacle | null {
    if (this.#isDraining) return 'stopping';
    return this.#options.isDatabaseAway() ? 'database' : null;
  }

  async #takeInvite(leg: InboundLeg): Promise<void> {
    if (this.#options.tests?.takes(leg)) return;
    const { admission, log } = this.#options;
    const obstacle = this.#barrier() ?? (admission.admit('inbound') ? null : 'capacity');
    if (obstacle !== null) {
      this.#options.metrics.refused();
      return this.#refuseInvite(leg, 503, obstacle);
    }
    let isTaken = false;
    try {
      const { route, parties, reading } = await inboundRouteOf(leg, this.#options);
      if (reading !== null) this.#options.onRead(reading);
      if (!route.found) return this.#refuseInvite(leg, NOT_FOUND_STATUS[route.reason] ?? 480, route.reason);
      const call: CallInfo = {
        id: newId('call'),
        accountId: route.accountId,
        phoneNumberId: route.number?.id ?? null,
        contactId: null,
        fromNumber: parties.caller.number,
        toNumber: route.number?.phoneNumber ?? parties.called,
        forwardedFrom: parties.divertedFrom.at(-1) ?? null,
        callerName: parties.caller.name,
        variables: '{}',
        trunkId: leg.trunkId,
        ...(route.target === null ? {} : { putThroughTo: route.target }),
      };
      log.info({ callId: call.id, sipCallId: leg.sipCallId, campaignId: route.setup.campaign.id }, 'call comes in');
      if (route.setup.business.lookup !== null) leg.ring();
      const looked = await lookUp({ call, setup: route.setup, kind: 'inbound' }, this.#options);
      if (looked.refusal !== null) return this.#refuseInvite(leg, 603, 'look_up');
      isTaken = true;
      this.#conduct({ ...looked, medium: { kind: 'inbound', leg, sipAccountId: leg.sipAccountId } });
    } finally {
      if (!isTaken) admission.release();
    }
  }

  #refuseInvite(leg: InboundLeg, sipStatus: number, reason: InviteRefusal): void {
    const { called: calledNumber, trunkId, remoteAddress: sourceAddress } = leg;
    const callerNumber = leg.caller.number;
    this.#options.onRefused({ calledNumber, callerNumber, sourceAddress, trunkId, sipStatus, reason });
    leg.reject(sipStatus, sipStatus === 503 ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {});
  }

  async beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean | 'given'> {
    const { read, admission, places, engineId } = this.#options;
    const open = await readOpenCall(read, request.callId ?? '');
    if (!open) return false;
    const { call } = open;
    const isChosenHere = request.kind === 'dial' && request.target === null;
    const kind = call.contactId === null ? 'api' : 'campaign';
    const own = (): Place | null => (admission.admit(kind) ? { engineId, isOwn: true } : null);
    const take = isChosenHere ? () => places.take('api') : own;
    const place = request.kind === 'dial' ? await this.#awaitPlace(take, call.id) : take();
    if (place === null) {
      await this.#refuse(call.id, (await isEndAsked(read, { callId: call.id })) ? 'api' : 'capacity');
      return true;
    }
    if (!place.isOwn) return (await this.#give(request, call, place.engineId)) ? 'given' : true;
    try {
      return await this.#begin(open, request, payload);
    } catch (error) {
      // On any failure, release the place and close the row: a call without a conductor would stay open.
      admission.release();
      await this.#refuse(call.id, 'crash');
      throw error;
    }
  }

  /**
   * A place as soon as there is one, for a call that a client has been told of: the figures of other engines, by which
   * it came here, are a second old, and calls end all the time. Null: there was none for a while, or nobody wants it.
   */
  async #awaitPlace(take: () => Place | null, callId: string): Promise<Place | null> {
    const { clock, read } = this.#options;
    const untilMs = clock.monotonicMs() + PLACE_AWAITED_MS;
    for (;;) {
      const place = take();
      if (place !== null || this.#isDraining || clock.monotonicMs() >= untilMs) return place;
      await sleep(clock, PLACE_EVERY_MS);
      if (await isEndAsked(read, { callId })) return null;
    }
  }

  /** Starts a call that has its place. */
  async #begin(
    open: { call: CallInfo; setup: CallSetup },
    request: Pick<ClaimedRequest, 'kind' | 'target'>,
    payload: Record<string, unknown>,
  ): Promise<boolean> {
    const { admission, routeOf, paceOf } = this.#options;
    const looked = await this.#lookUpPlaced(open, request.kind === 'web-call' ? 'web' : 'outbound');
    const { call } = looked;
    if (looked.refusal !== null) {
      admission.release();
      await this.#refuse(call.id, 'api');
      return true;
    }
    if (request.kind === 'web-call') {
      // The API answers its client only once the socket is ready, so a browser can join at once.
      const medium: CallMedium = { kind: 'web', token: String(payload.tokenHash ?? '') };
      await new Promise<void>((onOpened) => this.#conduct({ ...looked, medium, onOpened }));
      return true;
    }
    const trunkIds = routeOf(call.trunkId);
    const [first] = trunkIds;
    if (first === undefined) {
      admission.release();
      await this.#refuse(call.id, 'no_trunk');
      return true;
    }
    const medium: CallMedium = { kind: 'outbound', trunkIds, detectMachines: payload.detectMachines !== false };
    // The engine that gave the call to this one has waited for the trunk's pace.
    this.#conduct({ ...looked, medium, delayMs: request.target === null ? paceOf(first) : 0 });
    return true;
  }

  /** A call that has its row, which gets what the look-up says. */
  async #lookUpPlaced(open: { call: CallInfo; setup: CallSetup }, kind: CallMedium['kind']): Promise<LookedUp> {
    const looked = await lookUp({ ...open, kind }, this.#options);
    const { call, setup } = looked;
    if (looked.run !== null && looked.refusal === null) {
      const change = { callId: call.id, variables: call.variables, agentId: setup.agent.id };
      await this.#options.writer.run('changeCall', change);
    }
    return looked;
  }

  /** Gives a call to another engine once its trunk's pace allows it. False: it was closed without being dialled. */
  async #give({ id }: ClaimedRequest, call: CallInfo, engineId: string): Promise<boolean> {
    const { read, writer, clock, log, routeOf, paceOf } = this.#options;
    const [first] = routeOf(call.trunkId);
    if (first === undefined) {
      await this.#refuse(call.id, 'no_trunk');
      return false;
    }
    const delayMs = paceOf(first);
    if (delayMs > 0) {
      await sleep(clock, delayMs);
      const obstacle = this.#isDraining ? 'shutdown' : await dialObstacle(read, call);
      if (obstacle !== null) {
        await this.#refuse(call.id, obstacle);
        return false;
      }
    }
    const expiresAt = clock.nowMs() + GIVEN_EXPIRES_MS;
    await writer.runDurably('giveRequest', { id, callId: call.id, engineId, expiresAt });
    log.info({ callId: call.id, engine: engineId }, 'call given to another engine');
    return true;
  }

  /** Dials a campaign's claimed call, which has its place. False: it was closed without being dialled. */
  async dialClaimed(callId: string): Promise<boolean> {
    const { read, admission, routeOf, clock } = this.#options;
    const open = await readOpenCall(read, callId);
    const trunkIds = open === null ? [] : routeOf(open.call.trunkId);
    const looked = open === null ? null : await this.#lookUpPlaced(open, 'outbound');
    if (looked === null || looked.refusal !== null || trunkIds.length === 0 || this.#isDraining) {
      admission.release();
      const contactId = open?.call.contactId ?? null;
      const isRefused = typeof looked?.refusal === 'string';
      const endReason = this.#isDraining ? 'shutdown' : isRefused ? 'api' : 'no_trunk';
      if (contactId !== null) {
        await failClaimed(this.#options, { callId, contactId, endReason, nowMs: clock.nowMs() });
      }
      return false;
    }
    this.#conduct({ ...looked, medium: { kind: 'outbound', trunkIds, detectMachines: true } });
    return true;
  }

  /** Goes on with a call of a process that has died. */
  resume(taken: TakenCall | TakenRinging, setup: CallSetup): void {
    const { call, medium } = taken.from;
    this.#options.admission.adopt();
    const conductor = this.#conductor({ call, setup, medium });
    if (isRinging(taken)) conductor.resumeRinging(taken);
    else conductor.resume(taken);
  }

  /** Binds a port for a call of another machine, before its peer is told of it; `resume` goes on with the call. */
  openMoved(of: Pick<TakenCall, 'from' | 'pulse'>, setup: CallSetup): Promise<MovedAudio> {
    const { call, medium } = of.from;
    const { engineId } = this.#options;
    return openMovedAudio(this.#deps(), { call, setup, medium, engineId, onEnded: () => undefined }, of);
  }

  /** The same for the person who talks to its caller; after it, since they share a shard. */
  openMovedPerson({ call }: Continuation, person: MovedPerson, setup: CallSetup): Promise<MovedAudio> {
    return openMovedPerson(this.#deps(), { call, setup }, person);
  }

  /** The same without a line, a place or a trace, while another process still has the call. */
  rehearse(taken: TakenCall, setup: CallSetup): void {
    const { call, medium } = taken.from;
    const { engineId, log, metrics } = this.#options;
    const unheard = { metrics: { ...metrics, resumed: () => undefined }, log: log.child({}, { level: 'silent' }) };
    const deps = { ...this.#deps(), shards: NO_SHARDS, writer: NO_WRITER, ...unheard };
    const { journal: _, ...alone } = deps;
    const conductor = new Conductor(alone, { call, setup, medium, engineId, onEnded: () => undefined });
    conductor.resume(taken);
    conductor.leave();
  }

  #conduct({ delayMs = 0, ...of }: NewCall): void {
    const conductor = this.#conductor(of);
    if (delayMs === 0) return conductor.start();
    const { call } = of;
    const cancel = this.#options.clock.after(delayMs, () => void this.#startDelayed(conductor, call));
    this.#delayed.set(call.id, { conductor, cancel });
  }

  #deps(): ConductorDeps {
    const options = this.#options;
    return {
      ...options,
      ...options.dialogueOfCall(),
      // Each of the call's legs that is opened later has the recogniser of that time.
      get recogniser() {
        return options.recogniser;
      },
    };
  }

  #conductor({ call, setup, medium, run = null, onOpened }: Omit<NewCall, 'delayMs'>): Conductor {
    const { engineId, admission } = this.#options;
    const conductor = new Conductor(this.#deps(), {
      call,
      setup,
      medium,
      engineId,
      ...(run === null ? {} : { lookUp: run }),
      ...(onOpened ? { onOpened } : {}),
      onEnded: (terminal, recordingClosed) => {
        onOpened?.();
        this.#running.remove(call.id);
        this.#options.listeners?.ended(call.id);
        this.#delayed.get(call.id)?.cancel();
        this.#delayed.delete(call.id);
        admission.release();
        const isOutbound = medium.kind === 'outbound';
        const isRecorded = terminal.recordingPath === undefined ? recordingClosed : Promise.resolve();
        const { id: callId, accountId, trunkId } = call;
        this.#running.tellEnded({ callId, accountId, trunkId, isOutbound, terminal }, isRecorded);
      },
    });
    this.#running.add(call.id, conductor);
    return conductor;
  }

  /** The trunk's pace now allows the call. Checks again that it may be dialled. */
  async #startDelayed(conductor: Conductor, call: CallInfo): Promise<void> {
    const { read, log } = this.#options;
    let obstacle: DialObstacle | null = null;
    try {
      obstacle = await dialObstacle(read, call);
    } catch (error) {
      log.error({ callId: call.id, error: messageOf(error) }, 'could not check a call again, so it is not dialled');
      return conductor.shutdown();
    } finally {
      this.#delayed.delete(call.id);
    }
    if (this.#isDraining) conductor.shutdown();
    else if (obstacle !== null) conductor.withdraw(obstacle);
    else conductor.start();
  }

  async #refuse(callId: string, endReason: EndReason): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    await this.#options.writer.runDurably('endUndialledCall', { callId, endReason, nowMs });
  }
}
