// One call's conductor: steps the call machine with the reports (reports.ts) of the call's parts (parts.ts), one at a
// time, and has the effects performed (effects.ts); begins a call, or goes on with another process's. It decides
// nothing itself.

import type { Logger } from 'pino';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { Leg } from '../sip/telephony.ts';
import type { CallMedium, ConductorDeps, ConductorOptions } from './context.ts';
import type { CallControls } from './controls.ts';
import { CallEffects } from './effects.ts';
import {
  type Continuation,
  factsOf,
  type HandOverMoment,
  isBridged,
  isStaying,
  keysAgain,
  NO_FACTS,
  reopening,
  resumptionsOf,
  shifted,
  type TakenCall,
  timersOf,
} from './going-on/continuation.ts';
import { heardOf, heardWords, isNoticed, lastLifeMs } from './going-on/gap.ts';
import { handOverMoment } from './going-on/hand-over-moment.ts';
import { Return } from './going-on/return.ts';
import { describeCall, ringingFacts, ringingResumptions, type TakenRinging } from './going-on/ringing.ts';
import { type CallReport, type CallState, offeredCall, stepCall } from './machine.ts';
import { buildParts, type Held, type Parts } from './parts.ts';
import { fallSilent } from './persons/person-speaks.ts';

export class Conductor {
  readonly #deps: ConductorDeps;
  readonly #options: ConductorOptions;
  readonly #log: Logger;
  readonly #parts: Parts;
  readonly #effects: CallEffects;
  readonly #held: Held = { facts: { ...NO_FACTS }, leg: null, taken: null, saidBefore: null };
  /** Reports that arrived while effects were being performed: one step at a time. */
  readonly #waiting: CallReport[] = [];
  #state: CallState;
  #isStepping = false;
  /** Our own code threw, and the call is being ended because of it. */
  #isBroken = false;
  #return: Return | null = null;
  #isLeft = false;

