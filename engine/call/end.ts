// Stores the end of a call: rule-based summary, the contact's next state, and one durable transaction. Nobody else in
// the engine does, so that an end after a crash keeps and tells no more than any other.
import type { Logger } from 'pino';
import { type CallTerminal, endOf } from '../../db/domain/calls/outcome.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { isPassingFault } from '../../db/faults/faults.ts';
import type { CallEnd } from '../../db/queries/calls/life.ts';
import type { CallTable } from '../../db/schema/call-columns.ts';
import type { Db } from '../../db/schema.ts';
import type { Writer } from '../../db/writing/writer.ts';
import { ruleSummary } from '../after-call/after-call.ts';
import { latencyOf } from '../after-call/latency.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import { type Clock, sleep } from '../clock.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import type { Conversation } from './conversation-at-end.ts';
import { redactionOf } from './setup.ts';
import { storedRedaction } from './stored-redaction.ts';
import type { CallWrites } from './writes.ts';

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

type EndDeps = Pick<ConductorDeps, 'store' | 'metrics' | 'clock' | 'recordingState'>;
type EndOptions = Pick<ConductorOptions, 'call' | 'setup' | 'medium' | 'engineId'>;

/** Resolves when the end is stored durably. */
export async function writeCallEnd(
  deps: EndDeps,
  options: EndOptions,
  { terminal, conversation }: { terminal: CallTerminal; conversation: Conversation },
  { writes, log }: { writes: CallWrites; log: Logger },
): Promise<void> {
  const { status, outcome, endReason, durationMs } = terminal;
  try {
    const end = await endOfCall(deps, options, terminal, conversation);
    // Retries for as long as the process lives: a full disk must not leave an ended call open.
    await writes.run('endCall', end, Number.POSITIVE_INFINITY);
  } catch (error) {
    // Not a disk problem: the row stays open until LostCalls (succession/close.ts) closes it.
    log.error({ error: messageOf(error) }, 'the end of the call could not be written');
  }
  deps.metrics.callEnded(status);
  const { isMachine } = conversation;
  log.info({ status, outcome, endReason, durationMs, campaignId: options.setup.campaign.id, isMachine }, 'call ended');
}

async function endOfCall(
  deps: EndDeps,
  { call, setup, medium, engineId }: EndOptions,
  terminal: CallTerminal,
  conversation: Conversation,
): Promise<WrittenEnd> {
  const { status, outcome, endReason, isAnswered, retryable, recordingPath } = terminal;
  const { transcript, answeredAtMs, timeline, waits, usage, uses, languages, fallbacks, legEnd } = conversation;
  // The wall clock may have stepped during the call, so the end is derived from the monotonic duration.
  const endedAtMs = answeredAtMs === null ? deps.clock.nowMs() : answeredAtMs + terminal.durationMs;
  const { sentiment, summary, tags } = summaryOf(medium, terminal, conversation);
  const attempt = { outcome, answered: isAnswered, retryable, endedAtMs };
  const { contactId } = call;
  const contact =
    contactId === null
      ? null
      : await whenItAnswers(deps.clock, () => deps.store.contactAfterAttempt(contactId, attempt));
  return {
    callId: call.id,
    ...{ engineId, status, outcome, endReason, endedAtMs },
    sentiment: isAnswered ? sentiment : null,
    ...{ summary, tags, transcript },
    eventRedaction: redactionOf({ call, setup, medium }, 'webhooks'),
    latency: latencyOf(conversation.turnLatenciesMs, timeline?.bargeIns ?? []),
    ...{ timeline, waits, usage, uses, languages, fallbacks },
    agentVersion: setup.agent.version,
    businessVersion: setup.business.version,
    sipStatus: legEnd?.sipStatus ?? null,
    q850Cause: legEnd?.q850Cause ?? null,
    ...(recordingPath === undefined ? {} : { recordingPath, recordingState: deps.recordingState ?? null }),
    contact,
  };
}

function summaryOf(
  { kind }: Pick<ConductorOptions['medium'], 'kind'>,
  { status, outcome, durationMs }: CallTerminal,
  { transcript, toolsUsed, booked: appointments, wantsCallBack, failedTurns }: Conversation,
): ReturnType<typeof ruleSummary> {
  return ruleSummary({
    direction: kind === 'outbound' ? 'outbound' : 'inbound',
    durationSeconds: Math.ceil(durationMs / 1000),
    ...{ status, outcome, transcript, toolsUsed, appointments, wantsCallBack, failedTurns },
  });
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
