// All calls of this engine: gives each INVITE and placed call (placed-calls.ts) a conductor, and goes on with calls of
// a process that has died.

import type { CallControl, ControlAnswer } from '../../db/domain/calls/control.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { isPassingFault } from '../../db/faults/faults.ts';
import type { ClaimedRequest } from '../../db/rules/engine-claims.ts';
import { type DialObstacle, dialObstacle } from '../../db/rules/may-call.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import { newId } from '../../db/shared/id.ts';
import { Conductor } from '../call/conductor.ts';
import type { CallInfo, ConductorDeps } from '../call/context.ts';
import type { Continuation, HandOverMoment, TakenCall } from '../call/going-on/continuation.ts';
import { type MovedAudio, type MovedPerson, openMovedAudio } from '../call/going-on/moved.ts';
import { isRinging, type TakenRinging } from '../call/going-on/ringing.ts';
import { lookUp } from '../call/look-up.ts';
import { openMovedPerson } from '../call/persons/moved-person.ts';
import type { Shards } from '../shard/shards.ts';
import {
  type InboundLeg,
  type InviteRefusal,
  type Obstacle,
  RETRY_AFTER_SECONDS,
  type RefusedInvite,
} from '../sip/telephony.ts';
import type { Metrics } from '../sync/metrics.ts';
import type { ReadInvite } from '../sync/read-invites.ts';
import type { RequestTaker } from './api-requests.ts';
import { inboundRouteOf } from './inbound-route.ts';
import { type NewCall, PlacedCalls, type PlacedOptions } from './placed-calls.ts';
import type { RunningCalls } from './running-calls.ts';

/** Status by refusal; others get 480. */
const NOT_FOUND_STATUS: Partial<Record<InviteRefusal, number>> = { unknown_number: 404, softphone_may_not_call: 403 };

type DialogueOfCall = 'dialogue' | 'breakers' | 'speechToSpeech';

export interface SwitchboardOptions extends Omit<ConductorDeps, DialogueOfCall>, PlacedOptions {
  /** The models that answer a call that begins now, which the call keeps. */
  dialogueOfCall(): Pick<ConductorDeps, DialogueOfCall>;
  /** The calls to which it gives their conductors. */
  running: RunningCalls;
  /** It has not answered for some seconds. */
  isDatabaseAway(): boolean;
  metrics: Metrics;
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

export class Switchboard implements RequestTaker {
  readonly #options: SwitchboardOptions;
  readonly #running: RunningCalls;
  readonly #placed: PlacedCalls;
  /** Calls waiting for their trunk's pace, not dialled yet: no other process can go on with them. */
  readonly #delayed = new Map<string, { conductor: Conductor; cancel: () => void }>();
  #isDraining = false;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#running = options.running;
    this.#placed = new PlacedCalls(options, {
      conduct: (of) => this.#conduct(of),
      isDraining: () => this.#isDraining,
    });
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

  beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean | 'given'> {
    return this.#placed.beginRequested(request, payload);
  }

  /** Dials a campaign's claimed call, which has its place. False: it was closed without being dialled. */
  dialClaimed(callId: string): Promise<boolean> {
    return this.#placed.dialClaimed(callId);
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
  openMovedPerson({ call, transfer }: Continuation, person: MovedPerson, setup: CallSetup): Promise<MovedAudio> {
    return openMovedPerson(this.#deps(), { call, setup, isAsked: transfer?.hunt !== undefined }, person);
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
}
