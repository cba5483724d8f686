// Builds the parts of one call, and lets each know of the others what it needs: the language changes the dialogue, keys
// and transfers change what the journal says, the record tells browser and listeners.
import type { Logger } from 'pino';
import type { LanguageChange } from '../../db/domain/calls/timeline.ts';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import type { Leg } from '../sip/telephony.ts';
import { createAgent } from './agent.ts';
import { CallAudio } from './call-audio.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { CallControls } from './controls.ts';
import { type CallFacts, isBridged, type TakenCall } from './going-on/continuation.ts';
import { JournalEntry } from './going-on/journal-entry.ts';
import { CallKeys } from './keys.ts';
import { LanguageChoices } from './languages/language-choices.ts';
import { CallLanguages } from './languages/languages.ts';
import type { CallReport, CallState } from './machine.ts';
import { openPassageSearch } from './passage-search.ts';
import { Transfers } from './persons/transfers.ts';
import { CallRecord, type RecordChange } from './record.ts';
import { CallReports } from './reports.ts';
import { redactionOf } from './setup.ts';
import { CallTimers } from './timers.ts';
import { CallWrites } from './writes.ts';

export interface Parts {
  audio: CallAudio;
  controls: CallControls;
  dialogue: Dialogue;
  entry: JournalEntry;
  keys: CallKeys;
  languages: CallLanguages;
  record: CallRecord;
  reports: CallReports;
  timers: CallTimers;
  transfers: Transfers;
  writes: CallWrites;
}

/** The call's leg, audio and facts so far. */
export interface Held {
  facts: CallFacts;
  /** The other party's leg; null before it is dialled, and in a browser call. */
  leg: Leg | null;
  /** As another process left it; null in a call that began here. */
  taken: TakenCall | null;
  /** The record has what was said in the process that had the call before. */
  saidBefore: Promise<void> | null;
}

/** The conductor, as its parts see it. */
interface Steps {
  state(): CallState;
  step(report: CallReport): void;
  /** An exception of the action ends this call and no other. */
  guard(action: () => void): void;
}

/** All parts of a call are built of it. */
export interface Ground {
  deps: ConductorDeps;
  options: ConductorOptions;
  held: Held;
  log: Logger;
}

export function buildParts(of: Ground, steps: Steps): Parts {
  const ground = { ...of, ...steps };
  const { deps, options, held, log } = of;
  const timers = new CallTimers(deps.clock, (timer, serial) => steps.step({ type: 'timer-fired', timer, serial }));
  const speech: Speech = buildSpeech(ground, { transfers: () => persons.transfers, reports: () => reports });
  const persons: ReturnType<typeof buildPersons> = buildPersons(ground, speech);
  const { writes, record, dialogue, languages, keys, search } = speech;
  const { transfers, isWithPerson } = persons;
  const reports: CallReports = new CallReports({
    ...{ callId: options.call.id, writes, record, dialogue, log, clock: deps.clock, languages, keys, step: steps.step },
    ...{ shards: deps.shards, metrics: deps.metrics, freeText: deps.recogniser.freeText ?? true },
    transfer: () => transfers.current,
    isWaiting: () => transfers.current !== null && !isWithPerson(),
    onOpened: () => options.onOpened?.(),
    onCallerSaying: (words) => search?.hears(words),
    refreshLeg: () => held.leg?.refresh?.(),
  });
  const { audio, entry } = speech;
  const { controls } = persons;
  return { audio, controls, dialogue, entry, keys, languages, record, reports, timers, transfers, writes };
}

/** Parts that are there once all are. */
interface Later {
  transfers(): Transfers;
  reports(): CallReports;
}

