// Stores the end of a call: rule-based summary, the contact's next state, and one durable transaction. Nobody else in
// the engine does, so that an end after a crash keeps and tells no more than any other.
import type { Logger } from 'pino';
import { type CallTerminal, endOf } from '../../db/domain/calls/outcome.ts';
import type { CallTimeline } from '../../db/domain/calls/timeline.ts';
import type { Use } from '../../db/domain/cost/uses.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { isPassingFault } from '../../db/faults/faults.ts';
import type { CallEnd } from '../../db/queries/calls/life.ts';
import type { CallUsage, CallWaits, EngineFallback, TranscriptEntry } from '../../db/records/resources.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { ruleSummary } from '../after-call/after-call.ts';
import { latencyOf } from '../after-call/latency.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { LegEnd } from '../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import type { CallFacts } from './going-on/continuation.ts';
import type { CallKeys } from './keys.ts';
import type { CallLanguages } from './languages/languages.ts';
import type { CallRecord } from './record.ts';
import type { CallReports } from './reports.ts';
import { redactionOf } from './setup.ts';
import { storedRedaction } from './stored-redaction.ts';
import type { CallTimings } from './timings.ts';
import type { CallWrites } from './writes.ts';

export interface Conversation {
  transcript: TranscriptEntry[];
  turnLatenciesMs: readonly number[];
  /** Null if nothing was timed. */
  timeline: CallTimeline | null;
  /** Null if every turn began with its answer. */
  waits: CallWaits | null;
  toolsUsed: readonly string[];
  wantsCallBack: boolean;
  failedTurns: number;
  booked: ReadonlyArray<{ service: string | null; startsAtText: string }>;
  isMachine: boolean;
  /** Null without a model server. */
  usage: CallUsage | null;
  /** To be priced. */
  uses: readonly Use[];
  /** BCP 47, in order. */
  languages: readonly string[];
  fallbacks: readonly EngineFallback[];
  /** How the peer's leg ended; null while it is up. */
  legEnd: LegEnd | null;
  /** Wall clock, ms; null for a call that was never answered. */
  answeredAtMs: number | null;
}

/** The parts of a call that know of its conversation. */
interface EndedParts {
  record: Pick<CallRecord, 'transcript'> & { timings: Pick<CallTimings, 'gapsMs' | 'timeline' | 'waits'> };
  languages: Pick<CallLanguages, 'led'>;
  reports: Pick<CallReports, 'fallbacks' | 'legEnd'>;
  dialogue: Pick<Dialogue, 'failed' | 'tools' | 'wantsCallBack'> & { answers: Pick<Dialogue['answers'], 'usage'> };
  keys: Pick<CallKeys, 'isOptedOut'>;
  facts: Pick<CallFacts, 'isMachine' | 'answeredAtMs'>;
  uses: readonly Use[];
}

export function conversationAtEnd(ended: EndedParts): Conversation {
  const { record, languages, reports, dialogue, keys, facts, uses } = ended;
  const { failed, tools, wantsCallBack, answers } = dialogue;
  return {
    transcript: record.transcript,
    turnLatenciesMs: record.timings.gapsMs,
    timeline: record.timings.timeline,
    waits: record.timings.waits,
    toolsUsed: [...tools.used, ...(keys.isOptedOut ? ['opt_out'] : [])],
    wantsCallBack,
    failedTurns: failed.count,
    booked: tools.booked,
    isMachine: facts.isMachine,
    usage: answers.usage,
    uses,
    languages: facts.answeredAtMs === null ? [] : languages.led,
    fallbacks: [...reports.fallbacks, ...failed.fallbacks],
    legEnd: reports.legEnd,
    answeredAtMs: facts.answeredAtMs,
  };
}

const ASK_AGAIN_MS = 1_000;

/** Asks the database until it answers: an end that is not written would be closed as after a crash. */
async function whenItAnswers<R>(clock: Clock, ask: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      await sleep(clock, ASK_AGAIN_MS);
    }
  }
}

type Recording = Pick<CallEnd, 'recordingPath' | 'recordingState'>;
/** Each end decides on every member: one that is left out does not compile. */
type WrittenEnd = Required<Omit<CallEnd, keyof Recording>> & Recording;

