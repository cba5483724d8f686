// The end of a call as it is kept: summary by rules, what becomes of the contact, and the one durable transaction.
import type { Logger } from 'pino';
import type { TranscriptEntry } from '../../db/resources.ts';
import { contactAfterAttempt } from '../campaign/retry.ts';
import { ruleSummary } from './after-call.ts';
import type { ConductorDeps, ConductorOptions } from './call-context.ts';
import type { CallTerminal } from './outcomes.ts';
import { latencyOf } from './record.ts';

export interface Conversation {
  transcript: TranscriptEntry[];
  turnLatenciesMs: readonly number[];
  toolsUsed: readonly string[];
  booked: ReadonlyArray<{ service: string | null; startsAtText: string }>;
  isMachine: boolean;
}

/** Resolves when the end is durable (or, after 15 minutes of a failing disk, given up to the next start's recovery). */
export async function writeTerminal(
  deps: Pick<ConductorDeps, 'read' | 'writer' | 'metrics'>,
  { call, setup, medium }: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  terminal: CallTerminal,
  conversation: Conversation,
  log: Logger,
): Promise<void> {
  const { transcript } = conversation;
  const durationSeconds = Math.ceil(terminal.durationMs / 1000);
  const summary = ruleSummary({
    direction: medium.kind === 'outbound' ? 'outbound' : 'inbound',
    status: terminal.status,
    outcome: terminal.outcome,
    durationSeconds,
    transcript,
    toolsUsed: conversation.toolsUsed,
    appointments: conversation.booked,
  });
  try {
    const contact =
      call.contactId === null
        ? null
        : await contactAfterAttempt(deps.read, call.contactId, {
            outcome: terminal.outcome,
            answered: terminal.answeredAtMs !== null,
            retryable: terminal.retryable,
            endedAtMs: terminal.endedAtMs,
          });
    await deps.writer.runDurably('endCall', {
      callId: call.id,
      status: terminal.status,
      outcome: terminal.outcome,
      endReason: terminal.endReason,
      endedAtMs: terminal.endedAtMs,
      sentiment: terminal.answeredAtMs === null ? null : summary.sentiment,
      summary: summary.summary,
      tags: summary.tags,
      transcript,
      latency: latencyOf(conversation.turnLatenciesMs),
      recordingPath: terminal.recordingPath,
      contact,
    });
  } catch (error) {
    // Fifteen minutes of tries are over: the row stays open and the next start closes it.
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