  constructor(deps: ConductorDeps, options: ConductorOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#log = deps.log.child({ callId: options.call.id });
    this.#state = offeredCall(options.medium.kind);
    const ground = { deps, options, held: this.#held, log: this.#log };
    this.#parts = buildParts(ground, {
      state: () => this.#state,
      step: (report) => this.#step(report),
      guard: (action) => this.#guard(action),
    });
    this.#effects = new CallEffects(ground, this.#parts, {
      step: (report) => this.#step(report),
      listen: (leg) => this.#listen(leg),
      onShardEvent: (event) => this.#onShardEvent(event),
      follow: () => this.#follow(),
    });
  }

  get controls(): CallControls {
    return this.#parts.controls;
  }

  get kind(): CallMedium['kind'] {
    return this.#options.medium.kind;
  }

  get callId(): string {
    return this.#options.call.id;
  }

  /** Rings an inbound leg, dials an outbound one, or waits for a browser. */
  start(): void {
    const { medium, setup } = this.#options;
    if (medium.kind === 'inbound') this.#held.leg = medium.leg;
    const maxDurationMs = setup.business.maxCallDurationMinutes * MINUTE_MS;
    if (this.#options.lookUp) this.#parts.record.timings.toolRan(this.#options.lookUp);
    this.#step({ type: 'admitted', plan: { maxDurationMs, voicemail: setup.campaign.voicemailAction } });
    // The dialog was reported earlier, but it is stored after the row: an engine that closes the call finds it there.
    if (medium.kind === 'inbound' && medium.leg) this.#listen(medium.leg);
  }

  /** Goes on with a call of a process that has died. */
  resume(taken: TakenCall): void {
    const { from, leg } = taken;
    this.#remember(taken);
    this.#deps.dialogue.warm?.();
    const speechModel = this.#sessionAgain(from);
    this.#reopenAudio(taken, speechModel);
    // The answer may not have been written when the process died; a second time it changes nothing.
    this.#effects.writeAnswered();
    if (leg !== null) this.#listen(leg);
    this.#parts.timers.goOn(timersOf(from, this.#deps.clock.nowMs()));
    this.#parts.dialogue.goOn(from.dialogue, {
      open: heardOf(taken),
      isNoticed: isNoticed(taken),
      hasSession: speechModel !== null,
    });
    this.#parts.dialogue.answers.spending.goOn(from.spending ?? []);
    if (isStaying(from)) fallSilent(this.#parts);
    else if (isBridged(from)) this.#parts.dialogue.close();
    this.#return = this.#returnTo(taken);
    this.#parts.transfers.goOn(taken);
    this.#follow();
  }

  /** The call so far, as the other process knew it. */
  #remember(taken: TakenCall): void {
    const { from } = taken;
    const { record, reports, keys, languages } = this.#parts;
    const elapsedMs = Math.max(0, sharedClockMs() - from.beganAtMs);
    const beganAtMs = this.#deps.clock.monotonicMs() - elapsedMs;
    this.#state = shifted(from.state, beganAtMs);
    this.#held.facts = factsOf(from, beganAtMs);
    this.#held.taken = taken;
    record.timings.goOn(resumptionsOf(taken), elapsedMs, taken.record);
    reports.goOn(from);
    this.#held.saidBefore = taken.transcript.then(
      (transcript) => {
        record.saidBefore(transcript);
        // Fed, too: this process may die as well.
        for (const entry of heardWords(taken, transcript)) record.add(entry);
      },
      (error: unknown) => this.#log.error({ error: messageOf(error) }, 'the transcript so far could not be read'),
    );
    keys.goOn(from);
    languages.goOn(from.languages);
  }

  #reopenAudio(taken: TakenCall, speechModel: OpenCall['speechModel'] | null): void {
    const { from } = taken;
    const { audio, keys } = this.#parts;
    const change = { ...reopening(taken), ...(speechModel ? { speechModel } : {}) };
    audio.open(from.recordingPath, (event) => this.#onShardEvent(event), change, from.languages);
    if (from.keysAreSecret) keys.secret.discard();
    if (from.leg !== null) audio.send({ type: 'connect', audio: from.leg.audio });
    this.controls.goOn(from);
    audio.send({ type: 'answered' });
    for (const digit of keysAgain(from)) audio.send({ type: 'digit', digit });
  }

  #returnTo(taken: TakenCall): Return {
    const { clock, metrics } = this.#deps;
    const { record, reports, audio, languages } = this.#parts;
    return new Return({
      ...{ taken, options: this.#options, deps: this.#deps, metrics, record, clock },
      language: languages.spoken,
      phase: () => reports.phase,
      request: (request) => audio.request(request),
    });
  }

  /** Null where the cascade goes on: it had the call already, or the audio was opened before (openMovedAudio). */
  #sessionAgain({ fallbacks = [], leg, port }: Continuation): OpenCall['speechModel'] | null {
    const isOver = fallbacks.some(({ model }) => model === 'speech-to-speech');
    return isOver || (leg !== null && port === 0) ? null : this.#effects.speechModel;
  }

  /** Goes on with one that rings: who picks up need not know of it. */
  resumeRinging(taken: TakenRinging): void {
    const { from, leg, resumption } = taken;
    this.#deps.metrics.resumed(resumption);
    this.#state = from.state;
    this.#held.facts = ringingFacts(from);
    this.#parts.record.timings.goOn(ringingResumptions(taken), null, null);
    this.#effects.openAudio({ answeredAtMs: null, port: from.port, lastEpoch: 0 });
    if (from.leg.earlyAudio !== null) this.#parts.audio.send({ type: 'connect', audio: from.leg.earlyAudio });
    this.#parts.timers.goOn(timersOf(from, this.#deps.clock.nowMs()));
    this.#listen(leg);
    this.#follow();
  }

  get handOverMoment(): HandOverMoment {
    const isBusy = this.#parts.dialogue.isThinking || this.controls.supervision.state.phase !== 'none';
    return handOverMoment(this.#describe(), this.#parts.reports.phase, isBusy);
  }

  /** Another process has the call: nothing that still happens here concerns it. */
  leave(): void {
    this.#isLeft = true;
    this.#parts.timers.leave();
    this.#parts.transfers.leave();
    this.controls.leave();
  }

  #follow(): void {
    this.#parts.entry.follow(() => this.#describe(), Boolean(this.#held.taken?.record));
  }

  /** Null while nobody else could go on with the call. */
  #describe(): ReturnType<typeof describeCall> {
    return describeCall({
      ...this.#parts,
      options: this.#options,
      facts: this.#held.facts,
      state: this.#state,
      leg: this.#held.leg?.state ?? null,
      ringing: this.#held.leg?.ringing ?? null,
      silentSinceMs: this.#held.taken && lastLifeMs(this.#held.taken),
      nowMs: this.#deps.clock.nowMs(),
    });
  }

  /** The first message to a listener. */
  get soFar(): object[] {
    const { transcript, live } = this.#parts.record;
    const said = transcript.map((entry) => ({ type: 'transcript', ...entry }));
    return [{ type: 'state', state: live }, { type: 'control', ...this.controls.view }, ...said];
  }

  /** As its campaign wants it, the caller is told that somebody listens. */
  firstListens(): void {
    const { campaign } = this.#options.setup;
    if (this.#state.phase !== 'answered') return;
    if (campaign.listeningNotice === 'tone') this.#parts.audio.send({ type: 'notice-tone' });
    if (campaign.listeningNotice !== 'announcement') return;
    const text = phrasesFor(this.#parts.languages.spoken).call.listeningNotice;
    this.#parts.audio.request({ kind: 'say', text, by: 'client' });
  }

  get facts(): { accountId: string; businessId: string; isAnswered: boolean } {
    const { call, setup } = this.#options;
    const isAnswered = this.#state.phase === 'answered';
    return { accountId: call.accountId, businessId: setup.business.id, isAnswered };
  }

  /** `POST /calls/:id/end`. */
  requestEnd(): void {
    this.#step({ type: 'end-requested' });
  }

  /** The call may no longer be dialled, and has not been dialled yet. */
  withdraw(reason: 'do_not_call' | 'campaign_paused'): void {
    this.#step({ type: 'withdrawn', reason });
  }

  shutdown(): void {
    this.#step({ type: 'shutdown' });
  }

  /** One report at a time: reports that arise from an effect wait until all effects of this step are done. */
  #step(report: CallReport): void {
    this.#waiting.push(report);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#stepOnce(next);
    this.#isStepping = false;
  }

  #stepOnce(report: CallReport): void {
    const { phase } = this.#state;
    this.#guard(() => {
      const nowMs = this.#deps.clock.monotonicMs();
      const [state, effects] = stepCall(this.#state, { ...report, nowMs });
      this.#state = state;
      // One failing effect must not skip the others: a leg that throws must not keep the audio open.
      for (const effect of effects) this.#guard(() => this.#effects.perform(effect));
    });
    this.#parts.entry.changed(phase !== this.#state.phase);
  }

  /** An exception ends this call and no other. */
  #guard(action: () => void): void {
    if (this.#isLeft) return;
    this.#parts.entry.busy();
    try {
      action();
    } catch (error) {
      this.#log.error({ error: error instanceof Error ? error.stack : String(error) }, 'the call broke');
      if (this.#isBroken) return;
      this.#isBroken = true;
      this.#step({ type: 'call-failed' });
    }
  }

  #listen(leg: Leg): void {
    this.#held.leg = leg;
    leg.onEvent((event) => {
      this.#guard(() => this.#parts.reports.onLegEvent(event));
      this.#parts.entry.changed();
    });
  }

  #onShardEvent(event: ShardEvent): void {
    const isChange = this.#parts.entry.isChangedBy(event, (epoch) => this.#parts.reports.isOpen(epoch));
    this.#guard(() => {
      this.#parts.reports.onShardEvent(event);
      if (event.type === 'socket-joined') this.#return?.joined();
    });
    if (isChange) this.#parts.entry.changed();
  }
}
