// One call's conductor: steps the call machine with reports (reports.ts) and performs its effects on the leg, the
// shard, the dialogue and the database. It decides nothing itself; it holds the handles to those parts.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type CallTerminal, unserved } from '../../db/domain/outcome.ts';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../db/shared/shared-clock.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import { clausesOf } from '../dialogue/clause-splitter.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { InboundLeg, Leg, LocalAudio } from '../sip/telephony.ts';
import { createAgent } from './agent.ts';
import { CallAudio } from './call-audio.ts';
import type { CallMedium, ConductorDeps, ConductorOptions } from './context.ts';
import {
  type CallFacts,
  factsOf,
  type HandOverMoment,
  isBridged,
  keysAgain,
  NO_FACTS,
  reopening,
  resumptionsOf,
  shifted,
  type TakenCall,
  timersOf,
} from './continuation.ts';
import { conversationAtEnd, writeCallEnd } from './end.ts';
import { heardOf, isNoticed, lastLifeMs, transcriptOf, withoutSilence } from './gap.ts';
import { handOverMoment } from './hand-over-moment.ts';
import { JournalEntry } from './journal-entry.ts';
import { CallKeys } from './keys.ts';
import { Lookup } from './lookup.ts';
import { type CallEffect, type CallReport, type CallState, offeredCall, stepCall } from './machine.ts';
import { CallRecord, type RecordChange } from './record.ts';
import { CallReports } from './reports.ts';
import { Return } from './return.ts';
import { describeCall, dialRequest, ringingFacts, ringingResumptions, type TakenRinging } from './ringing.ts';
import { greeting, inboundRow, voicemailMessage } from './setup.ts';
import { CallTimers } from './timers.ts';
import { Transfers } from './transfers.ts';
import { CallWrites } from './writes.ts';

const MINUTE_MS = 60_000;

export class Conductor {
  readonly #deps: ConductorDeps;
  readonly #options: ConductorOptions;
  readonly #log: Logger;
  readonly #record: CallRecord;
  readonly #writes: CallWrites;
  readonly #dialogue: Dialogue;
  readonly #reports: CallReports;
  readonly #keys: CallKeys;
  readonly #audio: CallAudio;
  readonly #timers: CallTimers;
  readonly #entry: JournalEntry;
  readonly #transfers: Transfers;
  /** Reports that arrived while effects were being performed: one step at a time. */
  readonly #waiting: CallReport[] = [];
  #state: CallState;
  #isStepping = false;
  /** Our own code threw, and the call is being ended because of it. */
  #isBroken = false;
  /** The other party's leg; null before it is dialled, and in a browser call. */
  #leg: Leg | null = null;
  #facts: CallFacts = { ...NO_FACTS };
  /** As another process left it; null in a call that began here. */
  #taken: TakenCall | null = null;
  #return: Return | null = null;
  #isLeft = false;
  /** The record has what was said in the process that had the call before. */
  #saidBefore: Promise<void> | null = null;