/** Resolves when the end is stored durably. */
export async function writeCallEnd(
  deps: Pick<ConductorDeps, 'store' | 'metrics' | 'clock' | 'recordingState'>,
  { call, setup, medium, engineId }: Pick<ConductorOptions, 'call' | 'setup' | 'medium' | 'engineId'>,
  writes: CallWrites,
  terminal: CallTerminal,
  conversation: Conversation,
  log: Logger,
): Promise<void> {
  const { transcript, answeredAtMs } = conversation;
  // The wall clock may have stepped during the call, so the end is derived from the monotonic duration.
  const endedAtMs = answeredAtMs === null ? deps.clock.nowMs() : answeredAtMs + terminal.durationMs;
  const summary = ruleSummary({
    direction: medium.kind === 'outbound' ? 'outbound' : 'inbound',
    status: terminal.status,
    outcome: terminal.outcome,
    durationSeconds: Math.ceil(terminal.durationMs / 1000),
    transcript,
    toolsUsed: conversation.toolsUsed,
    appointments: conversation.booked,
    wantsCallBack: conversation.wantsCallBack,
    failedTurns: conversation.failedTurns,
  });
  try {
    const { outcome, isAnswered, retryable } = terminal;
    const contact =
      call.contactId === null
        ? null
        : await whenItAnswers(deps.clock, () =>
            deps.store.contactAfterAttempt(call.contactId ?? '', {
              outcome,
              answered: isAnswered,
              retryable,
              endedAtMs,
            }),
          );
    const end: WrittenEnd = {
      callId: call.id,
      engineId,
      status: terminal.status,
      outcome,
      endReason: terminal.endReason,
      endedAtMs,
      sentiment: isAnswered ? summary.sentiment : null,
      summary: summary.summary,
      tags: summary.tags,
      transcript,
      eventRedaction: redactionOf({ call, setup, medium }, 'webhooks'),
      latency: latencyOf(conversation.turnLatenciesMs, conversation.timeline?.bargeIns ?? []),
      timeline: conversation.timeline,
      waits: conversation.waits,
      usage: conversation.usage,
      uses: conversation.uses,
      languages: conversation.languages,
      agentVersion: setup.agent.version,
      businessVersion: setup.business.version,
      fallbacks: conversation.fallbacks,
      sipStatus: conversation.legEnd?.sipStatus ?? null,
      q850Cause: conversation.legEnd?.q850Cause ?? null,
      ...(terminal.recordingPath === undefined
        ? {}
        : { recordingPath: terminal.recordingPath, recordingState: deps.recordingState ?? null }),
      contact,
    };
    // Retries for as long as the process lives: a full disk must not leave an ended call open.
    await writes.run('endCall', end, Number.POSITIVE_INFINITY);
  } catch (error) {
    // Not a disk problem: the row stays open until LostCalls (succession/close.ts) closes it.
    log.error({ error: messageOf(error) }, 'the end of the call could not be written');
  }
  deps.metrics.callEnded(terminal.status);
  log.info(
    {
      status: terminal.status,
      outcome: terminal.outcome,
      endReason: terminal.endReason,
      durationMs: terminal.durationMs,
      campaignId: setup.campaign.id,
      isMachine: conversation.isMachine,
    },
    'call ended',
  );
}

interface CrashEndDeps {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  engineId: string;
  now(): number;
}

/** A call of this engine that has no conductor any more. */
type LostCall = Pick<CallTable, 'id' | 'contactId' | 'answeredAt'>;

/**
 * Ends a call of which only its rows are left; its transcript is what the live feed has. `recording`: empty where its
 * file is another engine's; `endedAtMs`: the last that is known of it. False if another engine has the call.
 */
export async function writeCrashEnd(
  { read, writer, engineId, now }: CrashEndDeps,
  call: LostCall,
  recording: Recording,
  endedAtMs: number,
): Promise<boolean> {
  const { outcome, retryable } = endOf('crash');
  const attempt = { outcome, answered: call.answeredAt !== null, retryable, endedAtMs: now() };
  const end: WrittenEnd = {
    callId: call.id,
    engineId,
    status: 'FAILED',
    outcome,
    endReason: 'crash',
    endedAtMs,
    sentiment: null,
    summary: 'The call was cut off by a fault of the service.',
    tags: [],
    transcript: null,
    eventRedaction: await storedRedaction(read, call.id, 'webhooks'),
    latency: null,
    timeline: null,
    waits: null,
    usage: null,
    uses: [],
    languages: [],
    agentVersion: null,
    businessVersion: null,
    fallbacks: [],
    sipStatus: null,
    q850Cause: null,
    ...recording,
    contact: call.contactId === null ? null : await contactAfterAttempt(read, call.contactId, attempt),
  };
  return writer.runDurably('endCall', end);
}
