// A dialogue's inputs: the model, the facts of the call, and the callbacks for its results.
import type { Logger } from 'pino';
import type { ConversationSettings } from '../../db/resources.ts';
import type { Breaker } from '../../models/llm/breaker.ts';
import type { DialogueBusiness, DialogueModel } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';
import type { CallCommand } from '../shard/protocol.ts';
import type { TurnEnd } from './failed-turns.ts';
import type { ReplyUsage } from './model-usage.ts';
import type { ToolRun } from './tool-runs.ts';
import type { ToolAction, ToolContext } from './tools/tool.ts';

export interface DialogueOptions {
  callId: string;
  model: DialogueModel;
  /** Answers where the model fails; null: the business's fallback message is said. */
  standIn: DialogueModel | null;
  /** Whether the model is down. */
  breaker: Breaker;
  business: DialogueBusiness;
  agentName: string;
  /** BCP 47. */
  language: string;
  additionalLanguages: readonly string[];
  /** The campaign's task, and the values of its placeholders: see `DialogueRequest`. */
  instructions: string | null;
  variables: Readonly<Record<string, string>>;
  /** Spoken first, verbatim. */
  greeting: string;
  /** How the agent leads the conversation. */
  conversation: ConversationSettings;
  /** How long a caller waits for the model's first word; then the turn has failed. */
  firstWordWithinMs: number;
  isRecorded: boolean;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  callerName: string | null;
  tools: Omit<ToolContext, 'nowMs'>;
  clock: Clock;
  send(command: CallCommand): void;
  /** The model has produced the first word of a reply. */
  onFirstWord?(epoch: number): void;
  /** An action that a tool requests. Called once the sentence that belongs to it was heard. */
  onAction(action: ToolAction): void;
  onToolRan(run: ToolRun): void;
  /** A turn of the caller has its answer, or will have none. */
  onTurnEnded(end: TurnEnd): void;
  /** Requests and tokens of the model's server, reported once it is known whether the reply was discarded. */
  onModelUsed(used: ReplyUsage, isDiscarded: boolean): void;
  log: Logger;
}