  constructor(deps: ConductorDeps, options: ConductorOptions) {
    const { call, medium } = options;
    const log = deps.log.child({ callId: call.id });
    this.#deps = deps;
    this.#options = options;
    this.#log = log;
    this.#state = offeredCall(medium.kind);
    this.#timers = new CallTimers(deps.clock, (timer, serial) => this.#step({ type: 'timer-fired', timer, serial }));
    this.#audio = new CallAudio(deps, options);
    this.#writes = new CallWrites(deps.writer, (error, operation) =>
      log.error({ operation, error: messageOf(error) }, 'write lost'),
    );
    this.#record = new CallRecord({
      writer: deps.writer,
      accountId: call.accountId,
      callId: call.id,
      clock: deps.clock,
      onLost: (error) => log.warn({ error: messageOf(error) }, 'could not write the live feed'),
    });
    this.#entry = new JournalEntry(deps.journal, call.id, this.#record);
    if (medium.kind === 'web') this.#record.onChange((change) => this.#tellBrowser(change));
    const { business, headings } = options.setup;
    const lookup =
      headings === null ? null : new Lookup(deps.store, { accountId: call.accountId, businessId: business.id }, log);
    this.#dialogue = createAgent(deps, options, this.#writes, log, lookup, {
      onAction: (action) => this.#onAction(action),
      onToolRan: (run) => this.#record.toolRan(run),
      onSourced: (passages) => this.#record.sourced(passages),
      onAccomplished: () => this.#step({ type: 'exchange-done' }),
      sendDigits: (digits) => this.#keys.send(digits),
    });
    this.#keys = new CallKeys(deps, options, this.#writes, this.#record, log, {
      onOptOut: () => this.#step({ type: 'goodbye-said', reason: 'agent_hangup' }),
      leg: () => this.#leg,
    });
    this.#transfers = new Transfers({
      ...{ deps, options, writes: this.#writes, log },
      leg: () => this.#leg,
      step: (report) => this.#step(report),
      guard: (action) => this.#guard(action),
      changed: (isUrgent) => this.#entry.changed(isUrgent),
    });
    this.#reports = new CallReports({
      callId: call.id,
      shards: deps.shards,
      writes: this.#writes,
      record: this.#record,
      dialogue: this.#dialogue,
      metrics: deps.metrics,
      log,
      clock: deps.clock,
      stillConnecting: phrasesFor(options.setup.agent.language).call.stillConnecting,
      transfer: () => this.#transfers.current,
      step: (report) => this.#step(report),
      onOpened: () => options.onOpened?.(),
      onCallerSaying: (words) => lookup?.hears(words),
      refreshLeg: () => this.#leg?.refresh?.(),
      keys: this.#keys,
    });
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
    if (medium.kind === 'inbound') this.#leg = medium.leg;
    const maxDurationMs = setup.business.maxCallDurationMinutes * MINUTE_MS;
    if (this.#options.lookUp) this.#record.toolRan(this.#options.lookUp);
    this.#step({ type: 'admitted', plan: { maxDurationMs, voicemail: setup.campaign.voicemailAction } });
    // The dialog was reported earlier, but it is stored after the row: recovery finds dialogs through their calls.
    if (medium.kind === 'inbound' && medium.leg) this.#listen(medium.leg);
  }

  /** Goes on with a call of a process that has died. */
  resume(taken: TakenCall): void {
    const { from, leg } = taken;
    const { clock, dialogue } = this.#deps;
    const elapsedMs = Math.max(0, sharedClockMs() - from.beganAtMs);
    const beganAtMs = clock.monotonicMs() - elapsedMs;
    this.#state = shifted(from.state, beganAtMs);
    this.#facts = factsOf(from, beganAtMs);
    this.#taken = taken;
    this.#record.goOn(resumptionsOf(taken), elapsedMs, taken.record);
    this.#reports.goOn(from);
    this.#saidBefore = transcriptOf(taken).then(
      (transcript) => this.#record.saidBefore(transcript),
      (error: unknown) => this.#log.error({ error: messageOf(error) }, 'the transcript so far could not be read'),
    );
    this.#keys.goOn(from);
    dialogue.warm?.();
    this.#audio.open(from.recordingPath, (event) => this.#onShardEvent(event), reopening(taken));
    if (from.leg !== null) this.#audio.send({ type: 'connect', audio: from.leg.audio });
    this.#audio.send({ type: 'answered' });
    for (const digit of keysAgain(from)) this.#audio.send({ type: 'digit', digit });
    // The answer may not have been written when the process died; a second time it changes nothing.
    this.#writeAnswered();
    if (leg !== null) this.#listen(leg);
    this.#timers.goOn(timersOf(from, clock.nowMs()));
    this.#dialogue.goOn(from.dialogue, { open: heardOf(taken), isNoticed: isNoticed(taken) });
    if (isBridged(from)) this.#dialogue.close();
    this.#return = new Return({
      taken,
      options: this.#options,
      model: dialogue,
      metrics: this.#deps.metrics,
      record: this.#record,
      clock,
      phase: () => this.#reports.phase,
      say: (text) => this.#audio.request({ kind: 'say', text }),
    });
    this.#transfers.goOn(taken);
    this.#entry.follow(() => this.#describe(), Boolean(this.#taken?.record));
  }

  /** Goes on with one that rings: who picks up need not know of it. */
  resumeRinging(taken: TakenRinging): void {
    const { from, leg, resumption } = taken;
    this.#deps.metrics.resumed(resumption);
    this.#state = from.state;
    this.#facts = ringingFacts(from);
    this.#record.goOn(ringingResumptions(taken), null, null);
    this.#openAudio({ answeredAtMs: null, port: from.port, lastEpoch: 0 });
    if (from.leg.earlyAudio !== null) this.#audio.send({ type: 'connect', audio: from.leg.earlyAudio });
    this.#timers.goOn(timersOf(from, this.#deps.clock.nowMs()));
    this.#listen(leg);
    this.#entry.follow(() => this.#describe(), Boolean(this.#taken?.record));
  }

  get handOverMoment(): HandOverMoment {
    return handOverMoment(this.#describe(), this.#reports.phase, this.#dialogue.isThinking);
  }

  /** Another process has the call: nothing that still happens here concerns it. */
  leave(): void {
    this.#isLeft = true;
    this.#timers.leave();
    this.#transfers.leave();
  }

  /** Null while nobody else could go on with the call. */
  #describe(): ReturnType<typeof describeCall> {
    return describeCall({
      options: this.#options,
      facts: this.#facts,
      state: this.#state,
      leg: this.#leg?.state ?? null,
      ringing: this.#leg?.ringing ?? null,
      timers: this.#timers,
      reports: this.#reports,
      dialogue: this.#dialogue,
      keys: this.#keys,
      transfers: this.#transfers,
      record: this.#record,
      silentSinceMs: this.#taken && lastLifeMs(this.#taken),
      nowMs: this.#deps.clock.nowMs(),
    });
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
      for (const effect of effects) this.#guard(() => this.#perform(effect));
    });
    this.#entry.changed(phase !== this.#state.phase);
  }

  /** An exception ends this call and no other. */
  #guard(action: () => void): void {
    if (this.#isLeft) return;
    this.#entry.busy();
    try {
      action();
    } catch (error) {
      this.#log.error({ error: error instanceof Error ? error.stack : String(error) }, 'the call broke');
      if (this.#isBroken) return;
      this.#isBroken = true;
      this.#step({ type: 'call-failed' });
    }
  }

  #perform(effect: CallEffect): void {
    switch (effect.type) {
      case 'write-row':
        return this.#writes.enqueue('createInboundCall', inboundRow(this.#options, this.#deps.clock.nowMs()));
      case 'open-audio':
        return this.#openAudio();
      case 'connect-audio':
        return this.#audio.send({ type: 'connect', audio: effect.audio });
      case 'close-audio':
        this.#record.state('ended');
        // A browser call has no leg to hang up, but may have a transfer target's leg.
        this.#transfers.close();
        return this.#audio.send({ type: 'close' });
      case 'ring-leg':
        return this.#inbound(effect).ring();
      case 'answer-leg':
        this.#facts.port = effect.port;
        return this.#inbound(effect).answer(this.#audio.at(effect));
      case 'reject-leg':
        return this.#inbound(effect).reject(effect.sipStatus);
      case 'dial-leg':
        this.#facts.port = effect.port;
        return this.#dial(this.#audio.at(effect));
      case 'hang-up-leg':
        // An outbound leg that could not be dialled is absent.
        return this.#leg?.hangUp();
      case 'write-answered':
        this.#facts.answeredAtMs = this.#deps.clock.nowMs();
        return this.#writeAnswered();
      case 'start-dialogue':
        this.#record.begin();
        this.#facts.began = { atMs: this.#deps.clock.monotonicMs(), sharedAtMs: sharedClockMs() };
        this.#entry.follow(() => this.#describe(), Boolean(this.#taken?.record));
        return this.#audio.send({ type: 'answered' });
      case 'stop-dialogue':
        return this.#dialogue.close();
      case 'transfer':
        return this.#transfers.start(effect.target);
      case 'end-transfer':
        this.#transfers.end();
        return this.#audio.request({ kind: 'note', note: { kind: 'transfer-failed' } });
      case 'warn-limit':
        return this.#audio.request({ kind: 'note', note: { kind: 'limit-near', remainingMs: effect.remainingMs } });
      case 'await-beep':
        this.#facts.isMachine = true;
        return this.#dialogue.mute();
      case 'leave-message':
        return this.#leaveMessage();
      case 'arm-timer':
        return this.#timers.arm(effect.timer, effect.serial, effect.delayMs);
      case 'cancel-timer':
        return this.#timers.cancel(effect.timer);
      case 'write-terminal':
        void this.#finish(effect.terminal);
        return;
      default:
        return unreachable(effect);
    }
  }

  #writeAnswered(): void {
    this.#writes.enqueue('markAnswered', {
      callId: this.callId,
      recordingPath: this.#facts.recordingPath,
      recordingState: this.#deps.recordingState ?? null,
      nowMs: this.#facts.answeredAtMs ?? this.#deps.clock.nowMs(),
    });
  }

  /** @throws if the machine asks another medium for an action that only an inbound leg has */
  #inbound({ type }: CallEffect): InboundLeg {
    const { medium } = this.#options;
    if (medium.kind !== 'inbound' || !medium.leg) throw new Error(`${type} in an ${medium.kind} call`);
    return medium.leg;
  }

  #listen(leg: Leg): void {
    this.#leg = leg;
    leg.onEvent((event) => {
      this.#guard(() => this.#reports.onLegEvent(event));
      this.#entry.changed();
    });
  }

  #onShardEvent(event: ShardEvent): void {
    this.#guard(() => {
      this.#reports.onShardEvent(event);
      if (event.type === 'socket-joined') this.#return?.joined();
    });
    this.#entry.changedBy(event);
  }

  #openAudio(resume?: OpenCall['resume']): void {
    const { call, setup } = this.#options;
    const { dialogue } = this.#deps;
    // The connection to the model opens while the phone rings and the greeting plays.
    dialogue.warm?.();
    this.#dialogue.tools.account.warm();
    const records = setup.campaign.recordingEnabled === 1;
    this.#facts.recordingPath = records ? join(this.#deps.recordingsDir, `${call.id}.wav`) : null;
    this.#audio.open(this.#facts.recordingPath, (event) => this.#onShardEvent(event), resume && { resume });
    const texts = clausesOf(greeting(this.#options, dialogue));
    this.#audio.send({ type: 'prepare-speech', texts });
  }

  #dial(audio: LocalAudio): void {
    const { medium } = this.#options;
    if (medium.kind !== 'outbound') throw new Error(`dial-leg in an ${medium.kind} call`);
    const { callId } = this;
    try {
      const request = dialRequest(this.#options, medium.trunkIds, audio, async (dialog) => {
        // The dialog is stored before its INVITE leaves, so that a crash never leaves a callee on a dead line.
        await this.#writes.run('storeDialog', { callId, leg: 'peer', dialog, nowMs: this.#deps.clock.nowMs() });
        this.#entry.changed();
      });
      const leg = this.#deps.telephony.dial(request);
      this.#writes.enqueue('markStarted', { callId, type: 'call.started', nowMs: this.#deps.clock.nowMs() });
      this.#listen(leg);
      this.#entry.follow(() => this.#describe(), Boolean(this.#taken?.record));
    } catch (error) {
      const reason = messageOf(error);
      this.#log.warn({ error: reason }, 'the call could not be dialled');
      this.#step({ type: 'leg-ended', end: { by: 'network', sipStatus: null, q850Cause: null, reason, rang: false } });
    }
  }

  #onAction(action: ToolAction): void {
    switch (action.type) {
      case 'end-call':
        return this.#step({ type: 'goodbye-said', reason: action.by === 'engine' ? action.cause : 'agent_hangup' });
      case 'transfer':
        return this.#step({ type: 'transfer-requested', target: action.target });
      default:
        return unreachable(action);
    }
  }

  #tellBrowser(change: RecordChange): void {
    // The shard sends the browser its turn states directly.
    if (change.type === 'state') return;
    this.#audio.send({ type: 'socket-text', text: JSON.stringify({ type: 'transcript', ...change.entry }) });
  }

  #leaveMessage(): void {
    const message = voicemailMessage(this.#options);
    if (message === '') return this.#step({ type: 'message-left' });
    this.#audio.request({ kind: 'say', text: message });
  }

  async #finish(end: CallTerminal): Promise<void> {
    const { failed, tools, wantsCallBack } = this.#dialogue;
    const served = failed.isServed || wantsCallBack || tools.booked.length > 0 ? end : unserved(end);
    const terminal = withoutSilence(served, this.#taken, this.#reports.stats);
    this.#dialogue.close();
    this.#keys.close();
    this.#timers.cancelAll();
    // The peer hung up after accepting a REFER, without reporting the result.
    if (terminal.endReason === 'transfer') this.#transfers.report();
    await this.#saidBefore;
    const conversation = conversationAtEnd({
      record: this.#record,
      reports: this.#reports,
      dialogue: this.#dialogue,
      keys: this.#keys,
      facts: this.#facts,
    });
    await writeCallEnd(this.#deps, this.#options, this.#writes, terminal, conversation, this.#log);
    this.#entry.forget();
    this.#options.onEnded(terminal, this.#reports.closed);
  }
}