/** Between the agent and the caller. */
function buildSpeech({ deps, options, held, log, step }: Ground & Steps, later: Later) {
  const { clock } = deps;
  const choices = new LanguageChoices(options.setup, () => deps.voices?.() ?? []);
  const audio = new CallAudio(deps, options, choices);
  const writes = new CallWrites(deps.writer, (error, operation) =>
    log.error({ operation, error: messageOf(error) }, 'write lost'),
  );
  const record = openRecord(deps, options, audio, log);
  const entry = new JournalEntry(deps.journal, options.call.id, record);
  const languages = new CallLanguages({
    ...{ choices, language: options.setup.agent.language, clock, log },
    send: (command) => audio.send(command),
    onChanged: (by) => {
      // The model that asked for it has the tool's answer.
      if (by !== 'wish') dialogue.languageChanged();
      entry.changed(true);
    },
    onTried: (change) => languageTried(deps, options, { record, writes }, change),
  });
  const search = openPassageSearch(deps.store, options, log);
  const keys = new CallKeys(
    deps,
    options,
    { writes, record, log },
    {
      onOptOut: () => step({ type: 'goodbye-said', reason: 'agent_hangup' }),
      leg: () => held.leg,
      languages: () => languages.led,
      onSecret: () => entry.changed(true),
    },
  );
  const dialogue = createAgent(
    deps,
    options,
    { writes, log, search, languages },
    {
      onAction: (action) => step(reportOf(action, later.transfers())),
      onToolRan: (run) => record.timings.toolRan(run),
      onSpoke: (epoch) => {
        if (later.reports().isOpen(epoch)) entry.changed();
      },
      onSourced: (passages) => record.timings.sourced(passages),
      onAccomplished: () => step({ type: 'exchange-done' }),
      sendDigits: (digits) => keys.send(digits),
      secret: keys.secret,
    },
  );
  return { audio, writes, record, entry, languages, search, keys, dialogue };
}

type Speech = ReturnType<typeof buildSpeech>;

/** With persons beside them: those who get the caller, and those who listen or talk instead. */
function buildPersons(
  { deps, options, held, log, state, step, guard }: Ground & Steps,
  { audio, writes, record, entry, keys, dialogue }: Speech,
) {
  const transfers = new Transfers({
    ...{ deps, options, writes, record, dialogue, log, step, guard },
    leg: () => held.leg,
    changed: (isUrgent) => entry.changed(isUrgent),
    onJoined: (audioId) => controls.supervision.personJoined(audioId),
  });
  const isWithPerson = (): boolean => isBridged({ state: state() });
  const controls: CallControls = new CallControls({
    ...{ deps, options, log, writes, audio, dialogue, record, keys, guard, step, state },
    onTalked: () => step({ type: 'exchange-done' }),
    isRecorded: () => held.facts.recordingPath !== null,
    personAudioId: () => (isWithPerson() ? (transfers.current?.personAudioId ?? null) : null),
    beganAtSharedMs: () => held.facts.began?.sharedAtMs ?? null,
    changed: () => {
      entry.changed(true);
      deps.listeners?.tell(options.call.id, { type: 'control', ...controls.view });
    },
  });
  return { transfers, controls, isWithPerson };
}

/** The record, of which the browser and the listeners are told as it grows. */
function openRecord(deps: ConductorDeps, options: ConductorOptions, audio: CallAudio, log: Logger): CallRecord {
  const { call, medium } = options;
  const record = new CallRecord({
    writer: deps.writer,
    accountId: call.accountId,
    callId: call.id,
    clock: deps.clock,
    onLost: (error) => log.warn({ error: messageOf(error) }, 'could not write the live feed'),
    redaction: redactionOf(options, 'transcript'),
  });
  const tellBrowser = (change: RecordChange): void => {
    // The shard sends the browser its turn states directly.
    if (change.type !== 'state') audio.send({ type: 'socket-text', text: JSON.stringify(told(change)) });
  };
  if (medium.kind === 'web') record.onChange(tellBrowser);
  record.onChange((change) => deps.listeners?.tell(call.id, told(change)));
  return record;
}

const told = (change: RecordChange): object =>
  change.type === 'state' ? change : { type: 'transcript', ...change.entry };

function reportOf(action: ToolAction, transfers: Transfers): CallReport {
  switch (action.type) {
    case 'end-call':
      return { type: 'goodbye-said', reason: action.by === 'engine' ? action.cause : 'agent_hangup' };
    case 'transfer':
      return { type: 'transfer-requested', ...transfers.request(action) };
    default:
      return unreachable(action);
  }
}

function languageTried(
  { clock }: ConductorDeps,
  options: ConductorOptions,
  { record, writes }: Pick<Parts, 'record' | 'writes'>,
  tried: Omit<LanguageChange, 'atMs'>,
): void {
  const change = record.timings.languageTried(tried);
  if (change.outcome !== 'changed') return;
  const of = { callId: options.call.id, eventRedaction: redactionOf(options, 'webhooks') };
  writes.enqueue('markLanguage', { ...of, change, nowMs: clock.nowMs() });
}
