// The dialogue of one call: its business, whom it speaks to, and the tools' way to the database.
import type { Logger } from 'pino';
import { listBooked } from '../../db/queries/booking.ts';
import type { ShardCommand } from '../shard/protocol.ts';
import type { ConductorDeps, ConductorOptions } from './call-context.ts';
import { dialogueBusiness, greeting } from './call-setup.ts';
import { Dialogue } from './dialogue.ts';
import type { ToolAction } from './tools/tool.ts';

/** Tools that did what somebody wanted of the call. */
const ACCOMPLISHED = new Set(['schedule_appointment', 'opt_out', 'transfer_call']);

export interface DialogueListener {
  onAction(action: ToolAction): void;
  /** A tool did what somebody wanted of the call. */
  onAccomplished(): void;
  /** Presses keys; false where the line takes none. */
  sendDigits(digits: string): Promise<boolean>;
}

export function createDialogue(
  deps: Pick<ConductorDeps, 'dialogue' | 'read' | 'writer' | 'shards' | 'now'>,
  { call, setup, medium }: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  log: Logger,
  told: DialogueListener,
): Dialogue {
  const business = dialogueBusiness(setup.business);
  const isInbound = medium.kind !== 'outbound';
  const otherNumber = isInbound ? call.fromNumber : call.toNumber;
  return new Dialogue({
    callId: call.id,
    model: deps.dialogue,
    business,
    agentName: setup.agent.name,
    greeting: greeting(setup, call.callerName, !isInbound),
    direction: isInbound ? 'inbound' : 'outbound',
    callerNumber: otherNumber.startsWith('+') ? otherNumber : null,
    callerName: call.callerName,
    tools: {
      business,
      callerNumber: otherNumber.startsWith('+') ? otherNumber : null,
      callerName: call.callerName,
      listBooked: async (fromMs, toMs) => {
        const rows = await listBooked(deps.read, call.accountId, { businessId: setup.business.id, fromMs, toMs });
        return rows.map((row) => ({ startMs: row.startsAt, endMs: row.endsAt }));
      },
      book: (wish) =>
        deps.writer.run('bookAppointment', {
          accountId: call.accountId,
          businessId: setup.business.id,
          callId: call.id,
          nowMs: deps.now(),
          ...wish,
        }),
      sendDigits: told.sendDigits,
      optOut: (reason) =>
        deps.writer.runDurably('optOut', {
          accountId: call.accountId,
          phoneNumber: otherNumber,
          callId: call.id,
          source: 'call',
          reason,
          nowMs: deps.now(),
        }),
    },
    now: deps.now,
    send: (command) => deps.shards.send(command as ShardCommand & { callId: string }),
    onAction: told.onAction,
    onToolRan: (name, ok) => {
      if (ok && ACCOMPLISHED.has(name)) told.onAccomplished();
    },
    log,
  });
}
