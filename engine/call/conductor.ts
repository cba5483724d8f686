// One call's conductor: builds its parts, steps the call machine with their reports (reports.ts), one at a time, and
// has the effects performed (effects.ts); begins a call, or goes on with another process's. It decides nothing itself.

import type { Logger } from 'pino';
import type { LanguageCause } from '../../db/domain/call-languages.ts';
import type { LanguageChange } from '../../db/domain/call-timeline.ts';
import { MINUTE_MS } from '../../db/domain/hours/durations.ts';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import type { OpenCall, ShardEvent } from '../shard/protocol.ts';
import type { Leg } from '../sip/telephony.ts';
import { createAgent } from './agent.ts';
import { CallAudio } from './call-audio.ts';
import type { CallMedium, ConductorDeps, ConductorOptions } from './context.ts';
import { CallControls } from './controls.ts';
import { CallEffects, type Held } from './effects.ts';
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
import { JournalEntry } from './going-on/journal-entry.ts';
import { Return } from './going-on/return.ts';
import { describeCall, ringingFacts, ringingResumptions, type TakenRinging } from './going-on/ringing.ts';
import { CallKeys } from './keys.ts';
import { LanguageChoices } from './languages/language-choices.ts';
import { CallLanguages } from './languages/languages.ts';
import { type CallReport, type CallState, offeredCall, stepCall } from './machine.ts';
import { openPassageSearch } from './passage-search.ts';
import { fallSilent } from './persons/person-speaks.ts';
import { Transfers } from './persons/transfers.ts';
import { CallRecord, type RecordChange } from './record.ts';
import { CallReports } from './reports.ts';
import { redactionOf } from './setup.ts';
import { CallTimers } from './timers.ts';
import { CallWrites } from './writes.ts';

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
  readonly #languages: CallLanguages;
  readonly controls: CallControls;
  /** Reports that arrived while effects were being performed: one step at a time. */
  readonly #waiting: CallReport[] = [];
  #state: CallState;
  #isStepping = false;
  /** Our own code threw, and the call is being ended because of it. */
  #isBroken = false;
  readonly #effects: CallEffects;
  readonly #held: Held = { facts: { ...NO_FACTS }, leg: null, taken: null, saidBefore: null };
  #return: Return | null = null;
  #isLeft = false;

  constructor(deps: ConductorDeps, options: ConductorOptions) {
    const { call, medium } = options;
    const log = deps.log.child({ callId: call.id });
    this.#deps = deps;
    this.#options = options;
    this.#log = log;
    this.#state = offeredCall(medium.kind);
    this.#timers = new CallTimers(deps.clock, (timer, serial) => this.#step({ type: 'timer-fired', timer, serial }));
    const choices = new LanguageChoices(options.setup, () => deps.voices?.() ?? []);
    this.#audio = new CallAudio(deps, options, choices);
    this.#languages = new CallLanguages({
      ...{ choices, language: options.setup.agent.language, clock: deps.clock, log },
      send: (command) => this.#audio.send(command),
      onChanged: (by) => this.#onLanguage(by),
      onTried: (change) => this.#languageTried(change),
    });
    this.#writes = new CallWrites(deps.writer, (error, operation) =>
      log.error({ operation, error: messageOf(error) }, 'write lost'),
    );
    this.#record = new CallRecord({
      writer: deps.writer,
      accountId: call.accountId,
      callId: call.id,
      clock: deps.clock,
      onLost: (error) => log.warn({ error: messageOf(error) }, 'could not write the live feed'),
      redaction: redactionOf(options, 'transcript'),
    });
    this.#entry = new JournalEntry(deps.journal, call.id, this.#record);
    if (medium.kind === 'web') this.#record.onChange((change) => this.#tellBrowser(change));
    this.#record.onChange((change) => deps.listeners?.tell(call.id, told(change)));
    const search = openPassageSearch(deps.store, options, log);
    this.#keys = new CallKeys(deps, options, this.#writes, this.#record, log, {
      onOptOut: () => this.#step({ type: 'goodbye-said', reason: 'agent_hangup' }),
      leg: () => this.#held.leg,
      languages: () => this.#languages.led,
      onSecret: () => this.#entry.changed(true),
    });
    this.#dialogue = createAgent(deps, options, this.#writes, log, search, this.#languages, {
      onAction: (action) => this.#onAction(action),
      onToolRan: (run) => this.#record.toolRan(run),
      onSpoke: (epoch) => {
        if (this.#reports.isOpen(epoch)) this.#entry.changed();
      },
      onSourced: (passages) => this.#record.sourced(passages),
      onAccomplished: () => this.#step({ type: 'exchange-done' }),
      sendDigits: (digits) => this.#keys.send(digits),
      secret: this.#keys.secret,
    });
    this.#transfers = new Transfers({
      ...{ deps, options, writes: this.#writes, record: this.#record, dialogue: this.#dialogue, log },
      leg: () => this.#held.leg,
      step: (report) => this.#step(report),
      guard: (action) => this.#guard(action),
      changed: (isUrgent) => this.#entry.changed(isUrgent),
      onJoined: (audioId) => this.controls.supervision.personJoined(audioId),
    });
    this.controls = new CallControls({
      ...{ deps, options, log, writes: this.#writes, audio: this.#audio, dialogue: this.#dialogue },
      ...{ record: this.#record, keys: this.#keys, guard: (action: () => void) => this.#guard(action) },
      step: (report) => this.#step(report),
      onTalked: () => this.#step({ type: 'exchange-done' }),
      state: () => this.#state,
      isRecorded: () => this.#held.facts.recordingPath !== null,
      personAudioId: () =>
        isBridged({ state: this.#state }) ? (this.#transfers.current?.personAudioId ?? null) : null,
      beganAtSharedMs: () => this.#held.facts.began?.sharedAtMs ?? null,
      changed: () => this.#onControlled(),
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
      freeText: deps.recogniser.freeText ?? true,
      languages: this.#languages,
      transfer: () => this.#transfers.current,
      isWaiting: () => this.#transfers.current !== null && !isBridged({ state: this.#state }),
      step: (report) => this.#step(report),
      onOpened: () => options.onOpened?.(),
      onCallerSaying: (words) => search?.hears(words),
      refreshLeg: () => this.#held.leg?.refresh?.(),
      keys: this.#keys,
    });
    const parts = {
      ...{
        controls: this.controls,
        audio: this.#audio,
        dialogue: this.#dialogue,
        entry: this.#entry,
        keys: this.#keys,
        record: this.#record,
      },
      ...{
        languages: this.#languages,
        reports: this.#reports,
        timers: this.#timers,
        transfers: this.#transfers,
        writes: this.#writes,
      },
    };
    this.#effects = new CallEffects(deps, options, log, parts, this.#held, {
      step: (report) => this.#step(report),
      listen: (leg) => this.#listen(leg),
      onShardEvent: (event) => this.#onShardEvent(event),
      follow: () => this.#follow(),
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
    if (medium.kind === 'inbound') this.#held.leg = medium.leg;
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
    this.#held.facts = factsOf(from, beganAtMs);
    this.#held.taken = taken;
    this.#record.goOn(resumptionsOf(taken), elapsedMs, taken.record);
    this.#reports.goOn(from);
    this.#held.saidBefore = taken.transcript.then(
      (transcript) => {
        this.#record.saidBefore(transcript);
        // Fed, too: this process may die as well.
        for (const entry of heardWords(taken, transcript)) this.#record.add(entry);
      },
      (error: unknown) => this.#log.error({ error: messageOf(error) }, 'the transcript so far could not be read'),
    );
    this.#keys.goOn(from);
    this.#languages.goOn(from.languages);
    dialogue.warm?.();
    const speechModel = this.#sessionAgain(from);
    const change = { ...reopening(taken), ...(speechModel ? { speechModel } : {}) };
    this.#audio.open(from.recordingPath, (event) => this.#onShardEvent(event), change, from.languages);
    if (from.keysAreSecret) this.#keys.secret.discard();
    if (from.leg !== null) this.#audio.send({ type: 'connect', audio: from.leg.audio });
    this.controls.goOn(from);
    this.#audio.send({ type: 'answered' });
    for (const digit of keysAgain(from)) this.#audio.send({ type: 'digit', digit });
    // The answer may not have been written when the process died; a second time it changes nothing.
    this.#effects.writeAnswered();
    if (leg !== null) this.#listen(leg);
    this.#timers.goOn(timersOf(from, clock.nowMs()));
    this.#dialogue.goOn(from.dialogue, {
      open: heardOf(taken),
      isNoticed: isNoticed(taken),
      hasSession: speechModel !== null,
    });
    if (isStaying(from)) fallSilent({ audio: this.#audio, dialogue: this.#dialogue, record: this.#record });
    else if (isBridged(from)) this.#dialogue.close();
    this.#return = new Return({
      taken,
      options: this.#options,
      language: this.#languages.spoken,
      deps: this.#deps,
      metrics: this.#deps.metrics,
      record: this.#record,
      clock,
      phase: () => this.#reports.phase,
      request: (request) => this.#audio.request(request),
    });
    this.#transfers.goOn(taken);
    this.#follow();
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
    this.#record.goOn(ringingResumptions(taken), null, null);
    this.#effects.openAudio({ answeredAtMs: null, port: from.port, lastEpoch: 0 });
    if (from.leg.earlyAudio !== null) this.#audio.send({ type: 'connect', audio: from.leg.earlyAudio });
    this.#timers.goOn(timersOf(from, this.#deps.clock.nowMs()));
    this.#listen(leg);
    this.#follow();
  }

  get handOverMoment(): HandOverMoment {
    const isBusy = this.#dialogue.isThinking || this.controls.supervision.state.phase !== 'none';
    return handOverMoment(this.#describe(), this.#reports.phase, isBusy);
  }

  /** Another process has the call: nothing that still happens here concerns it. */
  leave(): void {
    this.#isLeft = true;
    this.#timers.leave();
    this.#transfers.leave();
    this.controls.leave();
  }

  #follow(): void {
    this.#entry.follow(() => this.#describe(), Boolean(this.#held.taken?.record));
  }

  /** Null while nobody else could go on with the call. */
  #describe(): ReturnType<typeof describeCall> {
    return describeCall({
      options: this.#options,
      facts: this.#held.facts,
      state: this.#state,
      leg: this.#held.leg?.state ?? null,
      ringing: this.#held.leg?.ringing ?? null,
      timers: this.#timers,
      reports: this.#reports,
      dialogue: this.#dialogue,
      keys: this.#keys,
      transfers: this.#transfers,
      record: this.#record,
      controls: this.controls,
      languages: this.#languages,
      silentSinceMs: this.#held.taken && lastLifeMs(this.#held.taken),
      nowMs: this.#deps.clock.nowMs(),
    });
  }

  /** The first message to a listener. */
  get soFar(): object[] {
    const { transcript, live } = this.#record;
    const said = transcript.map((entry) => ({ type: 'transcript', ...entry }));
    return [{ type: 'state', state: live }, { type: 'control', ...this.controls.view }, ...said];
  }

  /** As its campaign wants it, the caller is told that somebody listens. */
  firstListens(): void {
    const { campaign } = this.#options.setup;
    if (this.#state.phase !== 'answered') return;
    if (campaign.listeningNotice === 'tone') this.#audio.send({ type: 'notice-tone' });
    if (campaign.listeningNotice !== 'announcement') return;
    const text = phrasesFor(this.#languages.spoken).call.listeningNotice;
    this.#audio.request({ kind: 'say', text, by: 'client' });
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

  #listen(leg: Leg): void {
    this.#held.leg = leg;
    leg.onEvent((event) => {
      this.#guard(() => this.#reports.onLegEvent(event));
      this.#entry.changed();
    });
  }

  #onShardEvent(event: ShardEvent): void {
    const isChange = this.#entry.isChangedBy(event, (epoch) => this.#reports.isOpen(epoch));
    this.#guard(() => {
      this.#reports.onShardEvent(event);
      if (event.type === 'socket-joined') this.#return?.joined();
    });
    if (isChange) this.#entry.changed();
  }

  #onAction(action: ToolAction): void {
    switch (action.type) {
      case 'end-call':
        return this.#step({ type: 'goodbye-said', reason: action.by === 'engine' ? action.cause : 'agent_hangup' });
      case 'transfer':
        return this.#step({ type: 'transfer-requested', ...this.#transfers.request(action) });
      default:
        return unreachable(action);
    }
  }

  #onLanguage(by: LanguageCause): void {
    // The model that asked for it has the tool's answer.
    if (by !== 'wish') this.#dialogue.languageChanged();
    this.#entry.changed(true);
  }

  #languageTried(tried: Omit<LanguageChange, 'atMs'>): void {
    const change = this.#record.languageTried(tried);
    if (change.outcome !== 'changed') return;
    const of = { callId: this.callId, eventRedaction: redactionOf(this.#options, 'webhooks') };
    this.#writes.enqueue('markLanguage', { ...of, change, nowMs: this.#deps.clock.nowMs() });
  }

  #onControlled(): void {
    this.#entry.changed(true);
    this.#deps.listeners?.tell(this.callId, { type: 'control', ...this.controls.view });
  }

  #tellBrowser(change: RecordChange): void {
    // The shard sends the browser its turn states directly.
    if (change.type === 'state') return;
    this.#audio.send({ type: 'socket-text', text: JSON.stringify({ type: 'transcript', ...change.entry }) });
  }
}

/** As those who listen are told. */
const told = (change: RecordChange): object =>
  change.type === 'state' ? change : { type: 'transcript', ...change.entry };
